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
SPREAD = 8.0
"""A score is 1 − exp(−sum / SPREAD)."""

LINKED = 1.5
"""Set by hand, beside what was learned: LoCoMo has no graph. A row that the graph alone speaks for stands behind a good match
by words and before a poor one; docs/decisions/0010 has the figures."""

LEXICAL: Mapping[str, float] = {
    "session_words": 1.34,
    "words": 0.63,
    "words_near": 1.22,
    "neighbour_words": 0.26,
    "speaker": 1.81,
    "present": 4.00,
    "asks": -0.52,
    "answers": 0.56,
    "first_person": 0.27,
    "second_person": -0.20,
    "reacts": -0.34,
    "dated": 0.31,
    "dated_when": 1.68,
    "names_who": 0.35,
    "said_then": 3.03,
    "meant_then": 1.70,
    "recent": 1.0,
    "linked": LINKED,
}
"""Without vectors."""

HYBRID: Mapping[str, float] = {
    "session_words": 1.04,
    "words": 0.19,
    "words_near": 1.44,
    "meaning": 3.17,
    "meaning_near": 0.91,
    "session_meaning": 3.54,
    "speaker": 2.71,
    "present": 4.00,
    "asks": -0.58,
    "answers": 0.63,
    "first_person": 0.35,
    "second_person": -0.19,
    "reacts": -0.32,
    "dated": 0.36,
    "dated_when": 2.08,
    "names_who": 0.42,
    "said_then": 4.07,
    "meant_then": 1.85,
    "recent": 1.00,
    "linked": LINKED,
}
"""With vectors of the static embedder."""


CONTEXTUAL: Mapping[str, float] = {
    "session_words": 0.78,
    "words": 0.12,
    "words_near": 1.38,
    "meaning_near": -1.21,
    "session_meaning": 2.72,
    "sense": 4.63,
    "sense_near": 1.61,
    "session_sense": 2.18,
    "speaker": 2.70,
    "present": 4.00,
    "asks": -0.59,
    "answers": 0.61,
    "first_person": 0.37,
    "second_person": -0.17,
    "reacts": -0.21,
    "dated": 0.47,
    "dated_when": 1.93,
    "names_who": 0.41,
    "said_then": 4.02,
    "meant_then": 1.78,
    "recent": 1.00,
    "linked": LINKED,
}
"""With vectors of the static embedder and of MiniLM."""


def weights(evidence: Mapping[str, Scores]) -> Mapping[str, float]:
    """The weights for what there is."""
    if "sense" in evidence:
        return CONTEXTUAL
    return HYBRID if "meaning" in evidence else LEXICAL


def fuse(evidence: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    """Σ weight · evidence, one number a row; evidence that has no weight is passed over."""
    total: Scores = np.zeros_like(next(iter(evidence.values())), np.float32)
    for name, weight in weights.items():
        if name in evidence:
            total += weight * evidence[name]
    return total
