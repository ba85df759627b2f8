"""Context: a turn is judged with its neighbours and its session, as a reader would.

Measured to be worth more than any other single step on conversations; see docs/benchmarks.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus

BEFORE = (1.0, 0.7)
"""Weights of the turn before, and of the one before that."""
AFTER = (0.7, 0.2)

Scores = NDArray[np.float32]
Rows = NDArray[np.intp]


def neighbours(corpus: Corpus, scores: Scores, rows: Rows) -> Scores:
    """For each of `rows` the weighted sum of the scores of the two turns before and the two after it in its session.

    `scores` has one number for each row of the corpus; the answer has shape (len(rows),).
    """
    total = np.zeros(len(rows), np.float32)
    for links, weights in ((corpus.before.view, BEFORE), (corpus.after.view, AFTER)):
        at = links[rows]
        for place, weight in enumerate(weights):
            if place:
                at = np.where(at >= 0, links[at], -1)
            total += np.where(at >= 0, weight * scores[at], 0)
    return total


def around(corpus: Corpus, rows: Rows) -> NDArray[np.bool_]:
    """A mask of these rows and the two turns before and after each of them, shape (corpus.size,)."""
    found = np.zeros(corpus.size, np.bool_)
    found[rows] = True
    for links in (corpus.before.view, corpus.after.view):
        at = rows
        for _ in BEFORE:
            at = links[at]
            at = at[at >= 0]
            found[at] = True
    return found


def before(corpus: Corpus, values: NDArray[np.bool_], rows: Rows) -> NDArray[np.bool_]:
    """For each of `rows` the value of the turn before it; False where there is none."""
    links = corpus.before.view[rows]
    found: NDArray[np.bool_] = (links >= 0) & values[links]
    return found


def session_best(corpus: Corpus, scores: Scores) -> Scores:
    """The best score of each session, by group, shape (groups,)."""
    best = np.zeros(len(corpus.group_length), np.float32)
    found = np.flatnonzero(scores)
    np.maximum.at(best, corpus.group.view[found], scores[found])
    return best
