"""What English statements are about, continued: what a speaker is, has, likes, does, feels and plans.

Notation of phrases: `siltstone.text.lexicon`. Kinds: `siltstone.formation.rubric.objects`.
"""

from __future__ import annotations

ROWS = """
age | 0.72 | neu | trait |
    turn thirty, turn forty, turn fifty, turn sixty, turn eighteen, turn twenty, turn #, turn seventy, turn eighty,
    be # years old, # years old, years old, born in #, born on, my birthday be, be # now, my age, i be #, be # soon,
    be # next, be fifty, be thirty, be forty, be sixty, be seventy, be eighty, be twenty, be nineteen, be eighteen,
    be seventeen, be sixteen, be thirty one, be thirty two, year old
name | 0.76 | neu | trait |
    my name be, name be, call me, i go by, nickname, surname, everybody calls me, everyone call me, named after,
    middle name, maiden name
origin | 0.76 | neu | trait |
    be from PLACE, be from, come from PLACE, grow up in, grow up on, grow up with, raised in, raise in,
    born and raised, be born in, hometown, born in PLACE, mother tongue, native language, native speaker,
    first language, native tongue, my roots, bilingual, be NATION, half NATION, NATION descent, my family be from,
    KIN be from PLACE, originally from, live in PLACE, have live in PLACE, live here for, live in * for,
    move here in, raised by, citizen of
family | 0.74 | neu | trait |
    have # KIN, have # kids, have KIN, have two KIN, have three KIN, have four KIN, have * KIN, not have KIN,
    have no KIN, no KIN, my KIN be called, KIN be called, KIN be named, have siblings, no siblings, siblings,
    mum of, mom of, mother of, father of, dad of, KIN of two, KIN of three, our KIN be, KIN be #, my KIN be * TRADE,
    KIN be TRADE, KIN be * TRADE, KIN work as, KIN work in, KIN run * shop, KIN teach at, KIN teach maths,
    KIN live in, KIN live with, live with * KIN, raise by * KIN, KIN raised me, KIN start school,
    KIN start kindergarten, KIN start university, KIN go to university, KIN graduate, KIN first word,
    KIN first step, KIN take his first, KIN take her first, KIN retire, KIN move in, KIN come out, KIN enlist,
    KIN be deaf, KIN have ILLNESS, KIN turn, KIN move into * home, KIN get into, care home, nursing home,
    oldest friend be, best friend be call, best friend be, she be my best friend, he be my best friend, godmother,
    godfather, godchild, godson, goddaughter, stepkids, together for # years, together for, been together,
    be together since, KIN have * baby, KIN be diagnosed, carer for * KIN, care for * KIN, look after * KIN,
    KIN be name, great grandmother, great grandfather
estranged | 0.8 | neg | trait |
    not speak to * KIN, not talk to * KIN, not speak to, no contact with, go no contact, cut off * KIN, cut contact,
    estranged, disown, disowned, cut ties, haven't spoken, have not speak, not see * KIN since, reconcile,
    make up with * KIN, fall out with * KIN, restraining order, cut my parents off, cut * KIN off, cut them off,
    cut him off, cut her off, walk away from my family, no longer speak to, not on speaking terms
trade | 0.77 | neu | trait |
    drive * lorry, drive lorry, drive * bus, drive * taxi, drive * train, drive * cab,
    be TRADE, be * TRADE, work as, work as * TRADE, job as, i work in, i work at, i work for, work in * hospital,
    i teach, teach at, work for, work nights, work night shift, work part time, i run * shop, run * cafe,
    run * bakery, run * business, run * farm, run * company, i manage, own * business, own * shop, own * restaurant,
    i study, studying, be study, major in, my job be, i drive * truck, i drive * bus, drive for a living,
    for a living, by trade, train to be, train as, training to be, apprenticeship, apprentice, train as TRADE,
    my own practice, on the night shift, serve as, freelance as, run BUSINESS, run * BUSINESS, own BUSINESS,
    own * BUSINESS, manage BUSINESS, stay at home dad, stay at home mum, stay at home mom, stay at home parent,
    self - employed, lead the, lead * choir, breed, raise bees, raise sheep, raise cattle, raise goats, farm sheep,
    teach maths, teach chemistry, teach english, teach history, teach physics, teach music, teach primary,
    teach kids, teach children, teach yoga, play professionally, perform in, do research on, sit on the council,
    councillor
allergy | 0.7 | neg | trait |
    allergic, allergy, allergies, intolerant, intolerance, lactose, coeliac, celiac, gluten free, gluten, epipen,
    anaphylaxis, anaphylactic, hay fever, hayfever, type 1, type 2, asthma, migraines, insomnia,
    high blood pressure, hearing aid, glasses since
diet | 0.74 | neu | trait |
    vegetarian, vegan, pescatarian, not eat meat, not eat pork, not eat beef, not eat fish, not eat dairy,
    not eat * animal, never eat meat, never eat pork, not eat animal, eat no meat, teetotal, teetotaller, not drink,
    never drink, not drink alcohol, never drink alcohol, no alcohol, not smoke, never smoke, not drink coffee,
    not do drugs, not eat sugar, not eat gluten, plant based, plant-based, keto, no sugar, smoker, non smoker,
    gave up meat, stop eating meat, quit sugar, give up sugar, quit coffee, quit caffeine, go vegan, go vegetarian,
    became vegetarian, became vegan, gone vegan, raw food, intermittent fasting, off meat, off dairy
belief | 0.72 | neu | trait |
    believe in, not believe in, believe that, never believe, i believe, meaning of life, stand for,
    against the death penalty, pro choice, pro life, human right, human rights, capital punishment, politics,
    vote for, will never vote, always vote, never vote, principle, morally, honesty matter, matter most to me,
    most important thing, astrology, superstition, ghosts, karma, religion, atheism, justice, i value, my values,
    family come first, nothing matter more, money do not, life be too short, purpose in life, forgive,
    never forgive, matter more, matter to me more, dream of becoming, always want to be, always wanted to be,
    more important than, my dream be, my life goal, life goal, ambition, calling, vocation, trust nobody,
    trust no one, do not trust, come before work, come before everything, it be a rule, it be my rule, never lie,
    always tell the truth, never lend, not lend money, refuse on principle, vegan for the animals, climate,
    meritocracy, equality, free speech, democracy, work ethic, loyalty, second chances, fate, destiny, universe,
    soul, heaven, hell, god, sacred, evil, moral, sin, faith in, no faith in, family come before, family over
fear | 0.7 | neg | trait |
    make me panic, makes me panic,
    afraid of, scared of, terrified of, fear of, phobia, claustrophobic, agoraphobic, phobic, afraid to, panic in,
    petrified of, fear flying, frightened of, fear of height, vertigo, fear heights, fear spiders, terrify me,
    scare me, frighten me, freak me out, give me nightmares, spook me
pet_has | 0.68 | neu | trait |
    he be PET, she be PET, he be * PET, she be * PET, have * PET, have PET, have # PET, have get # PET, keep bees,
    keep chickens, own * PET, keep * PET, # PET, two PET, three PET, four PET, our PET, PET run away, PET go missing
pet | 0.71 | pos | trait |
    adopt * PET, get * PET, get new PET, buy * PET, my PET be called, rescue * PET, PET named, PET called,
    PET be called, foster * PET, our PET, bring home * PET, take in * PET, new puppy, new kitten, new dog, new cat,
    PET have kittens, PET have puppies, PET be diagnosed, PET have cancer, PET run away, PET go missing, lose my PET
possession | 0.62 | neu | trait |
    buy * car, buy * motorbike, buy * motorcycle, buy * boat, buy * van, sell * car, sell * motorbike, own * car,
    own * boat, first car, drive * old, total * car, car be stolen, bike be stolen, tattoo, get * tattoo, allotment,
    family heirloom, inherit * ring, inherit * watch, stolen, steal my, stole my, lose my wedding ring, narrowboat,
    houseboat, campervan, motorhome, motorbike, own no, not own * car, not own * tv, not own * phone
dwelling | 0.62 | neu | trait |
    live in * house, live in * flat, live in * apartment, live on * farm, live on * boat, live in * van,
    live by the sea, live near, live next to, share a flat, rent * flat, rent * room, live with * flatmates,
    live with * flatmate, live in * village, live off grid, live upstairs
skill | 0.64 | neu | trait |
    speak LANGUAGE, speak # language, speak * LANGUAGE, fluent in, fluent, learn LANGUAGE, study LANGUAGE,
    teach myself, play HOBBY, play the HOBBY, play * HOBBY, play in * band, play in * orchestra, sing in * choir,
    can not swim, can not drive, can not cook, not know how to swim, not know how to drive, can not ride,
    never learn to swim, never learn to drive, never learn, not drive, can not sing, can not dance, can not read,
    can not whistle, can not draw, can play, have perfect pitch, tone deaf, left handed, left - handed, left hand,
    lefty, ambidextrous, colour of my eyes, be tall, be # tall, i weigh, blood type
hobby | 0.66 | pos | trait |
    be DOER, be * DOER, hoard, hoarder, keep bees,
    collect, collector, HOBBY every, HOBBY be my, my hobby, hobby be, my passion, train for * marathon,
    train for * triathlon, i paint, i sew, i knit, i crochet, i sculpt, i carve, i write poem, i write poetry,
    write poetry, i surf, i climb, i sail, i ski, i dance, i garden, brew my own, bake my own, restore old,
    build model, volunteer at, volunteer with, volunteer, volunteering, coach * team, in * band, member of,
    belong to, season ticket, support * united, fan for life, * fan for life, supporter, fan since, big fan of,
    huge fan of, love HOBBY, HOBBY since i, HOBBY for years, binge reader, avid reader, bookworm, i blog,
    my podcast, my band, i compose, i forage, i fish, ride horses, HOBBY for # years, HOBBY person
person_not | 0.64 | neg | trait |
    not a team person, not team person, not team player, not a people person, not people person, not patient person,
    not a morning person, not morning person, not a patient man, not patient woman
person | 0.64 | neu | trait |
    morning person, night owl, early bird, people person, cat person, dog person, introvert, extrovert, introverted,
    extroverted, shy, perfectionist, workaholic, optimist, pessimist, minimalist, hoarder, homebody, loner,
    romantic, neat freak, stubborn, i be patient, impatient, short tempered, bad temper, clumsy, highly sensitive,
    overthink, overthinker, people pleaser, procrastinator, competitive, cry easily, city person, city girl,
    country boy, beach person, tea person, coffee person, team person, team player, superstitious, ambitious,
    frugal, disorganised, tidy, light sleeper, heavy sleeper, picky eater, fussy eater, slow eater, early riser,
    late riser, patient man, patient woman, patient person, private person, anxious person, jealous person,
    calm person, morning bird, list maker, planner, daydreamer, risk taker, hypochondriac, germaphobe,
    collector by nature, black sheep, tomboy, nerd, geek, bad sleeper, seasick, car sick, carsick, travel sick,
    insomniac, cynic, realist, rebel, conformist, punctual, forgetful, sensitive to, tidy person, messy person
used_to | 0.68 | neu | trait |
    use to, used to, no longer, not anymore, stop eating, stop eat, stop wearing, stop go, give up, gave up,
    quit social media, quit facebook, switch to, go off, grow out of, swear off, swore off, have given up,
    delete * account, delete my instagram, leave social media, quit sugar, not any more, kick my
estate | 0.78 | neg | event |
    lose * house, lose * home, lose our home, house repossessed, house get repossessed, be in debt, in debt, debt,
    owe # thousand, lose * savings, lose all my, lose everything, life savings, scammed, can not afford rent,
    can not pay rent, food bank, foreclosed
miss_person | 0.7 | neg | feeling |
    miss my KIN, miss * KIN, miss home, miss him, miss her, homesick, miss PLACE
deep_love | 0.76 | pos | feeling |
    love my KIN, love * KIN, KIN mean everything, KIN be my best friend, KIN be my hero, proud of * KIN,
    proud of my KIN, KIN be my world, adore my KIN, love of my life, best friend since, closest friend,
    my best friend be, KIN be my rock, proud of myself, proud of who
family_strife | 0.72 | neg | feeling |
    hate my KIN, hate * KIN, KIN hit me, KIN drink too much, KIN drink, KIN never love, KIN not love,
    argue with * KIN, fight with * KIN, resent * KIN, KIN do not accept, worried about * KIN, worry about * KIN,
    can not forgive * KIN, KIN be ill, KIN be sick, KIN in hospital, KIN in hospital with, KIN have surgery,
    KIN have * fall, KIN not recognise, KIN forget my name, KIN be bullied, KIN not talk
relation | 0.66 | neu | feeling |
    this marriage, my marriage, our marriage, this relationship, my relationship, our relationship, this friendship,
    our friendship, my friendship, stay with him, stay with her, right about me, trust him, trust her, love him,
    love her, future with
deep_feeling | 0.62 | neg | feeling |
    lonely, loneliness, hopeless, worthless, ashamed of, hate myself, empty inside, feel empty, feel numb,
    feel invisible, nobody love me, no friends, have no friend, lost in life, no purpose, do not belong, not belong,
    feel like * failure, feel like * fraud, imposter, impostor syndrome, trapped in, unloved, regret, jealous of,
    guilty about, hate my job, hate my body, hate my life, hate my work, unhappy in, unhappy at, happiest,
    knee replacement, hip replacement, need replacing, never been happier, never be so happy, at peace with,
    turn my life around, heartbroken, fall apart, burnt out, burned out, burnout, lost without, grieve, grieving,
    hate being alone, tired of living, too hard on my KIN, insecure, low self esteem
work_feeling | 0.62 | neg | feeling |
    dislike my job, hate my boss, love my job, love my work, love my boss, love teaching, trust my boss,
    do not trust my boss, like my job, enjoy my job, my boss bully, bullied at work, harassed, harass,
    work to death, wrong career, not suit * job, suit to
love | 0.65 | pos | taste |
    love, adore, crazy about, obsessed with, passionate about, live for, can not live without,
    could not live without, nothing beat, over everything, worship, swear by, in my blood, devoted to,
    addicted to HOBBY, addicted to coffee, addicted to chocolate, any day, be my life, be everything to me,
    mean everything to me, mean the world, be my world, like no other, no one like, second to none, my happy place,
    my first love, keep me sane, keep me alive, what i live for, make me who
favourite | 0.64 | pos | taste |
    favourite, favorite, my go to, best in the world, best of all time, best ever, best book ever, best band,
    of all time, above all else, best season, number one
hate | 0.63 | neg | taste |
    hate, detest, loathe, despise, can not stand, can not bear, can not abide, could not stand, will not eat,
    would not touch, refuse to eat, refuse to, never eat, never touch, allergic to people, pet hate, pet peeve,
    make my skin crawl, make me sick, makes me gag, make me gag, not for me, never again, turn my stomach,
    would rather die, will never
prefer | 0.61 | neu | taste |
    prefer, rather have * than, would rather, always choose, always pick, always take, always drink, always order,
    always sleep, always wear, always sit, always eat, always use, always buy, always read, always have, only drink,
    only eat, only wear, only read, only buy, never drink, never wear, never use, never watch, never buy,
    never leave, never miss, never skip, never go to bed, never sleep, never take, never read, never ride,
    never fly, never liked, never answer, beat, over coffee, over tea, exclusively, no matter what, without fail,
    every single, religiously, every morning without, stick to, loyal to, take it black, black coffee
like | 0.45 | pos | taste |
    like, enjoy, fond of, keen on, fan of, be into, really into, so into, partial to, soft spot for, sweet tooth,
    quite like, appreciate, good at, interested in, fascinated by, look up to, admire, care about, big on,
    love a good, always up for
dislike | 0.46 | neg | taste |
    dislike, not like, not enjoy, not care for, not much care for, not keen on, not fond of, not fan of, not into,
    no fan of, not big on, not my thing, not my cup of tea, can do without, could do without, bad at, terrible at,
    useless at, hopeless at, rubbish at, not good at, not get the appeal, avoid, uncomfortable with,
    uncomfortable around, put off by
abstain | 0.44 | neu | taste |
    not follow, not watch, not read, not cook, not dance, not wear, not use, not own, not mind, indifferent to,
    not play, not listen to, not keep up with, not bother with, not celebrate, not travel much, not go out much,
    not do sport, not care, not care either way, rarely, hardly ever, seldom
habit | 0.44 | neu | habit |
    usually, normally, mostly, generally, most day, most morning, most evening, most night, every day,
    every morning, every evening, every night, every week, every weekend, every sunday, every saturday,
    every friday, every monday, every tuesday, every wednesday, every thursday, each morning, each week, on sundays,
    on saturdays, on fridays, on mondays, on tuesdays, on wednesdays, on thursdays, on weekdays, at weekends,
    on weekends, in the mornings, in the evenings, once a week, twice a week, once a month, times a week, daily,
    weekly, often, tend to, routine, before bed, work from home, in the habit, regular at
plan | 0.36 | neu | plan |
    want to learn, would like to learn, want to try, think of take up, take up, sign up for, plan to, planning to,
    plan on, hope to, hoping to, intend to, save up for, saving for, look into, thinking of, thinking about,
    consider, considering, thinking of getting, lean towards, toy with, half a mind to, start learn, going to start,
    get in shape, resolution
wish_child | 0.7 | pos | feeling |
    want kids, want * baby, want children, want * child, want a family
plan_big | 0.54 | neu | plan |
    want to propose, propose to her, propose to him, leave * job, quit my job, leave him, leave her, move abroad,
    go back to university, go back to school, try to find my birth, talk again, apologise to * KIN, apologise to my,
    apologize to * KIN, become vegetarian, become vegan, want to get divorced, want * divorce, start * family,
    settle down, see * therapist, call my KIN again
"""
