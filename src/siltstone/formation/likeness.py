"""Likeness: how far two statements are about one topic, from meaning and from shared words.

Vectors are compared after the embedder's background, the mean of unrelated everyday sentences, was taken off: word
vectors share a large part that says "this is a sentence" and nothing about its topic.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siltstone.formation.common_words import common_terms
from siltstone.formation.concepts import concepts
from siltstone.ports.models import Embedder
from siltstone.text.form import FORM_MARK
from siltstone.text.tokens import terms

Vector = NDArray[np.float32]
_NO_WORD = re.compile(rf"@\d{{4}}-\d\d-\d\d/.*|{FORM_MARK}.*")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-zà-ÿ]+")
_CALLED = re.compile(r"叫(?:做|作)?([\u3400-\u9fff]{2})")
_CJK = re.compile(r"[\u3400-\u9fff]")

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


def is_cjk(text: str) -> bool:
    """Whether a text has Chinese characters: it is compared with its like then."""
    return bool(_CJK.search(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """How vectors of one embedder are looked at: without the background of their script."""

    latin: Vector | None = None
    cjk: Vector | None = None

    def focus(self, vector: Vector, text: str) -> Vector:
        """The vector of that text without the background, at unit length."""
        background = self.cjk if is_cjk(text) else self.latin
        plain = vector if background is None else vector - background
        length = float(np.linalg.norm(plain))
        found: Vector = plain / length if length > 0 else plain
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A statement as it is compared: its focused vector (None without an embedder), distinct terms and concepts.

    `names` are those of its terms that it uses like a name.
    """

    vector: Vector | None
    terms: frozenset[str]
    concepts: frozenset[str]
    names: frozenset[str] = frozenset()

    @property
    def marks(self) -> frozenset[str]:
        """Terms and concepts."""
        return self.terms | self.concepts


def probe(text: str, vector: Vector | None, indexed: str = "") -> Probe:
    """The probe of a text with that focused vector; `indexed` are its record's index terms, where it has them."""
    found = distinct_terms(text, indexed)
    return Probe(vector=vector, terms=found, concepts=concepts(text, found), names=names(text) & found)


def names(text: str) -> frozenset[str]:
    """The terms that a text uses like names: capitalised within a sentence, or after 叫."""
    found = [term for word in _NAME.findall(text) for term in terms(word)[:1]]
    return frozenset(term for term in [*found, *_CALLED.findall(text)] if term not in common_terms())


def distinct_terms(text: str, indexed: str = "") -> frozenset[str]:
    """A statement's distinct terms; `indexed` are its record's, where it has them, without those of its times and form."""
    return frozenset(term for term in (indexed.split() if indexed else terms(text)) if not _NO_WORD.fullmatch(term))


NEAREST, CLOSE = 2, 0.65
"""How many members of a group are its nearest, and what they count for; chosen on the tune half of the topic set."""
PRIOR, SHARE_COMMON, SHARE_RARE = 100, 0.12, 0.012


class Words:
    """In how many statements of a user each term occurs: what a shared word is worth.

    The count starts as if `PRIOR` statements had come before, in which common words and single Chinese characters were
    common: what a first shared word is worth has to be known before there is much to count.
    """

    def __init__(self) -> None:
        self.frequency: dict[str, int] = {}
        self.count = 0
        self.names: dict[str, int] = {}
        self._common = common_terms()

    def add(self, made: Probe, by: int = 1) -> None:
        """Count one statement's distinct terms and names, or with `by` -1 count them out again."""
        self.count += by
        for counts, found in ((self.frequency, made.marks), (self.names, made.names)):
            for term in found:
                counts[term] = counts.get(term, 0) + by

    def worth(self, term: str) -> float:
        """The squared inverse document frequency, prior included."""
        common = term in self._common or (len(term) == 1 and not term.isascii())
        seen = self.frequency.get(term, 0) + PRIOR * (SHARE_COMMON if common else SHARE_RARE)
        return math.log(1 + (self.count + PRIOR) / seen) ** 2

    def weighed(self, made: Probe) -> Weighed:
        """The probe with what its terms are worth now."""
        worth = {term: self.worth(term) for term in made.marks}
        return Weighed(
            probe=made,
            worth=worth,
            words=math.sqrt(sum(worth[term] for term in made.terms)),
            concepts=math.sqrt(sum(worth[term] for term in made.concepts)),
            names={term: worth[term] / self.highest for term in made.terms if self.names.get(term)},
        )

    @property
    def highest(self) -> float:
        """What a term is worth that no statement has."""
        return math.log(1 + (self.count + PRIOR) / (PRIOR * SHARE_RARE)) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A probe with the worth of its terms, the length of its term and concept vectors, and how telling its names are."""

    probe: Probe
    worth: Mapping[str, float]
    words: float
    concepts: float
    names: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the parts of a likeness count for."""

    meaning: float = 0.45
    words: float = 0.15
    concepts: float = 0.4
    names: float = 0.4


def likeness(first: Weighed, members: Sequence[Weighed], weights: Weights) -> float:
    """How like a statement is to a group, -1 for an empty one: to its nearest members, and less so to all on average.

    The mean alone keeps a topic of many sides from growing, the nearest alone lets it swallow its neighbours.
    """
    if not members:
        return -1.0
    each = sorted((pair(first, member, weights) for member in members), reverse=True)
    nearest = each[:NEAREST]
    return CLOSE * sum(nearest) / len(nearest) + (1 - CLOSE) * sum(each) / len(each)


def pair(first: Weighed, second: Weighed, weights: Weights) -> float:
    """How like two statements are, about -0.4 to 1.4; by words and concepts alone where one has no vector."""
    one, other = first.probe, second.probe
    shared = weights.words * _cosine(first, one.terms & other.terms, first.words * second.words)
    shared += weights.concepts * _cosine(first, one.concepts & other.concepts, first.concepts * second.concepts)
    shared += weights.names * max((first.names[term] for term in first.names if term in other.terms), default=0.0)
    if one.vector is None or other.vector is None:
        return shared / (weights.words + weights.concepts)
    return shared + weights.meaning * float(one.vector @ other.vector)


def _cosine(first: Weighed, shared: frozenset[str], lengths: float) -> float:
    return sum(first.worth[term] for term in shared) / lengths if shared else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What likeness means with one embedder: its lens, the weights, and from which likeness on two are one topic.

    `join` is for a statement and a group, `chain` for an episode and a chain; within `band` around it a completion
    model, where there is one, has the last word. When all is grouped anew, two groups need `lower` less than a statement
    and a group: they are compared by the mean of all pairs, which lies below that of the nearest.
    """

    lens: Lens = field(default_factory=Lens)
    weights: Weights = field(default_factory=Weights)
    join: float = 0.26
    chain: float = 0.26
    band: float = 0.06
    lower: float = 0.08


def leading(vector: Vector, dimension: int) -> Vector:
    """The first `dimension` numbers of a vector, at unit length again; the vector itself where it has no more."""
    if vector.shape[-1] == dimension:
        return vector
    head = vector[..., :dimension]
    lengths = np.linalg.norm(head, axis=-1, keepdims=True)
    unit: Vector = np.divide(head, np.maximum(lengths, 1e-12), dtype=np.float32)
    return unit


def calibrate(embedder: Embedder | None, dimension: int = 0) -> Calibration:
    """The calibration of that embedder, by its vectors of `EVERYDAY` cut to `dimension`. Raises ModelError."""
    if embedder is None:
        return Calibration()
    scripts = [[text for text in EVERYDAY if is_cjk(text) is cjk] for cjk in (False, True)]
    latin, cjk = (leading(embedder.embed(texts), dimension or embedder.dimension).mean(axis=0) for texts in scripts)
    return Calibration(lens=Lens(latin=latin, cjk=cjk))
