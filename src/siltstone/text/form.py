"""The form of a text, whatever it is about: does it ask or tell, of whom, is it a mere reaction, how much does it feel.

These counts tell turns that hold facts from turns that keep a conversation going. English and Chinese.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from siltstone.text.emotion import MOST_LEANING, STEPS, emotion

FORM_MARK = "@="
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MOST = 3
"""Counts end here."""

_WORD = re.compile(r"[a-z']+")
_FIRST = frozenset("i i'm i've i'd i'll my me we our we're we've us mine".split())
_SECOND = frozenset("you your you're you've yours".split())
_FIRST_CJK, _SECOND_CJK = ("我",), ("你", "您")
_REACTION = re.compile(
    r"(?:wow|that's|that is|thanks?|aw+|oh|congrat(?:s|ulations)|sounds|great|nice|cool|awesome|glad|good|yeah|yep|sure|"
    r"no problem|of course|absolutely|definitely|i agree|agreed|haha|bye|take care|hey|hi)\b|"
    r"哇|谢谢|謝謝|多谢|恭喜|太好了|太棒了|真的吗|真的嗎|好的|好呀|好啊|嗯|哈哈|不客气|不客氣|加油|当然|當然|再见|拜拜|哎呀",
    re.IGNORECASE,
)
_INNER_NAME = re.compile(r"(?<=[a-z,'\"] )[\"']?[A-Z][a-z]+")
_ASKS = ("?", "？", "吗", "嗎", "呢")


class Form(NamedTuple):
    """`asks`: it ends in a question; `has_question`: there is one in it; `reacts`: it opens with a reaction (0 or 1 each).

    `first` and `second` count words of the first and second person, `names` capitalised words inside sentences, up to 3.
    `intensity` is that of `text.emotion` in tenths, up to 20; `leaning` the same from 0 (negative) to 6, 3 in the middle.
    """

    asks: int = 0
    has_question: int = 0
    first: int = 0
    second: int = 0
    reacts: int = 0
    names: int = 0
    intensity: int = 0
    leaning: int = MOST_LEANING


def form(text: str) -> Form:
    """The form of a text; only its first 2,000 and last 200 characters are looked at."""
    part = text if len(text) <= 2200 else f"{text[:2000]} {text[-200:]}"
    part = part.replace("\u2019", "'").strip()
    asks = part.endswith(_ASKS)
    words = _WORD.findall(part.lower())
    first, second = (sum(word in person for word in words) for person in (_FIRST, _SECOND))
    if not part.isascii():
        first += sum(map(part.count, _FIRST_CJK))
        second += sum(map(part.count, _SECOND_CJK))
    felt = emotion(text)
    return Form(
        asks=int(asks),
        has_question=int(asks or "?" in part or "？" in part),
        first=min(first, MOST),
        second=min(second, MOST),
        reacts=int(_REACTION.match(part) is not None),
        names=min(len(_INNER_NAME.findall(part)), MOST),
        intensity=round(felt.intensity * STEPS),
        leaning=felt.leaning + MOST_LEANING,
    )


def form_term(text: str) -> str:
    """The form as one index term: `@=` and a digit to base 36 for each field."""
    return FORM_MARK + "".join(DIGITS[count] for count in form(text))


def read_form(term: str) -> Form:
    """The inverse of `form_term`."""
    return Form(*(int(digit, 36) for digit in term[2:]))
