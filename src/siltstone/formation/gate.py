"""The gate: a segment is vivid, and an episode at once, or weak, and waits in the pool for company."""

from __future__ import annotations


def is_vivid(intensity: float, threshold: float) -> bool:
    """Whether the intensity reaches the threshold; the threshold itself counts as vivid."""
    return intensity >= threshold
