"""The lexical channel: BM25 of each row, and of each row's session as one document, over our own terms.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
idf = ln(1 + (N − df + .5) / (df + .5)), k1 = 0.9, b = 0.4 (short texts). Statistics are those of the user's live rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus

K1, B = 0.9, 0.4
Scores = NDArray[np.float32]


def inverse_frequency(found: int, total: int) -> float:
    """idf of a term that `found` of `total` documents hold."""
    return math.log(1 + (total - found + 0.5) / (found + 0.5))


def scores(corpus: Corpus, terms: Sequence[str], allowed: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """(BM25 of each allowed row, shape (corpus.size,); of each session's allowed rows as one document, shape (groups,))."""
    rows_total, groups_total = np.zeros(corpus.size, np.float32), np.zeros(len(corpus.group_length), np.float32)
    groups = int(np.count_nonzero(corpus.group_rows.view))
    row_norm = _norm(corpus.length.view, corpus.total_length / max(corpus.count, 1))
    group_norm = _norm(corpus.group_length.view, corpus.total_length / max(groups, 1))
    everything = bool(allowed.all())
    for term in terms:
        posting = corpus.postings.rows(term)
        if posting is None:
            continue
        rows, counts = posting
        if not everything:
            keep = allowed[rows]
            rows, counts = rows[keep], counts[keep]
        gain = inverse_frequency(corpus.postings.frequency(term), corpus.count) * (K1 + 1)
        rows_total[rows] += gain * counts / (counts + row_norm[rows])
        held = np.bincount(corpus.group.view[rows], weights=counts, minlength=len(groups_total))
        at = np.flatnonzero(held)
        gain = inverse_frequency(len(at), groups) * (K1 + 1)
        groups_total[at] += gain * held[at] / (held[at] + group_norm[at])
    return rows_total, groups_total


def ceiling(corpus: Corpus, terms: Sequence[str]) -> float:
    """What a row of average length scores that has each term once; a term that no row has counts as the rarest."""
    frequency = corpus.postings.frequency
    return sum(inverse_frequency(frequency(term), corpus.count) for term in terms) or 1.0


def _norm(length: NDArray[np.float32], average: float) -> NDArray[np.float32]:
    return K1 * (1 - B + B * length / max(average, 1e-9))
