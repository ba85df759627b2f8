"""Words that the entailment rules know: what negates, what is the opposite of what, what holds one value at a time.

English words are listed as they are written and compared by their stems. Chinese words are looked up as they stand.
"""

from __future__ import annotations

NEGATIONS = frozenset(
    """
    not no never none nobody nothing neither nor without cannot hardly barely lack lacks lacking lacked
    quit quits quitting stop stops stopped stopping cease ceased cancel cancels cancelled canceled drop dropped
    avoid avoids avoided refuse refuses refused fail fails failed lost ditched abandoned former formerly
    不再 没有 不会 不能 不是 不 没 未 无 非 别 勿 戒掉 戒了 戒 停止 放弃 取消 拒绝 避免 从不 从未
    """.split()
)
"""A content word after one of these in the same clause is denied."""

PHRASES = {
    "not only": "",
    "not just": "",
    "not to mention": "",
    "no doubt": "",
    "no problem": "",
    "why not": "",
    "never mind": "",
    "not long ago": "recently",
    "can not wait": "want",
    "can not stop": "always",
    "can not help": "always",
    "could not be happier": "happy",
    "no longer": "not",
    "not anymore": "not",
    "gave up": "quit",
    "given up": "quit",
    "give up": "quit",
    "gives up": "quit",
    "giving up": "quit",
    "got rid of": "quit",
    "used to": "formerly",
    "switched from": "quit",
    "switching from": "quit",
    "migrated from": "quit",
    "changed from": "quit",
    "moved away from": "quit",
    "moved from": "quit",
    "broke up with": "quit",
    "allergic to": "allergic",
}
"""Phrases read as something else than their words say."""

HARMLESS = (
    "不错 不仅 不但 不过 不管 不论 不得不 不知不觉 对不起 差不多 不久 不一会儿 不好意思 没错 没关系 没问题 非常 "
    "特别 别人 区别 级别 别墅 性别 分别 个别 无论 无聊 未来 南非 非洲 除非 是非"
).split()
"""Chinese words that hold a negating character and negate nothing."""

ENGLISH_OPPOSITES = """
    bought sold, won lost, came left, like dislike, like hate,
    love hate, love dislike, enjoy hate, enjoy dislike, adore hate, want refuse,
    prefer avoid, start end, begin end, begin finish, open close, win lose, buy sell, accept reject, accept refuse,
    agree disagree, allow forbid, arrive leave, join leave, hire fire, hired fired, remember forget, pass fail,
    succeed fail, increase decrease, rise fall, gain lose, marry divorce, married divorced, married single,
    engaged single, employed unemployed, happy sad, happy unhappy, glad sad, healthy sick, healthy ill, well ill,
    alive dead, rich poor, cheap expensive, easy hard, easy difficult, good bad, best worst, better worse, hot cold,
    early late, always never, everyone nobody, everything nothing, true false, right wrong, safe dangerous, full empty,
    light dark, loud quiet, fast slow, strong weak, on off, in out, up down, enabled disabled, enable disable,
    public private, online offline, vegetarian meat, vegan meat, vegan dairy, vegetarian carnivore, indoor outdoor,
    inside outside, introvert extrovert, optimist pessimist, sweet bitter, tall short, young old, first last,
    morning evening, day night, winter summer, possible impossible, legal illegal, able unable, aware unaware,
    comfortable uncomfortable, certain uncertain, confident nervous, calm anxious, trust distrust, support oppose
"""
CHINESE_OPPOSITES = """
    喜欢 讨厌, 喜爱 厌恶, 爱 恨, 喜欢 反感, 开心 难过, 高兴 伤心, 快乐 痛苦, 支持 反对, 同意 反对, 接受 拒绝, 成功 失败,
    买 卖, 赢 输, 记得 忘记, 便宜 贵, 健康 生病, 单身 结婚, 单身 已婚,
    结婚 离婚, 已婚 离婚, 入职 离职, 上班 失业, 录用 解雇,
    升职 降职, 开始 结束, 增加 减少, 上涨 下跌, 胖 瘦, 冷 热, 早起 晚起, 早睡 熬夜, 吃素 吃肉, 素食 吃肉, 内向 外向,
    乐观 悲观, 公开 私密, 打开 关闭, 到达 离开, 加入 退出, 容易 困难, 安全 危险, 活着 去世,
    相信 怀疑, 总是 从不, 通过 落选
"""
SINGLE_VALUED = frozenset(
    """
    name surname nickname birthday age address email phone number password job employer boss manager wife husband
    partner spouse girlfriend boyfriend fiance hometown school university major editor deadline budget timezone
    nationality religion height weight salary rent title role team capital default
    名字 姓名 生日 年龄 地址 邮箱 电话 密码 工作 职业 老板 妻子 丈夫 老婆 老公 女朋友 男朋友
    家乡 老家 学校 大学 专业 编辑器
    截止日期 预算 国籍 信仰 身高 体重 工资 房租 职位 团队 城市
    """.split()
)
"""What a person or thing has one of at a time, so that another value replaces it."""

NUMBER_WORDS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve 两".split(),
        "0 1 2 3 4 5 6 7 8 9 10 11 12 2".split(),
        strict=True,
    )
) | dict(zip("一二三四五六七八九", "123456789", strict=True))

FUNCTION_WORDS = frozenset(
    """
    a an the this that these those i me my mine we us our you your he him his she her they them their it its who whom
    am is are was were be been being do does did have has had having will would can could should shall may might must
    to of in on at by for with from as into about than then so and or but if because while when where what which how
    just very really quite too also still now again already yet finally recently currently today yesterday tomorrow
    there here some any all both each every more most much many lot lots got get gets getting s d ll ve re m
    anymore since ago always usually often sometimes
    """.split()
)
FUNCTION_CHARACTERS = frozenset(
    "的了是我你他她它们在有和就都很也吗呢吧啊着过把被给让得地这那个些之与及而且还又再才只已经刚"
)


def pairs_of(table: str) -> list[tuple[str, str]]:
    """The pairs of a table above."""
    return [(first, second) for first, second in (item.split() for item in table.split(","))]
