"""How emotional a text is, and which way it leans: counted at write time, kept with its index terms. English and Chinese.

Intensity on [0, 2] sums what people do when they feel strongly: marks in runs, words of degree, letters drawn out,
chunks repeated, words shouted. Words match as words, never inside others, and what only looks loud does not count: rules
and separators, numbers, acronyms, code.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from siltstone.text.emotion_words import (
    CHINESE_DEGREES,
    CHINESE_NEGATIONS,
    CHINESE_NEGATIVE,
    CHINESE_POSITIVE,
    DEGREES,
    NEGATIONS,
    NEGATIVE,
    POSITIVE,
    SHOUTED,
)
from siltstone.text.normal import CJK

MOST_INTENSITY = 2.0
MOST_LEANING = 3
STEPS = 10
"""Intensity is kept in tenths."""
SCANNED = 4000
SCOPE = 3
"""A negation turns round a feeling word at most this many words after it."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_MARKS = re.compile(r"[!?！？]{2,}")
_QUESTION = re.compile(r"[?？]")
_TRIPLE = re.compile(r"([a-zA-Z])\1\1")
_LETTERS = re.compile(r"(?<![\w./-])[a-zA-Z]+(?![\w/-])")
_NUMERAL = re.compile(r"[ivxlcm]+|www", re.IGNORECASE)
_CJK_DRAWN = re.compile(rf"([{CJK}])\1\1+")
_CJK_TWICE = re.compile(rf"([{CJK}]{{2,4}})\1+")
_CAPITALS = re.compile(r"(?<![\w/.:#@-])[A-Z]{3,}(?![\w/:-]|\.\w)")
_CLAUSE = re.compile(r"[.,;:!?，。；：！？、\n]|\bbut\b|但是?|可是|不过")
_CHINESE = re.compile("|".join(sorted({*CHINESE_POSITIVE, *CHINESE_NEGATIVE}, key=lambda word: (-len(word), word))))
_BEFORE = 4
FEELINGS = POSITIVE | NEGATIVE


class Emotion(NamedTuple):
    """`intensity` on [0, 2] in tenths; `leaning` from -3 (negative) to 3 (positive), 0 where nothing leans."""

    intensity: float = 0.0
    leaning: int = 0


def emotion(text: str) -> Emotion:
    """The emotion of a text; only its first 4,000 characters are looked at. Raises nothing, whatever the text."""
    part = text[:SCANNED].replace("\u2019", "'")
    words = set(_WORD.findall(part.lower()))
    strength = _marks(part) + _degrees(part, words) + _drawn_out(part) + _shouted(part)
    leaning = 0 if part.isascii() and words.isdisjoint(FEELINGS) else _leaning(part)
    rounded = round(min(strength, MOST_INTENSITY) * STEPS) / STEPS
    return Emotion(intensity=rounded, leaning=max(-MOST_LEANING, min(leaning, MOST_LEANING)))


def _marks(text: str) -> float:
    """0.15 for each run of ! and ?, at most 0.6; 0.2 for each run of both; 0.1 for each further question, at most 0.3.

    A question mark in a run is none of the further ones.
    """
    if "?" not in text and "!" not in text and text.isascii():
        return 0.0
    runs = _MARKS.findall(text)
    mixed = sum(1 for run in runs if set(run) & set("!！") and set(run) & set("?？"))
    questions = len(_QUESTION.findall(_MARKS.sub("", text)))
    return min(0.15 * len(runs), 0.6) + 0.2 * mixed + min(0.1 * max(questions - 1, 0), 0.3)


def _degrees(text: str, words: set[str]) -> float:
    """0.2 for each distinct word of degree, at most 0.6."""
    found = len(words & DEGREES)
    if not text.isascii():
        found += sum(1 for word in CHINESE_DEGREES if word in text)
    return min(0.2 * found, 0.6)


def _drawn_out(text: str) -> float:
    """0.15 for each word or character drawn out (`sooo`, 啊啊啊), at most 0.3; 0.2 for each chunk said twice, at most 0.4."""
    drawn = 0
    if _TRIPLE.search(text):
        drawn = sum(1 for word in _LETTERS.findall(text) if _is_drawn(word))
    if text.isascii():
        return min(0.15 * drawn, 0.3)
    drawn += sum(1 for _ in _CJK_DRAWN.finditer(text))
    twice = sum(1 for found in _CJK_TWICE.finditer(text) if len(set(found[1])) > 1)
    return min(0.15 * drawn, 0.3) + min(0.2 * twice, 0.4)


def _is_drawn(word: str) -> bool:
    """Whether a letter is drawn out in a word that has others: `sooo`, not `aaa`, `www`, `XIII`."""
    return bool(_TRIPLE.search(word)) and len(set(word.lower())) > 1 and not _NUMERAL.fullmatch(word)


def _shouted(text: str) -> float:
    """0.15 for each shouted word, at most 0.3. An acronym among lower-case words is none, unless it is a word people shout."""
    capitals = _CAPITALS.findall(text)
    if not capitals:
        return 0.0
    if len(capitals) >= 3 and text.isupper():
        return 0.3
    return min(0.15 * sum(1 for word in capitals if word in SHOUTED), 0.3)


def _leaning(text: str) -> int:
    """Positive words minus negative ones, each turned round by a negation shortly before it in its clause."""
    total = 0
    for clause in _CLAUSE.split(text):
        words = [word.lower() for word in _WORD.findall(clause)]
        for at, word in enumerate(words):
            sign = (word in POSITIVE) - (word in NEGATIVE)
            if sign:
                turned = sum(
                    1 for before in words[max(0, at - SCOPE) : at] if before in NEGATIONS or before.endswith("n't")
                )
                total += -sign if turned % 2 else sign
        if not clause.isascii():
            total += sum(_chinese_sign(clause, found.start(), found[0]) for found in _CHINESE.finditer(clause))
    return total


def _chinese_sign(clause: str, at: int, word: str) -> int:
    sign = 1 if word in CHINESE_POSITIVE else -1
    before = clause[max(0, at - _BEFORE) : at]
    return -sign if any(negation in before for negation in CHINESE_NEGATIONS) else sign
