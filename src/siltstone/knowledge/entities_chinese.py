"""Entities in Chinese text: names of persons by surname and neighbours, places, makers, parts of systems, tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from siltstone.knowledge import lexicon_chinese as words
from siltstone.knowledge.mentions import Mention
from siltstone.knowledge.names import ORGANIZATION, PERSON, PLACE, PRODUCT, TASK

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_ANY_HAN = re.compile(f"[{_HAN}]")
_SURNAME = f"(?:{'|'.join(words.DOUBLE)}|[{''.join(sorted(words.SURNAMES))}])"
_PERSON = re.compile(rf"{_SURNAME}[{_HAN}]{{1,2}}")
_BEFORE = re.compile(rf"(?:{words.BEFORE})$")
_AFTER = re.compile(rf"(?:{words.AFTER})")
_NICK = re.compile(
    rf"[小老阿大][{''.join(sorted(words.SURNAMES))}明红紅强強军軍丽麗芳伟偉刚剛华華敏静靜娟兰蘭云雲美玲虎宝寶东東](?![{_HAN}]?(?:时|時|学|學))"
)
_PLACE = re.compile("|".join(sorted(map(re.escape, words.PLACES), key=len, reverse=True)))
_SITED = re.compile(rf"(?<![{_HAN}])[{_HAN}]{{2,4}}(?:市|省|县|縣|镇|鎮|村|岛|島|路|街)(?![{_HAN}]*(?:场|場|长|長))")
_MAKER = re.compile("|".join(sorted(map(re.escape, words.MAKERS), key=len, reverse=True)))
_PRODUCT = re.compile("|".join(sorted(map(re.escape, words.PRODUCTS), key=len, reverse=True)))
_ORGANIZED = re.compile(rf"[{_HAN}]{{1,12}}?(?:{words.ORGANIZED})")
_ONLY_FORM = re.compile(words.ORGANIZED)
_PART = re.compile(rf"[{_HAN}]{{1,8}}?(?:{words.COMPONENTS}|{words.EVENTS})")
_TASK = re.compile(
    r"(?:任务|任務|待办|待辦|工单|工單|需求)(?:叫|是|：|:)?[“「『\"](?P<name>[^”」』\"\n]{2,40})[”」』\"]|(?:任务|任務)[：:]?\s*(?P<bare>[^\s，。,“「\"]{2,30})"
)
_EDGE = re.compile(
    "在|于|於|到|去|从|從|向|给|給|和|与|與|跟|对|對|把|被|让|讓|由|是|的|了|来自|來自|住在|搬到|加入|离开|離開|毕业于|畢業於|就读于|负责|負責|依赖|依賴|需要|使用|用|修复|修復|创建|創建|完成"
    "|导致|導致|引发|引發|收购|收購|创办|創辦|创立|成立|一家|这家|這家|那家|这个|這個|那个|那個|我们|我們|他们|她们|我|你|他|她|也|都|就|还|還|一个|一個|今天|昨天|明天|上周|去年|叫|做"
)


def find(text: str) -> Iterator[Mention]:
    """The mentions in the Chinese parts of a text, the surest kinds first."""
    if _ANY_HAN.search(text) is None:
        return
    taken: list[Mention] = []
    for kind, finder in _FINDERS:
        for name, start in finder(text):
            end = start + len(name)
            if not any(start < other.end and other.start < end for other in taken):
                taken.append(Mention(type=kind, name=name, start=start, end=end))
    yield from taken


def _tasks(text: str) -> Iterator[tuple[str, int]]:
    for match in _TASK.finditer(text):
        group = "name" if match["name"] else "bare"
        yield match[group], match.start(group)


def _organizations(text: str) -> Iterator[tuple[str, int]]:
    for match in _ORGANIZED.finditer(text):
        for name, start in _trimmed(match[0], match.start(), least=3):
            if _ONLY_FORM.fullmatch(name) is None:
                yield name, start


def _parts(text: str) -> Iterator[tuple[str, int]]:
    for match in _PART.finditer(text):
        yield from _trimmed(match[0], match.start(), least=3)


def _makers(text: str) -> Iterator[tuple[str, int]]:
    return ((match[0], match.start()) for match in _MAKER.finditer(text))


def _products(text: str) -> Iterator[tuple[str, int]]:
    return ((match[0], match.start()) for match in _PRODUCT.finditer(text))


def _places(text: str) -> Iterator[tuple[str, int]]:
    yield from ((match[0], match.start()) for match in _PLACE.finditer(text))
    for match in _SITED.finditer(text):
        yield from _trimmed(match[0], match.start(), least=3)


def _persons(text: str) -> Iterator[tuple[str, int]]:
    """Surname and one or two characters, where what stands around it lets a name begin and end; else a nickname."""
    place = 0
    while (match := _PERSON.search(text, place)) is not None:
        place = match.start() + 1
        if _BEFORE.search(text[max(0, match.start() - 4) : match.start()]) is None:
            continue
        for length in (len(match[0]), len(match[0]) - 1):
            name = match[0][:length]
            rest = text[match.start() + length : match.start() + length + 4]
            if length >= 2 and name[:2] not in words.NEVER and name not in words.NEVER and _ends(name, rest):
                yield name, match.start()
                place = match.start() + length
                break
    yield from ((match[0], match.start()) for match in _NICK.finditer(text))


def _ends(name: str, rest: str) -> bool:
    """Whether a name may end before `rest`, and holds no word that would."""
    return _AFTER.match(rest) is not None and not (len(name) == 3 and _VERB_LAST.match(name[-1]))


_VERB_LAST = re.compile(
    "[在是住去来來说說和与與跟的了负負创創喜爱愛搬离離也用买買叫要想把被给給让讓不没沒很有做当當加辞辭]"
)


def _trimmed(run: str, start: int, least: int) -> Iterator[tuple[str, int]]:
    """A run of characters without what stands before the name in it: after the last particle or verb."""
    cut = 0
    for match in _EDGE.finditer(run):
        if len(run) - match.end() >= least:
            cut = match.end()
    if len(run) - cut >= least:
        yield run[cut:], start + cut


_FINDERS = (
    (TASK, _tasks),
    (ORGANIZATION, _organizations),
    (ORGANIZATION, _makers),
    (PRODUCT, _products),
    ("component", _parts),
    (PLACE, _places),
    (PERSON, _persons),
)
