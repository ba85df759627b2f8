"""Words that most topics share: what two statements have in common by such a word says little.

They are no function words (those give no index term at all): verbs, times, measures and qualities of everyday talk.
"""

from __future__ import annotations

import functools

from siltstone.text.tokens import terms

COMMON_WORDS = """
    able about add added afternoon again ago almost alone already also always another anyone anything apart
    april around ask asked asks august autumn away back bad became become began begin begun believe best better
    big bit black blue bottom bought break bring brings broke broken brought brown buy call called calls came
    can't carries carry case certain certainly change changed changes close closed cold come comes coming common
    cost costing costs cut dark day days december didn't different dollars don't down dozen drink drinks each
    early easy eat eats eight eleven else end enough euros even evening ever every everyone everything eye face
    fact fall far february feel feeling feels fell felt few finally find finds fine finish finished first five
    forget forgot found four free friday front full gave get gets getting give given gives glad go goes going
    gone good got great green grey group half hand happen happened happy hard hardly hate hates head hear heard
    heavy held help helps hers herself high himself his hold hot hour hours huge hundred i'd i'm i've inside
    instead isn't it's january july june just keep keeping keeps kept kind knew know known knows large last late
    later learn learns least leave leaves left less let lets light like liked likes line little live lived lives
    long look looked looking looks lose loses lost lot lots love loved lovely loves low made main make makes
    making man many march may maybe me mean means meet meets middle mine minute minutes monday month months more
    morning most much my myself name named need needed needs never new next nice night nine noon nothing
    november now number october off often old once one only open opens other our ours out outside over own paid
    part pay pays people person place play plays point possible pounds probably problem put puts question quick
    quite rather read reads ready real really red remember right room run running runs said same saturday saw
    say says second see seem seems seen sees sell send sent september set seven several short show shows side
    since sit sits six sleep sleeps slow small sold somebody someone something sometimes soon sort special spend
    spent spring stand start started starting starts stay stayed stays still stop stopped stopping stops strong
    stuff summer sunday sure take taken takes taking talk talks tell tells ten that's theirs then thing things
    think thinks third thought thousand three through thursday time times tiny today together told tomorrow
    tonight too took top tried tries true try trying tuesday turn turned turns twelve twice two understand until
    up us use used uses using usually very visit visits wait waits walk walks want wanted wants watch watches
    way we weak wednesday week weekend weeks well went white whole win winter within without woman won won't
    work worked working works write writes wrong year years yellow yesterday yet young yours yourself 今天 昨天 明天
    现在 以前 以后 每天 天天 早上 晚上 上午 下午 中午 周末 今年 去年 明年 最近 一直 一个 一次 一下
    一点 第一 两次 这个 那个 什么 怎么 时候 时间 觉得 喜欢 开始 已经 还是 终于 总是 经常
    有点 知道 没有 可以 不会 不想 不能 自己 大家 别人 东西 事情 地方 新的 好的 还有 因为 所以 但是
    如果 一起 出去 回来 回家 起来 过来 出来 进去 下来 打算 准备 需要 应该 可能 非常 特别
    比较 真的
"""


@functools.lru_cache(maxsize=1)
def common_terms() -> frozenset[str]:
    """The index terms of these words."""
    return frozenset(term for word in COMMON_WORDS.split() for term in terms(word))
