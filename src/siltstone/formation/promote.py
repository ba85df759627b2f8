"""Promote: when a cluster of weak statements has gathered enough to become an episode, and which one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from siltstone.domain.beliefs import NEUTRAL


def score(turns: int, mean_intensity: float) -> float:
    """ln(n) · mean intensity for n distinct turns; 0 below two (the formula is Bubble's)."""
    return math.log(turns) * mean_intensity if turns >= 2 else 0.0


def is_due(turns: int, mean_intensity: float, *, threshold: float, minimum: int) -> bool:
    """Whether a cluster becomes an episode: enough distinct turns, and a score above the threshold."""
    return turns >= minimum and score(turns, mean_intensity) > threshold


def mean(intensities: Sequence[float]) -> float:
    """The mean, rounded to 6 places so that it is the same wherever it is computed; 0 of none."""
    return round(math.fsum(intensities) / len(intensities), 6) if intensities else 0.0


def valence(valences: Iterable[str]) -> str:
    """The commonest valence; a tie is neutral."""
    counts = Counter(valences).most_common(2)
    return NEUTRAL if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]) else counts[0][0]
