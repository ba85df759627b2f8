"""What happens to English speakers and who they are: phrases in base form, by object, with weight, plain valence and kind.

Weights follow the bands of the intensity rubric: 0.8 and more shapes a life, 0.6 is worth keeping at first hearing.
Notation of phrases: `siltstone.text.lexicon`. Kinds: `siltstone.formation.rubric.objects`.
"""

from __future__ import annotations

ROWS = """
birth | 0.93 | pos | event |
    KIN arrive, go to be dad, go to be mum, go to be mom, go to be father, go to be mother, go to be parents,
    have baby, have * baby boy, have * baby girl, have * little girl, have * little boy, have * son, have twins,
    KIN be born, be born * KIN, give birth, KIN give birth, become grandmother, become grandfather,
    become grandparent, become grandma, become grandpa, become uncle, become aunt, name our son, name our daughter,
    name our boy, name our girl, be my son, be my daughter, become mother, become father, become mum, become dad,
    become parent, welcome * KIN, welcome * baby, baby be here, baby arrive, baby come, name her, name him,
    name * baby, have boy, have girl, deliver * baby, gone into labour, go into labour, new mum, new dad,
    first time mum, first time dad, be mum now, be dad now, be father now, be mother now, be an aunt, be an uncle,
    it be girl, it be boy, it be a girl, it be a boy
pregnancy | 0.92 | pos | event |
    pregnant, be expecting, expecting baby, expecting * KIN, KIN expecting, expect baby, expect * KIN, expect twins,
    expect * boy, expect * girl, have * baby on the way, due in * months, ivf work, positive test, ivf,
    trying for baby, try for baby, ultrasound
pregnancy_loss | 0.95 | neg | event |
    miscarriage, miscarry, lose * baby, stillbirth, stillborn, abortion, ivf fail, infertile, can not have children,
    can not have kids, can not conceive, infertility
adoption_child | 0.94 | pos | event |
    adopt * KIN, adopt * girl, adopt * boy, adoption go through, adoption approve, foster * KIN, foster * girl,
    foster * boy, adopted daughter, adopted son
roots | 0.78 | neu | event |
    birth mother, birth father, birth parent, birth parents, half sister, half brother, dna test, be adopted,
    be adopt, be foster, grow up in care
death | 0.93 | neg | event |
    KIN die, KIN pass away, KIN pass, KIN pass on, KIN be dead, KIN 's dead, lose * KIN, KIN 's gone, KIN be gone,
    bury * KIN, die * KIN, best friend die, lose * best friend, best friend pass, widow, widower, widowed, orphan,
    orphaned, funeral of * KIN, KIN funeral, KIN 's funeral, KIN kill himself, KIN kill herself,
    KIN take his own life, KIN take her own life, KIN suicide, KIN overdose, KIN be kill, KIN be murder,
    take his own life, take her own life, death of * KIN, KIN 's death, scatter * ashes, pass away,
    KIN lose * battle, without KIN now, KIN not make it, miss * KIN since she die, she be gone, he be gone,
    they be gone, be killed, KIN be killed, friend take his own life, friend take her own life, friend kill himself,
    friend kill herself
death_any | 0.86 | neg | event |
    die, dead, funeral
pet_death | 0.83 | neg | event |
    PET die, PET pass away, PET pass, lose * PET, put * PET to sleep, put * PET down, PET be put down,
    PET be put to sleep, bury * PET, PET be gone, PET 's gone, PET be run over, PET cross the rainbow bridge
marriage | 0.9 | pos | event |
    remarry, remarried, marry, get marry, be married, wedding be, our wedding, my wedding, engaged, get engaged,
    engagement, propose to me, he propose, she propose, propose * KIN, she say yes, he say yes, say yes to him,
    say yes to her, elope, tie the knot, honeymoon, fiance, fiancé, fiancee, fiancée, newlywed, civil partnership,
    wedded, our anniversary, anniversary, years married, KIN marry, renew * vow, pop the question, put * ring on
divorce | 0.92 | neg | event |
    divorce papers, over between us, divorce, divorced, divorcing, separate from * KIN, be separating, be separate,
    separated, separation, KIN leave me, leave * KIN, split up, split from, husband leave, wife leave,
    end * marriage, marriage be over, marriage end, call off * wedding, wedding be off, call off * engagement,
    custody, walk out on me, leave me for, sign the papers, annul, annulment, KIN cheat, cheat on me,
    cheat on * KIN, have * affair, an affair, she leave me, he leave me, they leave me, walk out on us
breakup | 0.84 | neg | event |
    break up, break up with, dump me, be dump, broke it off, break it off, end things with, end it with,
    be single again, be over between us, it be over with
romance | 0.72 | pos | event |
    have * girlfriend, have * boyfriend, new girlfriend, new boyfriend, get back together, be dating, start dating,
    start see someone, be see someone, be in * relationship, move in with * KIN, move in together, meet someone,
    fall in love, in love with, in love, love of my life, soulmate, soul mate, long distance relationship,
    ask her out, ask him out, first kiss, polyamorous, open relationship, see someone new, be seeing someone,
    reunite with, back with my ex, ask me out, ask me to marry
single | 0.7 | neu | trait |
    be married, be single, not marry, be marry, stay single, be in no relationship, live alone, never married,
    not want to get married, not want to marry, never marry, never get married, against marriage
grave_illness | 0.9 | neg | event |
    ILLNESS, be diagnosed, diagnose with, get diagnosed, diagnosis, terminal, stage four, stage three, stage 4,
    stage 3, malignant, biopsy, chemo, chemotherapy, radiotherapy, transplant, dialysis, icu, intensive care,
    life support, coma, hospice, palliative, amputate, lose * leg, lose * arm, lose * sight, lose * hearing,
    go blind, go deaf, heart failure, overdose, paralysed, paralyzed, wheelchair, life expectancy, months to live,
    tumour, mastectomy, hysterectomy, pacemaker, bypass, open heart
recovery | 0.92 | pos | event |
    remission, cancer free, all clear, chemo be over, chemo over, beat cancer, survive cancer, survive * cancer,
    survive, survivor, surgery go well, operation go well, out of * coma, out of icu, tumour be benign, be benign,
    come home from hospital, out of hospital, leave hospital, donor, learn to walk again, walk again, sight back,
    hearing back, biopsy be clear, test come back clear, give * kidney, donate * kidney, donate * liver,
    bone marrow, plane crash
sobriety | 0.84 | pos | event |
    sober, be clean, years clean, months clean, quit drinking, stop drinking, quit smoking, stop smoking,
    quit alcohol, give up alcohol, give up drinking, give up smoking, quit in, quit cold turkey, rehab, in recovery,
    kick the habit, quit gambling, stop gambling, gave up drink, gave up smoke, off drugs, off the drink
addiction | 0.84 | neg | event |
    relapse, alcoholic, addict, addiction, drink problem, drinking problem, gambling problem, gambling debt,
    drug problem, heroin, addicted to, back to smoking, back to drinking, start smoking again, start drinking again
mental_health | 0.82 | neg | event |
    suicidal, suicide, kill myself, self harm, want to die, want to disappear, mental breakdown, nervous breakdown,
    breakdown, panic attack, eating disorder, section me, psychiatric ward, psych ward, antidepressant,
    antidepressants, in therapy, see * therapist, start therapy, burn out, depressed, severe anxiety,
    social anxiety, trauma, traumatised, traumatized, flashback, hear voices
injury | 0.72 | neg | event |
    break * leg, break * arm, break * hip, break * ankle, break * wrist, break * back, break * neck,
    break * collarbone, break * rib, car crash, car accident, crash * car, be in * accident, hit by * car, run over,
    in hospital, hospitalised, hospitalized, rush to hospital, rush to a&e, taken to hospital, surgery, operation,
    operate on, concussion, torn, tear * ligament, slip disc, appendix, stroke, seizure, heart attack, chronic pain,
    chronic, third degree burn, lose * tooth, er visit, stitches, attack by, stab, shot, assault, mug me, be mugged,
    be robbed, be burgled, break into, burgle, rape, raped, abuse me, abused, stalked, arrested, arrest, jail,
    prison, convicted, sued, sue me, in court, evicted, evict, homeless, house burn, house fire, flooded house,
    house flood, bankrupt, bankruptcy, go bankrupt, hit us, hit me, beat me, beat us, bullied at school, be bullied,
    bullied, back be ruined, can not lift, groped, kidnapped, held at gunpoint, blackmailed, drugged, burned down,
    lose my sight
migration | 0.84 | neu | event |
    emigrate, emigrated, immigrate, immigrant, refugee, asylum, citizenship, become citizen, citizen, green card,
    visa approve, visa deny, visa refuse, visa expire, get * visa, my visa, visa come through, deport, deported,
    permanent residency, residency, leave to remain, naturalised, naturalized, move to PLACE, move abroad,
    move overseas, move back to PLACE, move here from, move from PLACE, leave PLACE, relocate to PLACE, relocate,
    settle in PLACE, move to * country, move to another country, move across the country, leave my country, flee,
    fled, move back home, move continent, expat, born in PLACE and, undocumented, leave * country, new country,
    dual national, dual citizen, nationality, naturalise, seek asylum, border, fled the war, war refugee
move | 0.8 | neu | event |
    be moving to, moving to, move to, move to * city, move house, move out, move in with, move into * house,
    move out of, move back in with, leave home, move away, leave town
home | 0.8 | pos | event |
    buy * house, buy * flat, buy * apartment, buy * home, buy * place, buy * cottage, buy * farm, get the keys,
    get * mortgage, get mortgage, exchange contracts, offer accept on * house, first home, own * house, own * flat,
    build * house, homeowner, pay off * mortgage
home_sold | 0.78 | neu | event |
    sell * house, sell * flat, sell * home, sell * apartment, sell * farm, sell up, sell the family home
move_small | 0.5 | neu | event |
    move desk, move flat, move room, new flat, new apartment, move office
job_lost | 0.76 | neg | event |
    lay off, laid off, be fire, get fire, fire me, got sacked, get sacked, be sacked, sack me, lose * job,
    make redundant, made redundant, redundant, redundancy, unemployed, out of work, let go from, let me go,
    be let go, contract be not renewed, demote, demoted, furlough, company go under, business fail,
    business go under, shut * business, close * shop for good, close * business, jobless, fired, sacked,
    dumped from, let us go, lose my business, close down, sign on the dole, on the dole, struck off
job_won | 0.77 | pos | event |
    get job, get * job, get the job, land * job, land job, new job, start * job, job offer, offer me * job,
    accept * offer, accept * job, hired, hire me, be hire, get hired, promote, promoted, promotion, get promoted,
    make partner, make manager, get tenure, tenure, start * business, start * company, found * company, open * shop,
    open * restaurant, open * bakery, open * business, open my own, launch * company, go freelance,
    became self-employed, start my own, run my own, got the part, got the role, get the role, head of,
    sign * record deal, publish * book, publish * novel, book deal, sell * novel, publish * paper, first paid,
    funding come through, raise * seed, dream job, get * raise, pay rise, back to work, back at work after,
    sign * contract, sign with * label, sign with * publisher, sign the contract, lead role, run for office,
    elected, become * TRADE, become TRADE, be * TRADE now, made partner, made head, open BUSINESS, open * BUSINESS,
    start BUSINESS, start * BUSINESS, publish, published, exhibit my, first exhibition
job_left | 0.76 | neu | event |
    last week at, my last week at the company, my last day at, quit * job, leave * job, hand in * notice,
    hand in my resignation, give * notice, resign, resignation, be quitting, quit, quitting, leave the company,
    leave * firm, change career, career change, switch career, leave teaching, leave nursing, leave medicine,
    leave law, sell * company, sell * business, sell the company, step down, leave the church, leave the army,
    leave academia, sabbatical
retirement | 0.82 | pos | event |
    retire, retired, retirement, pension, last day of work, last day at work
study | 0.78 | pos | event |
    graduate, graduated, graduation, get into * university, get into * college, get into uni,
    get into medical school, get into law school, accept to, accepted to, accept into, get accepted, scholarship,
    phd, doctorate, thesis, dissertation, master degree, masters, start university, start uni, start college,
    go back to school, back to university, degree in, enrol in, enroll in, start medical school, valedictorian,
    get my degree, got my degree, get place at, offer from, finish school, finish * degree, finish university,
    defend * thesis, leave school, first in my family, KIN get into university, get into cambridge, get into oxford,
    get into harvard, get into yale, get into stanford, get into mit, offer from oxford, offer from cambridge,
    my phd, viva, passed my viva, first class degree, honours, bar exam, matric, a levels, gcse, abitur,
    baccalaureate, conservatory, art school, drama school, veterinary school, law school, medical school,
    med school, nursing school, flight school, police academy
study_failed | 0.76 | neg | event |
    drop out, expelled, expel, fail * exam, fail * exams, fail * year, kick out of, flunk, flunked,
    reject by * university, do not get in, not get into, suspended from, fail * bar, fail * finals
exam | 0.8 | pos | event |
    pass the bar, pass * bar exam, pass * board, pass * finals, pass * citizenship, qualify as, qualified as,
    licensed, chartered, ordained, called to the bar, win * gold, win * medal, win * championship, win * award,
    win the lottery, win * lottery, inherit, inheritance, won gold
exam_small | 0.65 | pos | event |
    pass * test, pass * exam, pass * exams, pass everything, pass driving test, driving test, driving licence,
    driver license, drivers license, driver's license, get my licence, get my license, pass my theory,
    get my results, finish * marathon, finish * first marathon, run * marathon, ran * marathon, complete * marathon,
    climb mount, first marathon, first triathlon, ironman, black belt, win * race, win * competition,
    win * tournament, debut
service | 0.84 | neu | event |
    basic training, boot camp, enlist, join * army, join * navy, join * air force, join * marines, join * military,
    deployed to, deployment to, veteran, served in, serve in, drafted, conscripted, discharged, be priest,
    become priest, become * priest, become * nun, become * monk, take * vows, seminary, ordain, missionary,
    join * convent, join * monastery, join * order, join * police, join the police, join * fire
conversion | 0.88 | neu | event |
    leave the faith, leave the church, leave my religion, leave the mosque, baptised, baptized, baptism, convert to,
    converted to, conversion to, find god, find jesus, find faith, lose * faith, stop believe in god,
    leave * religion, reborn, born again, bar mitzvah, bat mitzvah, confirmation, hajj, umrah, take shahada, islam,
    judaism, buddhism, christianity, catholicism, become muslim, become catholic, become christian, become buddhist
coming_out | 0.9 | neu | event |
    come out as, come out to, come out, transition, transitioning, transitioned, top surgery, bottom surgery,
    hormones, change my name, changed my name, they them, he him, she her, pronouns, be trans
faith | 0.87 | neu | trait |
    FAITH, believe in god, do not believe in god, believe in jesus, pray every, pray five, fast for ramadan,
    ramadan, keep kosher, kosher, halal, keep sabbath, shabbat, go to church every, mosque every, my faith,
    my religion, my god, religious, lent, eid, allah, god exist, afterlife, reincarnation, raised catholic,
    raised muslim
orientation | 0.88 | neu | trait |
    be ORIENTATION, ORIENTATION man, ORIENTATION woman, gay, lesbian, bisexual, transgender, nonbinary, pansexual,
    agender, genderqueer, into men, into women, like men, like women, attracted to
identity | 0.86 | neu | trait |
    be autistic, autistic, adhd, have adhd, dyslexic, dyslexia, asperger, be diagnosed autistic,
    diagnosed with adhd, diagnosed autistic, autistic diagnosed, be deaf, deaf, be blind, blind, disabled,
    colour blind, colourblind, color blind, disability, mute, hard of hearing, amputee, dwarf, neurodivergent,
    stutter, stammer, feminist, pacifist, anarchist, socialist, communist, conservative, libertarian, liberal,
    republican, democrat, marxist, leftist, right-wing, left-wing, activist, environmentalist, be twin, i be * twin,
    identical twin, only child, eldest of, oldest of, youngest of, middle child, single mother, single mum,
    single mom, single dad, single father, single parent, stepfather, stepmother, childfree, child free,
    not want kids, not want children, never want kids, never want children, not want * kids, not want * children,
    first generation, second generation, adopted, mixed race, immigrant, asylum seeker, whistleblower, celibate,
    stateless, in a cult, prosthetic, use * cane, use * walking stick, use * wheelchair, crutches, dyscalculia,
    dyspraxia, dyspraxic, synaesthesia, synesthesia, aphantasia, highly gifted, member of the party, union member,
    trade unionist, monarchist, capitalist, refugee, nomad, orphan
"""
