"""The floor: whether to answer at all. Nothing is better than noise.

Confidence is a probability: the logistic of a weighted sum of what speaks for an answer, less what chance explains, for the
more rows there are, the better the best of them fits any question. `covered` is the greatest share of the query's idf that
one of the best rows and its neighbours hold (or how well it fits the time asked about, or the open session); `names`, the
share of the names in the query that the memory knows, a half where it names nobody; `meaning` and `sense`, the greatest
cosine of a row, for each embedder that took part. Weights come from a logistic regression on the tuning halves of LoCoMo and
of the bilingual set, each question asked of its own and of another conversation, of one session of it, and of memories of
one, three and eight turns; docs/decisions/0015-the-floor.md has what passes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.evidence import Evidence
from siltstone.retrieval.naming import NOBODY
from siltstone.retrieval.query import Query

LOOKED_AT = 10
WHOLE = 0.95
"""Share of the query's idf from which everything that was asked is there."""
SURE = 0.75
"""The least confidence then, where no name is unknown."""
E5_SMALL = "multilingual-e5-small"
"""How the fingerprint of that model begins."""
MOST_ROWS = 1_000
"""Rows beyond which a larger memory is no reason for more doubt: the calibration saw none larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The weights in the logit, its constant, what the logarithm of the rows takes from it; the confidence needed."""

    weights: Mapping[str, float]
    base: float
    size: float
    floor: float


LEXICAL = Calibration(weights={"covered": 3.49, "names": 4.59}, base=-1.26, size=0.4, floor=0.40)
"""Without vectors."""
CJK = Calibration(weights={"covered": 5.04, "names": 4.36}, base=-2.40, size=0.2, floor=0.40)
"""Without vectors, for a question in Chinese, Japanese or Korean."""
STATIC = Calibration(weights={"covered": 2.53, "names": 3.88, "meaning": 5.72}, base=-2.25, size=0.5, floor=0.30)
"""With the static embedder, or one that has no calibration of its own."""
E5 = Calibration(weights={"covered": 3.22, "names": 4.41, "meaning": 13.33}, base=-5.44, size=0.5, floor=0.20)
"""With multilingual-e5-small, in any language."""
E5_ACROSS = Calibration(weights={"meaning": 6.82}, base=0.71, size=0.5, floor=0.0)
"""With it, where the memory is in another script than the question: its cosines find the answer and cannot tell that there is none."""
CONTEXTUAL = Calibration(
    weights={"covered": 2.06, "names": 4.68, "meaning": 2.64, "sense": 8.24}, base=-4.70, size=0.5, floor=0.27
)
"""With the static embedder and MiniLM."""


def calibration(found: Evidence, query: Query, model: str = "") -> Calibration:
    """The one for the embedders that took part; `model` is the fingerprint of the first."""
    if "sense" in found.columns:
        return CONTEXTUAL
    if "meaning" in found.columns:
        return (E5_ACROSS if query.foreign else E5) if model.startswith(E5_SMALL) else STATIC
    return CJK if query.cjk else LEXICAL


def grounds(found: Evidence, query: Query, best: NDArray[np.intp]) -> dict[str, float]:
    """What speaks for an answer, each on [0, 1]; {} where nothing was found.

    `best` are places in `found.rows`, best first.
    """
    top = best[:LOOKED_AT]
    if not len(top):
        return {}
    shown = [found.covered[top]]
    shown += [found.channels[name][top] for name in ("dates", "recent", "graph") if name in found.channels]
    values = {"covered": max(float(scores.max()) for scores in shown), "names": query.names_known}
    values |= {name: float(found.columns[name].max()) for name in ("meaning", "sense") if name in found.columns}
    return {name: min(max(value, 0.0), 1.0) for name, value in values.items()}


def confidence(speaking: Mapping[str, float], *, rows: int, by: Calibration) -> float:
    """How likely the memory has an answer, on [0, 1]; `rows` is how many rows it could have come from."""
    if not speaking:
        return 0.0
    logit = by.base - by.size * math.log1p(min(rows, MOST_ROWS))
    logit += sum(weight * speaking[name] for name, weight in by.weights.items())
    likely = 1 / (1 + math.exp(-logit))
    return max(likely, SURE) if speaking["covered"] >= WHOLE and speaking["names"] >= NOBODY else likely


def threshold(configured: float, by: Calibration) -> float:
    """The confidence that is needed: the configured one, or the calibrated one where that is negative."""
    return by.floor if configured < 0 else configured
