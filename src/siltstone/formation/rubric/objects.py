"""The objects that a statement may be about, as one lexicon."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from siltstone.formation.rubric import (
    classes,
    objects_chinese,
    objects_english,
    objects_english_traits,
    objects_small,
)
from siltstone.text.lexicon import Hit, Lexicon, Token

SKIPPED = """
    a an the my our your his her their this just finally really so very actually officially already now recently still been be is am are was were have has had
    got get gotten do did quite too both all of last night yesterday today tonight morning week month year tuesday monday wednesday thursday friday saturday sunday
    new little old own big small lovely only old younger older elder eldest youngest late dear beautiful first second almost even also ever truly honestly rather
    了 的 着 过 个 就 都 又 也 被 把 给 一 只 位 刚 已经 昨天 昨晚 今天 今早 今晚 上周 下周 上个月 下个月 这周 去年 今年 前天 终于 总算 真的 刚刚 刚才 正在 在 还 才 我 我们 很 非常 特别 真 太 家 了一 那 这 有点 好 去 要 会 早上 晚上 几 两 三 四 五 次 - /
    """


_ROW = re.compile(r"\n(?=\S)")
_SEPARABLE = re.compile("[\u4e00-\u9fff](?<![被有不没])[\u4e00-\u9fff](?<!了)")
"""Chinese verbs with their objects: 离婚 is also said as 离了婚."""


class Object(NamedTuple):
    """What a statement is about. Kinds: event (counts by whose it is), trait (lasting, also when denied), taste, habit,
    feeling, plan, small (a reading that outweighs none)."""

    name: str
    weight: float
    valence: str
    kind: str


@cache
def objects() -> dict[str, Object]:
    """Every object by the name of its category."""
    return {name: item for item, name, _ in _rows()}


@cache
def object_lexicon() -> Lexicon:
    """The phrases of all objects. Categories are names of `objects`."""
    return Lexicon({name: phrases for _, name, phrases in _rows()}, classes=classes.CLASSES, skipped=SKIPPED.split())


@lru_cache(maxsize=512)
def read(text: str) -> tuple[list[Token], list[Hit]]:
    """The tokens of a text and the objects that it names. Kept for a while: several rules look at one clause."""
    lexicon = object_lexicon()
    tokens = lexicon.tokens(text)
    return tokens, lexicon.hits(tokens)


def _rows() -> list[tuple[Object, str, list[str]]]:
    tables = {
        "en": objects_english.ROWS + objects_english_traits.ROWS,
        "zh": objects_chinese.ROWS,
        "small": objects_small.ROWS,
    }
    found = []
    for table, rows in tables.items():
        for row in filter(None, map(str.strip, _ROW.split(rows))):
            name, weight, valence, kind, phrases = (part.strip() for part in row.split("|"))
            item = Object(name, float(weight), valence, kind)
            written = [" ".join(phrase.replace("-", " ").split()) for phrase in phrases.split(",") if phrase.strip()]
            apart = [" ".join(phrase) for phrase in written if kind == "event" and _SEPARABLE.fullmatch(phrase)]
            found.append((item, f"{name}/{table}", written + apart))
    return found
