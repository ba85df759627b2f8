"""Fusion: one weighted sum of standardised evidence, its weights learned once and written down.

Weights come from a listwise softmax regression (ListNet with one relevant list; Cao et al. 2007) with L2 on the tuning
half of LoCoMo; docs/decisions/ has the ablation and the held-out figures. Evidence that is absent has weight zero, so a
note without a session is ranked by the same formula.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]

LEXICAL: Mapping[str, float] = {
    "words": 3.69,
    "words_near": 1.95,
    "session_words": 1.83,
    "session_best": 1.85,
    "speaker": 1.14,
    "asks": -0.94,
    "answers": 0.57,
    "richness": 0.78,
    "dated": 2.31,
    "said_then": 3.56,
    "meant_then": 2.14,
}
"""Without vectors."""

HYBRID: Mapping[str, float] = {
    "words": 2.72,
    "words_near": 1.30,
    "session_words": 1.70,
    "session_best": 1.48,
    "speaker": 1.14,
    "asks": -0.97,
    "answers": 0.53,
    "richness": 0.90,
    "dated": 2.33,
    "said_then": 3.58,
    "meant_then": 2.16,
    "meaning": 2.50,
    "session_meaning": 1.64,
    "meaning_near": 1.32,
}
"""With the static embedder's vectors."""


def fuse(evidence: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    """Σ weight · evidence, one number a row; evidence that has no weight is passed over."""
    total: Scores = np.zeros_like(next(iter(evidence.values())), np.float32)
    for name, weight in weights.items():
        if name in evidence:
            total += weight * evidence[name]
    return total


def scaled(scores: Scores) -> Scores:
    """The scores divided by their maximum, so that the best row has 1; all zero where none is positive."""
    top = float(scores.max(initial=0.0))
    return scores / top if top > 0 else np.zeros_like(scores)
