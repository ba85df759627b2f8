"""What hides a weighty reading: figures of speech, harmless uses, work chatter. Both languages, with low weights."""

from __future__ import annotations

ROWS = """
figure | 0.1 | neg | small |
    could die, i could die, i could murder a, kill for a nap, the death of me, 忙得要死, 困得要命, 累得要命,
    THING die, THING be dead, THING 's dead, THING be dying, kill * THING, kill * TASK, TASK die, TASK be dead,
    TASK kill, kill the lights, lose connection, lose signal, lose my keys, lose * keys, lose * umbrella,
    lose * gloves, lose * charger, lose * game, lose * match, lose my pen, lose track, lose count, die of boredom,
    dying of heat, dying of hunger, dying for a, die laughing, to die for, dead tired, dead end, dead line,
    dead battery, deadline, killing me, kill time, kill it, kill for a, die down, dead slow, dead pixel, dead link,
    drop dead, over my dead body, bored to death, scared to death, work to death, PLACE lose, team lose,
    we lose the game, lose the toss, lose my train of thought, lose my stop, lose weight, lose my place
figure_marry | 0.05 | neu | small |
    TASK marry, marry the two, divorce * TASK, TASK inherit, child node, parent node, parent process, child process,
    child class, parent class, orphan process, orphaned process, orphan node, zombie process, sibling node,
    twin screw, born out of, brainchild, adopt * convention, adopt * approach, adopt * policy, adopt * standard,
    adopt * plan, adopted the, foster discussion, pregnant pause, engage with, engaged tone, line be engaged,
    phone be engaged, marry up, wed to the idea, split the bill, split the file, split up the, separate file,
    separate the, separate branch, break up the, break up * text, divorce from reality, retire the, retire * server,
    retire * endpoint, quit the app, quit the program, quit vim, quit excel, fire up, fire drill, fire alarm,
    on fire, fire off, fire the, promote * build, promote to prod, promote * branch, graduate from beta, migrate,
    migrated, emigrate from, transition to the, deployed to prod, deploy to, deployed to staging, enlist the help,
    drop out of the call, drop out of the meeting, drop out of sight, propose a time, propose to move, propose that,
    propose we, propose a, convert to pdf, convert to csv, convert to json, convert to mp3, convert to png,
    convert to gif, convert to grams, sign off, resign the, terminal window, the terminal, terminal emulator,
    in terminal, transplant the, bug be terminal, cancer cell, cancer research, memory leak, blind spot, blind copy,
    deaf ears, move the meeting, move meeting, move the call, move to tuesday, move to monday, move to wednesday,
    move to thursday, move to friday, move to next week, move to settings, move to the, moved to the other,
    move the file, move the config, move on to, move * to * TASK, moved the, move forward, move it to, move over to,
    moving target, moving on, visa card, house wine, house music, new job in, cron job, batch job, job fail,
    job finish, job run, job be done, good job, great job, nice job, the job queue, print job, second job run,
    operation fail, surgery of, surgical tape, discharge, stroke width, stroke of luck, brush stroke,
    attack the problem, shot of, a shot, screenshot, married filing, heart attack burger, crash the server,
    TASK crash, app crash, come out today, come out in, come out on, come out of the oven, come out too,
    album come out, film come out, movie come out, game come out, book come out, come out fine, come out great,
    come out next, expect rain, expecting rain, expect snow, expecting a parcel, expecting a call,
    expecting a delivery, expect a delivery, funeral march, kill switch, skill, depend on, i study the menu,
    study the menu, dead leaves, ashes of, war film, jail break, arrested development, prison break, custody of the,
    separated by, separated from the, engage the, give birth to * idea, retire that, retired that, quit the,
    leave the office, leave the meeting, leave the party, wedding on tv, split over, dog food, cat food, cat litter,
    dog walker, dog hair, dog park, cat hair, dog bed, kill the feature, kill the branch, kill the, killed the,
    die off, died down, call die, call drop, job queue, the job fail, the job run, the job be stuck, nightly job,
    background job, jobs run, jobs fail, come out of retirement, house price, house prices, mortgage rate,
    mortgage rates, birth rate, death rate, death note, death star, black death, death march, deadlift,
    wedding cake, wedding dress on tv, book club, move on, move up, move down, move it, leave my umbrella,
    leave my keys, leave my phone, leave the house, leave early, leave late, leave for work, leave at, leave it,
    leave the
chatter | 0.08 | neu | small |
    ran out of milk, out of toner, out of order, out of stock, the meeting, meeting run over, meeting be,
    push the fix, push * to main, ship it, open * pr, close the ticket, code review, stand-up, conference call,
    zoom call, send the invoice, file the report, email back, wait for approval, in the queue, on hold, delayed by,
    delivery be, parcel arrive, package arrive
passing_like | 0.29 | pos | small |
    like this, love this, loving this, loving the, love that, like that, love the new, like the new, like your,
    love your, love it, like it, liked it, loved it, loved the, liked the, enjoyed the, enjoyed it, really enjoyed,
    adore this, adored the, enjoying the, enjoying this, enjoying my, love how, like how, love when, favourite part,
    favorite part, best part, favourite bit, best thing all day, best thing today, love these, like these,
    fan of this, into this
passing_hate | 0.28 | neg | small |
    hate this, hate that, hate it, hated it, hated the, hate when, hate how, hate these, hate the new, hate merge,
    hate waiting, hate queue, hate monday, hate mondays, hate traffic, hate meetings, hate TASK, sick of this,
    tired of this, over this, so over, can not stand this, can not stand the new, not enjoy the, not like the,
    not like this, not like that, do not like it, not in the mood, can not be bothered, ready for the week to end,
    not feel like
not_event | 0.14 | neu | small |
    not hungry, not tired, not thirsty, not cold, not hot, not warm, not late, not far, not sleepy, not sunny,
    have not see that, have not see, not catch the, not make it to, not get to, not have time, not have breakfast,
    no time for, nothing much, not finish the, not find the, not start yet, not sleep well, not go out, not raining,
    not snow, not busy, not answer
void | 0 | neu | void |
    feel like, would like to know, looks like rain, sign a card, look like a, name of the, call him about,
    call her about, like to know, would like, looks like, sounds like, kind of, sort of, like a, such as,
    expecting rain, expecting a parcel, be expecting rain, be expecting a, be expecting the, expecting an email,
    retire to bed, engaged in, engage with, the lead, leave the door, quit the meeting, hot dog, sea dog, cat nap,
    catnap, copy cat, guinea pig test, fish out, born ready, born tired, married filing, pass the salt, pass me,
    pass by, passing by, 无聊死了, 烦死了, 累死了, 饿死了, 困死了, 热死了, 冷死了, 气死了, 笑死了, 急死了, 吓死了,
    美死了, 开心死了, 忙死了, 吵死了, 丑死了, 羡慕死了, 后悔死了, 担心死了, 疼死了, 痒死了, 难受死了, 尴尬死了,
    高兴死了, 渴死了, 堵死了, 乐死了, 馋死了, 爱死了, 想死你
"""
