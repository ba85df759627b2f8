"""The floor: whether to answer at all. Nothing is better than noise.

Confidence = (best + names / 2) / 1.5 on [0, 1], where `best` is the greatest share of the query's idf that one of the
best rows and its neighbours hold, or the greatest cosine among them, and `names` the share of the names in the query
that the memory knows. Calibrated on the tuning half of LoCoMo, questions asked of another conversation; see
docs/benchmarks.md for what it lets through.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.evidence import Evidence
from siltstone.retrieval.query import Query

LOOKED_AT = 10
CALIBRATED = 0.445
"""For the static embedder and for none."""


def confidence(found: Evidence, query: Query, best: NDArray[np.intp]) -> float:
    """How sure the memory is that it has an answer; `best` are places in `found.rows`, best first."""
    top = best[:LOOKED_AT]
    if not len(top):
        return 0.0
    shown = [found.covered[top]]
    shown += [found.channels[name][top] for name in ("semantic", "dates", "recent") if name in found.channels]
    return (min(max(float(scores.max()) for scores in shown), 1.0) + query.names_known / 2) / 1.5


def threshold(configured: float) -> float:
    """The confidence that is needed: the configured one, or the calibrated one where that is negative."""
    return CALIBRATED if configured < 0 else configured
