"""The words that `text.emotion` counts: degree, feeling, negation. Own lists, English and Chinese."""

from __future__ import annotations

DEGREES = frozenset(
    """
    absolutely amazingly awfully badly completely deeply desperately dreadfully enormously entirely exceedingly
    extremely fiercely fucking genuinely greatly hugely immensely incredibly insanely intensely madly massively never
    overwhelmingly painfully passionately profoundly really ridiculously seriously so strongly super terribly
    thoroughly totally truly unbelievably utterly very wildly
    """.split()
)
CHINESE_DEGREES = frozenset(
    """
    非常 特别 特別 极其 極其 极度 十分 超级 超級 真的很 真是太 简直 簡直 实在太 實在太 好想 太棒 太好 太糟 太难 太難 太爱 最爱 最討厭
    最讨厌 无比 無比 绝对 絕對 完全 彻底 徹底 根本 从来没 從來沒 死了 透了 极了 極了 疯了 瘋了 受不了 好累 好烦 好煩 好开心 好難過
    好难过
    """.split()
)
POSITIVE = frozenset(
    """
    adore adored amazing awesome beautiful best blessed brilliant celebrate celebrated cheerful delicious delight
    delighted delightful ecstatic enjoy enjoyed enjoying enjoys excellent excited exciting fabulous fantastic fun glad
    good grateful great happier happiest happily happy hooray hopeful hurray joy joyful like liked likes love loved
    lovely loves loving nice overjoyed perfect pleased pleasure proud relieved satisfied smile smiled success superb
    terrific thank thankful thanks thrilled triumph win wins won wonderful yay yummy
    """.split()
)
NEGATIVE = frozenset(
    """
    afraid agony alone angry annoyed annoying anxious anxiety ashamed awful bad bored boring broken cried cry crying
    depressed depressing despair desperate devastated devastating disappointed disappointing disaster disgusted
    disgusting dread dreadful embarrassed exhausted fail failed failing failure fear feared frightened frustrated
    frustrating furious grief guilty hate hated hates heartbroken helpless hopeless horrible hurt hurts jealous lonely
    lost mad miserable mourning nightmare painful panic panicked regret regretted sad sadly scared shame sick sorrow
    stressed stressful suffer suffered terrible terrified tired tragic ugly unhappy upset useless worried worry worse
    worst
    """.split()
)
NEGATIONS = frozenset(
    "not no never nor neither without hardly barely cannot cant wont dont doesnt isnt stop stopped".split()
)
CHINESE_POSITIVE = frozenset(
    """
    喜欢 喜歡 热爱 熱愛 开心 開心 高兴 高興 快乐 快樂 幸福 满意 滿意 感谢 感謝 感激 感动 感動 激动 激動 兴奋 興奮 自豪 骄傲 驕傲 惊喜
    驚喜 太棒 真棒 很棒 不错 不錯 完美 优秀 優秀 美好 期待 享受 放心 欣慰 成功 顺利 順利 好吃 好看 好玩 爱上 愛上 最爱 最愛
    """.split()
)
CHINESE_NEGATIVE = frozenset(
    """
    讨厌 討厭 难过 難過 伤心 傷心 痛苦 生气 生氣 愤怒 憤怒 失望 绝望 絕望 害怕 恐惧 恐懼 担心 擔心 焦虑 焦慮 烦躁 煩躁 郁闷 鬱悶
    抑郁 抑鬱 沮丧 沮喪 孤独 孤獨 寂寞 无聊 無聊 糟糕 可怕 恶心 噁心 后悔 後悔 内疚 內疚 崩溃 崩潰 失败 失敗 难受 難受 委屈 心碎 累死
    烦死 煩死 气死 氣死 哭了 痛恨 厌恶 厭惡
    """.split()
)
CHINESE_NEGATIONS = ("不", "没", "沒", "别", "別", "勿", "无", "無", "未")
SHOUTED = frozenset(
    word.upper()
    for word in {*DEGREES, *POSITIVE, *NEGATIVE, *"not no never always stop please now why what yes all every".split()}
    if len(word) > 2
)
