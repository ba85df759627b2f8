"""Words and phrases that voice a feeling or a judgement, English and Chinese. Own list, from everyday speech.

Written as `text.lexicon` reads them, separated by commas. STRONG ones outweigh plain ones when both signs occur. Words
that only name an event (to marry, to die) are not here: what an event weighs is told by `formation.rubric`.
"""

from __future__ import annotations

POSITIVE = """
    goosebumps, means everything, mean everything, mean the world, means the world, more than anything, important to me, matter most, fun at, hit the spot, moreish, buttery, mouthwatering, crispy, juicy, fluffy, catchy, uplifting, a joy, charm, warmth, clever, witty, wise, patient, thoughtful,
    loyal, brave, honest with me, generosity, sweetest, kindest, prettiest, perked up, cheered me, cheer me, encouraging, encouraged, tickled, stoked, pumped, buzzing, chuffed, giddy, cracking, belter, ace, stellar, solid, delightful, dreamy, blissful, serene, tranquil,
    比什么都重要, 最重要, 很重要, 起鸡皮疙瘩, 好消息, 开心果, 暖, 好暖, 嫩, 脆, 软糯, 鲜美, 回味, 上头, 得劲, 舒心, 省心, 贴心, 靠得住, 热心, 孝顺, 懂事, 聪明, 能干, 争气, 出息, 有爱, 超棒, 超好, 好棒, 超开心, 好开心, 好喜欢, 好幸福, 好爱, 有趣, 好笑, 逗, 解压, 放松, 清爽, 凉快, 暖和, 好闻, 好香,
    good, great, nice, lovely, wonderful, amazing, awesome, brilliant, excellent, fantastic, superb, perfect, beautiful, gorgeous,
    delicious, tasty, yum, yummy, happy, glad, pleased, cheerful, joyful, joy, delighted, delight, thrilled, excited, exciting, ecstatic,
    overjoyed, proud, grateful, thankful, blessed, lucky, relieved, relief, calm, peaceful, relaxed, relaxing, cosy, cozy,
    comfortable, comfy, content, satisfied, hopeful, optimistic, confident, fun, funny, hilarious, cute, adorable, sweet, charming,
    elegant, stunning, impressive, inspiring, refreshing, soothing, smooth, fresh, crisp, bright, warm, kind, generous, friendly,
    helpful, decent, fine, okay, ok, cool, neat, sick of nothing, enjoy, like, love, adore, cherish, treasure, appreciate, admire, fancy,
    fond of, keen on, into it, big fan, huge fan, fan of, look forward, looking forward, can not wait, could not be happier,
    makes my day, made my day, on cloud nine, over the moon, best day, best, better, favourite, favorite, win, winner, worth it,
    well worth, so well, went well, go well, do well, passed, succeed, success, successful, celebrate, congratulation, hooray, yay, woohoo, yes yes,
    heaven, bliss, gem, treat, paradise, magic, magical, dream come true, finally free, weight off, at peace, at last, cheers,
    healthy, recovered, recover, cured, healed, improve, improved, improving, blossom, thrive, flourish, rewarding, meaningful,
    pleasant, pleasure, smile, laugh, laughed, giggle, hug, cuddle, cuddly, trust, safe, spotless, nails it, spot on, top notch,
    charmed, touched, moved to tears, heartwarming, cosiest, loving, crush, in love, sunny, gentle, quick and easy, promising, nailed,
    rock, rocks, slaps, banger, lit, goated, dope, legend, a saint, genius, gifted, talented, interesting, fascinating, engaging,
    do not regret, never regret, do not hate, not bad, not half bad, not too bad, no complaints, can not complain, not terrible, not awful,
    can not get enough, can not stop smiling, nothing beats, hard to beat, unbeatable, you can not beat, worth every,
    passion, passionate, obsessed, hooked, addicted to running, devoted, soul mate, soulmate, dream job, dream home, miracle, rainbow,
    good choice, good taste, well done, good news, great news, no regret, getting into, get into, warming to, growing on me, grown on me,
    小确幸, 开心, 高兴, 快乐, 幸福, 喜欢, 喜爱, 爱, 热爱, 超爱, 最爱, 爱上, 迷上, 着迷, 上瘾, 痴迷, 欣赏, 享受, 期待, 盼着, 激动, 兴奋, 惊喜, 欣慰, 骄傲, 自豪,
    满意, 满足, 知足, 感激, 感恩, 感谢, 感动, 温暖, 温馨, 舒服, 舒坦, 惬意, 安心, 放心, 踏实, 轻松, 松了一口气, 松了口气, 解脱, 治愈, 好吃, 好喝, 好看,
    好听, 好玩, 好用, 好闻, 好美, 真美, 太美, 漂亮, 美丽, 可爱, 帅, 棒, 真棒, 太棒了, 厉害, 牛, 给力, 完美, 优秀, 精彩, 不错, 挺好, 真好, 太好了, 很好,
    还不错, 还行, 还可以, 香, 真香, 鲜, 甜, 爽, 过瘾, 赞, 绝了, 神了, 值得, 值了, 幸运, 顺利, 成功, 赢了, 喜事, 喜讯, 好消息, 庆祝, 恭喜, 有意思, 有趣, 搞笑, 笑死,
    乐, 乐观, 自在, 自由, 美滋滋, 美好, 暖心, 贴心, 体贴, 善良, 靠谱, 划算, 便宜, 干净, 方便, 采光好, 效率真高, 进步, 康复, 痊愈, 治好, 好转, 平安, 健康,
    信任, 舍不得离开, 心动, 甜蜜, 浪漫, 宝贝, 宝藏, 不难吃, 不难, 不差, 不后悔, 不讨厌, 不坏, 没白, 有成就感, 成就感, 眼前一亮, 痛快, 过得去, 好极了, 好得很, 粉丝,
    nice, happy, 开心死, 乐死, 爱死, 终于, 总算, 圆满, 如愿, 梦想成真, 中奖, 惊艳, 耐看, 耐用, 入迷, 沉迷, 想念得甜, 亲切
"""

NEGATIVE = """
    late, be late, be stolen, stolen, theft, ow, ouch, stub, bruise, hate my, creepy, weird, strange, odd, off, gross out, sceptical, doubtful, unhelpful, snap at, snapped, cut off, shaky, sweaty, itch, hoarse, blister, sunburn, flaky, buggy, broken again,
    stain, torn, ripped, cracked, smash, shatter, spilled, spill, dropped my, ruined my, cancelled, canceled, locked out, lost my, missing, out of toner, out of milk, sold out, closed early, wrong order, undercooked, overcooked, lumpy, tasteless, watery,
    苦, 有点苦, 生我气, 生气, 扣工资, 被扣, 罚款, 被罚, 摔了, 撞了, 磕了, 破了, 裂了, 碎了, 脏了, 湿了, 洒了, 没抢到, 没买到票, 没票, 排队太长, 太长了, 晚了, 误点, 迟了, 断网, 没网, 停电, 停水, 加班, 被偷, 被抢, 偷了, 差, 有点失望, 吃撑, 撑死, 腰酸, 背痛, 嗓子疼, 鼻塞, 过期了,
    denied, deny, refuse me, refused, forgot, forget, postponed, overran, ran over, run over, is down, be down, went down, outage, out of order, not available, ended badly, stood me up, bounced, expired, 推迟, 取消, 忘了, 过期, 拒签, 被拒, 拒绝, 没电,
    bad, awful, terrible, horrible, dreadful, lousy, crap, crappy, rubbish, garbage, trash, poor, worst, worse, disgusting, gross, nasty,
    ugly, vile, sad, unhappy, upset, miserable, depressed, depressing, depression, gloomy, down about, heartbroken, heartbreaking, devastated,
    devastating, gutted, crushed, shattered, broken, brokenhearted, grieve, grief, mourn, lonely, alone in, homesick, hopeless, helpless, worthless,
    useless, guilty, guilt, ashamed, shame, embarrassed, embarrassing, humiliated, humiliating, jealous, resent, resentful, bitter, angry, mad at,
    furious, livid, irritated, irritating, annoyed, annoying, annoy, frustrated, frustrating, frustration, fed up, sick of, sick to, tired of, tired, exhausted,
    exhausting, drained, draining, burnt out, burned out, burnout, knackered, shattering, wiped out, stressed, stressful, stress, overwhelmed,
    anxious, anxiety, worried, worry, nervous, scared, afraid, terrified, frightened, fear, dread, panic, paranoid, insecure, unsure about myself,
    bored, boring, dull, tedious, meh, bland, mediocre, average, disappointed, disappointing, disappointment, letdown, let down, underwhelming,
    hate, dislike, detest, loathe, despise, can not stand, can not bear, can not abide, can not take, hard to stomach, can not cope, not for me, not my thing,
    not my cup, not a fan, not keen, not into, not fond, no fan of, not a person, no good, not good, not great, not happy, over this, so over, do not care for,
    do not much care for, put off, creeps me, gives me the creeps, cringe, painful, pain, ache, hurt, headache, migraine, sore, sick, ill,
    nauseous, dizzy, fever, cough, cramp, swollen, itchy, rude, mean to, cruel, unfair, unkind, selfish, arrogant, toxic, abusive, abuse, bully,
    ignore, ignored, reject, rejected, abandoned, betray, betrayed, cheated, lied to, insult, insulted, stung, scream, screamed, yell,
    yelled, shout at, shouted, cry, cried, sob, tears, weep, regret, miss, missed, mistake, fail, failed, failure, flop, lose, lost, ruin, ruined, wreck,
    waste, wasted, spoil, mess, messy, chaos, nightmare, hell, disaster, tragedy, tragic, crisis, trouble, problem, struggle, struggling, suffer, suffering,
    difficult, hard on, too hard, hard to swallow, harsh, ugh, argh, sigh, damn, damned, bloody, stupid, idiot, idiotic, dumb, ridiculous, absurd,
    pointless, late again, delay, delayed, stuck, crowded, packed, noisy, loud, smelly, stink, stinks, dirty, filthy, leak, leaking, broke down, break down,
    not work, does not work, freezing, soaked, drenched, soggy, salty, too salty, oversalted, burned the, burnt the, burned it, burnt, stale, overpriced, rip off,
    too expensive, expensive, slow, clumsy, awkward, uncomfortable, uneasy, unfortunately, sadly, alas, sorry to, too much, too many,
    lazy, ran out, run out, cold and, no luck, unlucky, threatened, unsafe, danger, dangerous, hopelessly, horrid, hungover, insomnia, can not sleep, barely slept,
    overworked, underpaid, crashed, crash again, down again, red again, ate my, dying of, drive me crazy, driving me mad, drive me mad, drive me up, gets on my nerves, do my head in,
    hungry for nothing, ripped off, robbed, never again, killing me, torture, torment, empty, emptier, hollow, numb, panicked, shaken, haunted, trauma,
    enemy, fight with, argued, row with, quarrel, argument, fallen out, fell out with, estranged, dead to me, scam, con, fraud, cranky, grumpy, moody,
    too hot, too cold, too loud, too long, too early, too small, too sweet, too spicy, sucks, suck, lame, bummer, unbearable, insufferable, hellish, chore, drag, slog,
    allergic, allergy, intolerant, deaf to, addicted, relapse,
    难过, 伤心, 悲伤, 悲痛, 痛苦, 心痛, 心疼, 心碎, 难受, 郁闷, 抑郁, 压抑, 低落, 失落, 沮丧, 绝望, 崩溃, 快崩溃, 孤独, 孤单, 寂寞, 想家, 委屈, 心酸, 遗憾, 后悔, 内疚, 愧疚, 惭愧,
    羞愧, 丢脸, 丢人, 尴尬, 嫉妒, 生气, 愤怒, 气死, 气人, 恼火, 火大, 恼人, 烦, 好烦, 烦死, 烦人, 烦躁, 心烦, 讨厌, 厌恶, 反感, 恨, 受不了, 忍不了, 受够了, 腻了, 嫌, 嫌弃,
    不爱, 不喜欢, 不开心, 不高兴, 不舒服, 不满意, 不满, 不好, 不爽, 不行, 不好吃, 不好看, 不好玩, 不好喝, 不好听, 不好用, 不怎么样, 不怎么喜欢, 不太爱, 不太喜欢, 不太行, 不值, 不顺, 不敢, 不放心, 不公平,
    无聊, 没劲, 没意思, 没趣, 失望, 糟糕, 糟, 差劲, 太差, 好差, 很差, 真差, 垃圾, 烂, 太烂, 恶心, 难吃, 难喝, 难看, 难听, 难用, 难闻, 难, 太难, 好难, 臭, 脏, 吵, 吵死, 太吵, 很吵, 挤, 太挤, 堵, 堵车,
    堵死, 贵, 太贵, 好贵, 坑, 坑人, 被坑, 被骗, 骗子, 倒霉, 不幸, 糟心, 焦虑, 紧张, 担心, 害怕, 怕, 恐惧, 恐慌, 慌, 压力, 压力大, 累, 好累, 太累, 累死, 疲惫, 疲倦, 困死, 好困, 更困, 头疼, 头痛, 胃疼, 肚子疼,
    牙疼, 腰疼, 疼, 痛, 感冒, 发烧, 咳嗽, 生病, 失眠, 睡不着, 没睡好, 伤人, 被骂, 挨骂, 骂我, 吵架, 打架, 冷战, 闹翻, 翻脸, 背叛, 欺骗, 出轨, 欺负, 霸凌, 歧视, 冷落, 失败, 输了, 搞砸, 砸了, 亏了, 赔了, 丢了, 弄丢,
    坏了, 又坏, 漏了, 又漏, 崩了, 又崩, 挂了, 卡死, 太卡, 迟到, 晚点, 延误, 推迟又, 没赶上, 错过, 白跑, 白费, 浪费, 忘带, 涨了, 又涨, 裁员, 哭, 哭了, 哭死, 泪, 流泪, 无语, 醉了, 服了, 吐了, 要命, 要死, 麻烦, 困难, 可怜,
    可惜, 惨, 太惨, 狼狈, 憋屈, 别扭, 膈应, 窝火, 窒息, 心累, 心塞, 扎心, 破防, emo, 内耗, 咸了, 有点咸, 太咸, 太甜, 太辣, 太油, 太冷, 太热, 冷死, 热死, 冻死, 人太多, 太多了, 太远, 离家远, 太慢, 慢死, 太贵了,
    不信任, 瞧不起, 看不惯, 看不起, 伤透, 过敏, 痛恨, 可恶, 差评, 劝退, 踩雷, 后怕, 心慌, 憔悴, 煎熬, 折磨, 噩梦, 想死, 活不下去, 不想活, 喘不过气, 心寒, 打呼噜, 没信号, 坐过站, 淋湿, 淋雨, 落枕, 抽筋, 扭到
"""

NEGATION = """
    not, no, never, without, hardly, barely, neither, nor, nobody, nothing, none, lack,
    不, 没, 没有, 没那么, 不是, 不太, 不怎么, 不再, 从不, 从来不, 从没, 别, 无, 非, 未, 不算, 不大, 毫不
"""

HARMLESS = """
    best friend, best man, pass away, passed away, pass on, passed on, pass out, miss the bus stop sign, good morning, good night, good evening, good afternoon, fine arts, no doubt, not only, not just, why not,
    like to know, would like, i would like, look like, looks like, feel like, sound like, seem like, like a, like an, like this, like that, like the one,
    bright red, kind of, sort of, cool down, warm up, pretty much, well known, a good deal, a good while, for good, lost and found, with love, love from,
    hard disk, hard drive, hard copy, hard of hearing, hard to say, hard to tell, hard boiled, sweet potato, sweetcorn, sick leave, fine print, smooth muscle,
    fresh start, miss you card, miss universe, good bye, ok so, okay so, well then, no idea, or not, whether or not, no longer, not anymore,
    not long ago, not yet, no one knows, problem set, mad about, hot dog, cold brew, dead end, dull grey, so called, better half, had better, slow cooker,
    pain au chocolat, blood test, stress test, smoke test, fail safe, hungry, bitter lemon, sour cream, burnt sienna, crash course, break even, lost property,
    怕是, 恐怕, 爱尔兰, 爱人, 爱情, 可爱多, 好像, 好久, 好几, 好多, 好不容易, 只好, 正好, 刚好, 最好是, 你好, 您好, 好的, 好吧, 好了, 不好意思, 不过, 不仅, 不但, 不管, 不论, 不然, 不得不, 不知道,
    不确定, 不久, 差不多, 差点, 出差, 没准, 没准儿, 没问题, 没关系, 没事, 没错, 难道, 难怪, 牛奶, 牛肉, 牛排, 蜗牛, 公牛, 水牛, 牛仔, 香港, 香菜, 香水, 香蕉, 香菇, 香烟, 五香, 海鲜, 鲜花, 新鲜事, 甜点, 甜品, 苦瓜, 乐器, 音乐, 乐队, 乐园, 俱乐部,
    爽约, 烦请, 麻烦你, 麻烦您, 麻烦帮, 请问, 贵州, 贵阳, 贵姓, 乳糖不耐受, 感情, 高兴趣, 交通堵, 难民, 痛风, 头疼药, 止痛, 止疼, 糟粕, 挤牙膏, 烂尾楼, 恨不得, 非常, 除非, 非洲, 无所谓, 无论, 未来, 未必, 别人, 区别, 特别, 级别,
    性别, 别墅, 告别, 爱好, 抗抑郁, 帮我, 紧急, 困在, 帅哥
"""
