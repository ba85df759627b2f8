"""Words that carry grammar rather than content. Own lists: kept out of the index, dropped from queries."""

from __future__ import annotations

# Kept short on purpose: a longer list (some, just, there, all …) lowered recall by a point; see docs/decisions/0005.
ENGLISH = frozenset(
    """
    a an the this that these those
    i me my you your he him his she her it its we us our they them their
    is are was were be been being do does did have has had
    can could will would should
    and or but so if then than
    of to in on at by for from with into about as
    very too
    """.split()
)
QUESTION = frozenset("what when where which who whom whose why how".split())
FUNCTION = ENGLISH | QUESTION
# Written so, they are more often a person or a month than a verb.
NAMES = frozenset({"Will", "May"})
# Dropped from questions only: in a stored text they may be what it says.
ASKING = frozenset("tell please".split())

# Function words of two characters and more, cut out of a question as a whole.
CHINESE_WORDS = frozenset(
    """
    什么 什麼 什么时候 什麼時候 甚么 怎么 怎麼 怎么样 怎麼樣 怎样 为什么 為什麼 为何 如何 哪里 哪裡 哪儿 哪些 哪个 哪個 哪位 哪天
    哪年 谁的 誰的 多少 多久 几个 幾個 几次 是不是 有没有 有沒有 是否 能不能 可不可以 会不会 要不要 请问 請問 告诉我 告訴我 我们 我們
    你们 你們 他们 他們 她们 她們 它们 这个 這個 那个 那個 这些 這些 那些 一个 一個 一些 以及 或者 还是 還是 因为 因為 所以 但是
    如果 已经 已經 曾经 曾經 关于 關於
    """.split()
)
# Characters whose one-character term says nothing; words that contain them are found by their pairs.
CHINESE_CHARS = frozenset(
    "的了是在和与與及或也都就还還而又很吗嗎呢吧啊呀哦嘛么麼之其这這那哪谁誰我你您他她它们們个個把被给給对對从從到于於"
)
KANA = frozenset("のはがをにへとでもかねよやてたれさしすなるいうまっ")
HANGUL = frozenset("은는이가을를의에도와과로")
CJK_CHARS = CHINESE_CHARS | KANA | HANGUL
