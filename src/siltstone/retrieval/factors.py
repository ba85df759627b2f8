"""Factors: multipliers of the fused score, as a registry. 1.0 has no effect, and is what a factor gives when off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus
from siltstone.settings import RecallSettings

DAY = 86_400.0
TIME_FLOOR = 0.3

Factor = Callable[[Corpus, NDArray[np.intp], datetime, RecallSettings], NDArray[np.float32] | None]


def time_decay(
    corpus: Corpus, rows: NDArray[np.intp], now: datetime, settings: RecallSettings
) -> NDArray[np.float32] | None:
    """0.3 + 0.7 · 2^(−age / half-life): what is old fades but stays findable. Ages below zero count as zero."""
    if settings.half_life_days <= 0:
        return None
    age = np.maximum(now.timestamp() - corpus.occurred.view[rows], 0) / DAY
    fading: NDArray[np.float32] = np.exp2(-age / settings.half_life_days).astype(np.float32)
    return TIME_FLOOR + (1 - TIME_FLOOR) * fading


FACTORS: dict[str, Factor] = {"time": time_decay}


def apply(
    corpus: Corpus, rows: NDArray[np.intp], now: datetime, settings: RecallSettings
) -> dict[str, NDArray[np.float32]]:
    """Each factor's values for these rows, by name, shape (len(rows),)."""
    neutral = np.ones(len(rows), np.float32)
    found = {name: factor(corpus, rows, now, settings) for name, factor in FACTORS.items()}
    return {name: neutral if values is None else values for name, values in found.items()}
