"""The floor: whether to answer at all. Nothing is better than noise.

Confidence on [0, 1] is a weighted mean of what speaks for an answer: `covered`, the greatest share of the query's idf that
one of the best rows and its neighbours hold (or how well it fits the time asked about, or the open session); `names`,
the share of the names in the query that the memory knows; `meaning` and `sense`, the greatest cosine of a row, for each
embedder that took part. Weights come from a logistic regression on the tuning halves of LoCoMo and of the English
bilingual set, each question asked of its own and of another conversation; docs/benchmarks.md has what passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.evidence import Evidence
from siltstone.retrieval.query import Query

LOOKED_AT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What counts how much, and the confidence that is needed."""

    weights: Mapping[str, float]
    floor: float


LEXICAL = Calibration(weights={"covered": 0.47, "names": 0.53}, floor=0.46)
"""Without vectors."""
CJK = Calibration(weights={"covered": 0.47, "names": 0.53}, floor=0.58)
"""Without vectors, for a question in a script that marks no names."""
STATIC = Calibration(weights={"covered": 0.34, "names": 0.41, "meaning": 0.25}, floor=0.40)
"""With the static embedder."""
CONTEXTUAL = Calibration(weights={"covered": 0.28, "names": 0.34, "meaning": 0.20, "sense": 0.18}, floor=0.37)
"""With the static embedder and MiniLM."""


def calibration(found: Evidence, query: Query) -> Calibration:
    """The one for the embedders that took part."""
    if "sense" in found.columns:
        return CONTEXTUAL
    if "meaning" in found.columns:
        return STATIC
    return CJK if query.cjk else LEXICAL


def confidence(found: Evidence, query: Query, best: NDArray[np.intp]) -> float:
    """How sure the memory is that it has an answer; `best` are places in `found.rows`, best first."""
    top = best[:LOOKED_AT]
    if not len(top):
        return 0.0
    shown = [found.covered[top]]
    shown += [found.channels[name][top] for name in ("dates", "recent", "graph") if name in found.channels]
    values = {"covered": max(float(scores.max()) for scores in shown), "names": query.names_known}
    values |= {name: float(found.columns[name].max()) for name in ("meaning", "sense") if name in found.columns}
    weights = calibration(found, query).weights
    return sum(weight * min(max(values[name], 0.0), 1.0) for name, weight in weights.items())


def threshold(configured: float, found: Evidence, query: Query) -> float:
    """The confidence that is needed: the configured one, or the calibrated one where that is negative."""
    return calibration(found, query).floor if configured < 0 else configured
