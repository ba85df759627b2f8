"""The date channel: rows said at, or about, the time that the query asks about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import DAY, EPOCH, Corpus

FADING_DAYS = 4.0

Scores = NDArray[np.float32]


def scores(corpus: Corpus, windows: Sequence[tuple[int, int]]) -> tuple[Scores, Scores]:
    """(said, meant), shape (corpus.size,) each, on [0, 1].

    `said` = exp(−days between the row's own day and the nearest window / 4); `meant` = the root of the share of the time
    that the row speaks of which lies in a window.
    """
    said, meant = np.zeros(corpus.size, np.float32), np.zeros(corpus.size, np.float32)
    days = np.floor(corpus.occurred.view / DAY) + EPOCH
    starts, ends = corpus.span_first.view, corpus.span_last.view
    for first, last in windows:
        away = np.maximum(np.maximum(first - days, days - last), 0)
        said = np.maximum(said, np.exp(-away / FADING_DAYS).astype(np.float32))
        shared = np.maximum(np.minimum(last, ends) - np.maximum(first, starts) + 1, 0)
        share = np.sqrt(shared / (ends - starts + 1)).astype(np.float32)
        np.maximum.at(meant, corpus.span_row.view, share)
    return said, meant
