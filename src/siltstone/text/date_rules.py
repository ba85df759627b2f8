"""What the date rules of the languages share: the rule itself, one pattern out of many, numbers, tense."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from siltstone.text.spans import Span

_NEAR = 80
_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|got|saw|met|came|made|took|bought|told|said|ran|felt|gave|found|left|began|won|"
    r"lost|spent|wrote|read|ate|drove|flew|ago|[a-z]{2,}ed)\b|[了过過]|曾|已经|已經|した|でした",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|shall|going to|gonna|plan|plans|planning|hope|hoping|upcoming|coming|soon|want to|can't wait|due|"
    r"looking forward|let's|deadline)\b|'ll\b|将要?|將|打算|计划|計劃|准备|準備|[会會要](?=[去来在和跟有])|つもり|予定",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Rule:
    """A pattern, and what it names: a function of its match and the reference time; None where it names no time.

    The pattern is compiled when a text first calls for it: all of them together take as long as loading the engine.
    """

    source: str
    resolve: Callable[[re.Match[str], datetime], Span | None]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, which ignores case."""
        return re.compile(self.source, re.IGNORECASE)


def any_of(rules: Sequence[Rule], guard: str) -> re.Pattern[str]:
    """One pattern, for text in lower case, that tries the rules in order; its group `r<n>` says which.

    The guard precedes every match.
    """
    parts = (re.sub(r"\(\?P<\w+>", "(?:", each.source) for each in rules)
    return re.compile(guard + "(?:" + "|".join(f"(?P<r{n}>{part})" for n, part in enumerate(parts)) + ")")


def tense(match: re.Match[str]) -> int:
    """-1 where the words around the match speak of the past, 1 of the future, 0 of neither or both."""
    near = match.string[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    return int(_FUTURE.search(near) is not None) - int(_PAST.search(near) is not None)


_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: number for number, word in enumerate([*_ONES.split(), "seventeen", "eighteen", "nineteen"])}
_WORDS |= {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
_WORDS |= {"a": 0, "an": 0, "couple": 2, "dozen": 12}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_number = "|".join(sorted([*_WORDS, *_SCALES], key=lambda word: (-len(word), word)))
NUMBER = (
    rf"(?:\d{{1,9}}|(?:{_number})(?:[ -](?:and )?(?:{_number})){{0,7}})"
    r"(?:[ ](?:hundred|thousand|million|billion)){0,3}"
)
"""An English number, in digits or words."""

_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}
HAN_NUMBER = r"(?:\d{1,9}|[零〇一二两兩三四五六七八九十百千万萬亿億])[零〇一二两兩三四五六七八九十百千万萬亿億]{0,12}"
"""A Chinese number, in digits or characters."""


def english_number(text: str) -> int:
    """The value of what `NUMBER` matches: `3`, `twenty-five`, `fifty thousand`. Raises ValueError for other text."""
    total, current = 0, 0
    words = text.lower().replace("-", " ").split()
    if words[-1:] in (["a"], ["an"]):
        return 1
    for word in words:
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if word != "hundred":
                total, current = total + current, 0
        elif word != "and":
            current += int(word) if word.isdecimal() else _WORDS.get(word, -1)
            if word not in _WORDS and not word.isdecimal():
                raise ValueError(f"{word!r} is no number word")
    return total + current


def han_number(text: str) -> int:
    """The value of what `HAN_NUMBER` matches: `3`, `十二`, `两百`, `二〇二三`, `5万`. Raises ValueError for other text."""
    if all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total, section, digits = 0, 0, ""
    for char in text:
        if char in _DIGITS or char.isdecimal():
            digits += str(_DIGITS.get(char, char))
        elif char in _UNITS:
            section, digits = section + int(digits or 1) * _UNITS[char], ""
        else:
            total, section, digits = (total + section + int(digits or 0)) * _MYRIADS[char], 0, ""
    return total + section + int(digits or 0)
