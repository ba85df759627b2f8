"""Likeness: how far two statements are about one topic, from meaning and from shared words.

Vectors are compared after the embedder's background, the mean of unrelated everyday sentences, was taken off: word
vectors share a large part that says "this is a sentence" and nothing about its topic.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siltstone.ports.models import Embedder
from siltstone.text.tokens import terms

Vector = NDArray[np.float32]
_DATE = re.compile(r"@\d{4}-\d\d-\d\d/.*")

EVERYDAY = (
    "The bus was late again this morning.",
    "I bought apples and bread at the market.",
    "She plays the violin in a small orchestra.",
    "My back hurts after the long drive.",
    "We painted the kitchen yellow last summer.",
    "He failed the exam and has to repeat it.",
    "It has been raining since Monday.",
    "They are planning a holiday by the sea.",
    "I never liked horror films.",
    "The printer at work is broken.",
    "Our cat sleeps on the windowsill.",
    "I would like to learn to cook properly.",
    "The rent goes up in January.",
    "His grandfather fought in the war.",
    "I am allergic to strawberries.",
    "We watched the match at a friend's place.",
    "The new phone has a better camera.",
    "She got engaged on her birthday.",
    "I am reading a novel about sailors.",
    "The doctor said that I should sleep more.",
    "今天早上公交车又晚点了",
    "我在市场买了苹果和面包",
    "她在乐队里拉小提琴",
    "去年夏天我们把厨房刷成了黄色",
    "我从来不喜欢恐怖片",
    "医生让我多睡觉",
    "房租一月份要涨",
    "他在准备考试",
)
"""Sentences on unrelated topics, for the background of an embedder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """How vectors of one embedder are looked at: without its background."""

    background: Vector | None = None

    def focus(self, vector: Vector) -> Vector:
        """The vector without the background, at unit length."""
        plain = vector if self.background is None else vector - self.background
        length = float(np.linalg.norm(plain))
        found: Vector = plain / length if length > 0 else plain
        return found


@dataclass(slots=True, kw_only=True)
class Probe:
    """A statement as it is compared: its focused vector (None without an embedder) and its distinct terms."""

    vector: Vector | None
    terms: frozenset[str]


def distinct_terms(text: str, indexed: str = "") -> frozenset[str]:
    """A statement's distinct terms; `indexed` are its record's, where it has them."""
    return frozenset(term for term in (indexed.split() if indexed else terms(text)) if not _DATE.fullmatch(term))


class Words:
    """In how many statements of a user each term occurs: what a shared word is worth."""

    def __init__(self) -> None:
        self.frequency: dict[str, int] = {}
        self.count = 0

    def add(self, found: Iterable[str]) -> None:
        """Count one statement's distinct terms."""
        self.count += 1
        for term in found:
            self.frequency[term] = self.frequency.get(term, 0) + 1

    def remove(self, found: Iterable[str]) -> None:
        """Count one statement's distinct terms out again."""
        self.count -= 1
        for term in found:
            self.frequency[term] -= 1

    def worth(self, term: str) -> float:
        """The squared inverse document frequency; a term of no statement counts like one of a single statement."""
        return math.log(1 + (self.count + 1) / (1 + self.frequency.get(term, 0))) ** 2

    def overlap(self, first: frozenset[str], second: frozenset[str]) -> float:
        """The cosine of two statements' term vectors, 0 to 1."""
        shared = sum(self.worth(term) for term in first & second)
        if not shared:
            return 0.0
        return shared / math.sqrt(sum(map(self.worth, first)) * sum(map(self.worth, second)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How the parts add up: meaning, shared words, and the share of the nearest member beside the mean of all."""

    meaning: float = 1.0
    words: float = 0.5
    nearest: float = 0.5


def likeness(probe: Probe, members: Sequence[Probe], words: Words, weights: Weights) -> float:
    """How like the statement is to a group: its likeness to the nearest member, mixed with the mean over all."""
    each = [pair(probe, member, words, weights) for member in members]
    if not each:
        return -1.0
    return weights.nearest * max(each) + (1 - weights.nearest) * sum(each) / len(each)


def pair(first: Probe, second: Probe, words: Words, weights: Weights) -> float:
    """How like two statements are, about -1 to 1.5; by words alone where one has no vector."""
    shared = words.overlap(first.terms, second.terms)
    if first.vector is None or second.vector is None:
        return shared
    return weights.meaning * float(first.vector @ second.vector) + weights.words * shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What likeness means with one embedder: its lens, the weights, and from which likeness on two are one topic.

    `join` is for a statement and a group, `chain` for an episode and a chain; within `band` around it a completion
    model, where there is one, has the last word.
    """

    lens: Lens = field(default_factory=Lens)
    weights: Weights = field(default_factory=Weights)
    join: float = 0.25
    chain: float = 0.25
    band: float = 0.1


def calibrate(embedder: Embedder | None) -> Calibration:
    """The calibration of that embedder, by its vectors of `EVERYDAY`. Raises ModelError where it cannot answer."""
    if embedder is None:
        return Calibration()
    background: Vector = embedder.embed(EVERYDAY).mean(axis=0)
    return Calibration(lens=Lens(background=background))
