"""Context: a turn is judged with its neighbours and its session, as a reader would.

Measured to be worth more than any other single step on conversations; see docs/benchmarks.md.

Arrays over the corpus are padded with one zero at their end, so that the link -1 ("no such turn") reads that zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus

NEAR = (1.0, 0.7, 0.7, 0.2)
"""What the turn before, the turn after, and the ones beyond each of them add to a turn's own score."""
COVER = (0.8, 0.8, 0.6, 0.6)
"""What it counts that a word stands in one of them instead."""

Scores = NDArray[np.float32]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Rows with the turn before, the turn after, and the ones beyond each; -1 where there is none."""

    rows: Rows
    links: tuple[Rows, Rows, Rows, Rows]

    @classmethod
    def of(cls, corpus: Corpus, rows: Rows) -> Window:
        """The windows of these rows of the corpus."""
        before, after = _padded(corpus.before.view), _padded(corpus.after.view)
        first, second = before[rows], after[rows]
        return cls(rows=rows, links=(first, second, before[first], after[second]))

    def neighbours(self, scores: Scores) -> Scores:
        """For each row the weighted sum of its neighbours' scores (padded)."""
        total = np.zeros(len(self.rows), np.float32)
        for weight, at in zip(NEAR, self.links, strict=True):
            total += np.float32(weight) * scores[at]
        return total

    def covered(self, presence: Scores) -> Scores:
        """For each row how well it or a neighbour holds a word: the best of its own (padded) and the weighted others."""
        best = presence[self.rows]
        for weight, at in zip(COVER, self.links, strict=True):
            np.maximum(best, np.float32(weight) * presence[at], out=best)
        return best

    def before(self, scores: Scores) -> Scores:
        """For each row the (padded) value of the turn before it."""
        return scores[self.links[0]]


def around(corpus: Corpus, rows: Rows) -> NDArray[np.bool_]:
    """A mask of these rows and the two turns before and after each of them, shape (corpus.size,)."""
    found = np.zeros(corpus.size + 1, np.bool_)
    found[rows] = True
    for at in Window.of(corpus, rows).links:
        found[at] = True
    return found[:-1]


def session_best(corpus: Corpus, scores: Scores) -> Scores:
    """The best (padded) score of each session, by group, shape (groups,)."""
    best = np.zeros(len(corpus.group_length), np.float32)
    found = np.flatnonzero(scores)
    np.maximum.at(best, corpus.group.view[found], scores[found])
    return best


def taking_part(corpus: Corpus, speakers: Sequence[int]) -> Scores:
    """The share of these speakers who said something in each session, by group, shape (groups,)."""
    share = np.zeros(len(corpus.group_length), np.float32)
    for speaker in speakers:
        there = np.zeros(len(share), np.bool_)
        there[corpus.group.view[(corpus.speaker.view == speaker) & corpus.live.view]] = True
        share += there.astype(np.float32) / np.float32(len(speakers))
    return share


def _padded(links: NDArray[np.int32]) -> Rows:
    return np.append(links, np.int32(-1)).astype(np.intp)
