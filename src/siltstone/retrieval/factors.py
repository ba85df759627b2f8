"""Factors: multipliers of the fused score, as a registry. 1.0 has no effect, and is what a factor gives when off.

Each is bounded by its settings. docs/ranking.md has the formulas, their defaults for hosts, and where they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.topics import Topic, Topics
from siltstone.settings import Settings
from siltstone.text.emotion import MOST_INTENSITY, MOST_LEANING, STEPS

DAY = 86_400.0
TIME_FLOOR = 0.3
FULL_FEEDBACK = 3.0
"""Feedback, either way, from which its factor is at its bound."""
FULL_TOPICS = 3.0
"""Hot topics in one memory from which their factor is at its bound."""
FULL_USES = 5.0
"""Recent uses of one memory from which its attention is at its bound."""

Rows = NDArray[np.intp]
Values = NDArray[np.float32]
Told = TypeVar("Told")
Factor = Callable[[Corpus, Rows, datetime, Settings], Values | None]


def time_decay(corpus: Corpus, rows: Rows, now: datetime, settings: Settings) -> Values | None:
    """0.3 + 0.7 · 2^(−age / half-life): what is old fades but stays findable. Ages below zero count as zero."""
    half_life = settings.recall.half_life_days
    if half_life <= 0:
        return None
    age = np.maximum(now.timestamp() - corpus.occurred.view[rows], 0) / DAY
    fading: Values = np.exp2(-age / half_life).astype(np.float32)
    found: Values = (TIME_FLOOR + (1 - TIME_FLOOR) * fading).astype(np.float32)
    return found


def emotion(corpus: Corpus, rows: Rows, now: datetime, settings: Settings) -> Values | None:
    """1 + factor · min(intensity + (boost − 1) · leaning, 2): the boost is that of the side to which the text leans.

    Leaning is the share, on [0, 1], of three words of feeling. On [1, 1 + 2 · factor].
    """
    weight = settings.ranking.emotion_factor
    if weight <= 0:
        return None
    intensity = corpus.form["intensity"].view[rows].astype(np.float32) / STEPS
    leaning = (corpus.form["leaning"].view[rows].astype(np.float32) - MOST_LEANING) / MOST_LEANING
    positive, negative = settings.ranking.positive_boost - 1, settings.ranking.negative_boost - 1
    lifted = intensity + np.where(leaning > 0, positive * leaning, -negative * leaning)
    lift: Values = (1 + weight * np.clip(lifted, 0, MOST_INTENSITY)).astype(np.float32)
    return lift


def feedback(corpus: Corpus, rows: Rows, now: datetime, settings: Settings) -> Values | None:
    """1 + (boost − 1) · min(f / 3, 1) for f > 0, 1 − (1 − penalty) · min(|f| / 3, 1) for f < 0. On [penalty, boost]."""
    boost, penalty = settings.ranking.feedback_boost, settings.ranking.feedback_penalty
    if boost == 1 and penalty == 1:
        return None
    share = np.clip(_each(corpus.rated, rows, float) / FULL_FEEDBACK, -1, 1)
    found: Values = (1 + np.where(share > 0, (boost - 1) * share, (1 - penalty) * share)).astype(np.float32)
    return found


def hot_topic(corpus: Corpus, rows: Rows, now: datetime, settings: Settings) -> Values | None:
    """1 + (boost − 1) · min(hits / 3, 1), where hits sums the fading of the ten hottest topics that a memory mentions."""
    boost = settings.ranking.topic_boost
    if boost <= 1:
        return None
    topics = corpus.tally(Topics).hot(now, settings.ranking)
    hits = _held(corpus, rows, topics, [topic.fading for topic in topics])
    found: Values = (1 + (boost - 1) * np.minimum(hits / FULL_TOPICS, 1)).astype(np.float32)
    return found


def attention(corpus: Corpus, rows: Rows, now: datetime, settings: Settings) -> Values | None:
    """1 + (boost − 1) · (1 − (1 − share) · (1 − own)).

    `share` is the attention of those of the ten words with most of it that a memory mentions, over that of all ten;
    `own` the memory's latest uses, each fading with the half-life of topics, over five, at most 1.
    """
    boost = settings.ranking.attention_boost
    if boost <= 1:
        return None
    topics = corpus.tally(Topics).attended(now, settings.ranking)
    total = sum(topic.attention for topic in topics)
    share = _held(corpus, rows, topics, [topic.attention / total for topic in topics] if total else [])
    half = max(settings.ranking.topic_half_life_days, 1e-9)
    own = _each(corpus.used, rows, lambda times: _uses(times, now, half)) / FULL_USES
    lift = 1 - (1 - np.minimum(share, 1)) * (1 - np.minimum(own, 1))
    found: Values = (1 + (boost - 1) * lift).astype(np.float32)
    return found


def _held(corpus: Corpus, rows: Rows, topics: Sequence[Topic], weights: Sequence[float]) -> Values:
    """For each row the summed weights of the topics that it mentions."""
    held, sought = np.zeros(len(rows), np.float32), rows.astype(np.uint32)
    for topic, weight in zip(topics, weights, strict=False):
        found = corpus.postings.rows(topic.word)
        if found is not None and len(found[0]):
            at = np.minimum(found[0].searchsorted(sought), len(found[0]) - 1)
            held[found[0][at] == sought] += np.float32(weight)
    return held


def _each(told: Mapping[int, Told], rows: Rows, worth: Callable[[Told], float]) -> Values:
    """For each row what is told of it is worth; 0 where nothing is, as of most."""
    found = np.zeros(len(rows), np.float32)
    if told:
        for place, row in enumerate(rows.tolist()):
            if row in told:
                found[place] = worth(told[row])
    return found


def _uses(times: Sequence[str], now: datetime, half: float) -> float:
    ages = (max((now - datetime.fromisoformat(at)).total_seconds(), 0.0) / DAY for at in times)
    return float(sum(2.0 ** (-age / half) for age in ages))


FACTORS: dict[str, Factor] = {
    "time": time_decay,
    "emotion": emotion,
    "feedback": feedback,
    "hot_topic": hot_topic,
    "attention": attention,
}


def apply(corpus: Corpus, rows: Rows, now: datetime, settings: Settings) -> dict[str, Values]:
    """Each factor's values for these rows, by name, shape (len(rows),)."""
    neutral = np.ones(len(rows), np.float32)
    found = {name: factor(corpus, rows, now, settings) for name, factor in FACTORS.items()}
    return {name: neutral if values is None else values for name, values in found.items()}
