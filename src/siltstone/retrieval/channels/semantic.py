"""The semantic channel: exact cosine between the query's vector and every row's, for each embedding model by itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.vectors import WAITING

Scores = NDArray[np.float32]
CENTRED = ("wordllama-", "all-minilm-")
"""How the fingerprints of models begin whose unrelated texts have cosines about 0."""
UNRELATED = {"multilingual-e5-small": (0.73, 0.81)}
"""The cosine of texts that have nothing in common, for memories too small to show it, and of those in CJK script; else 0."""
ENOUGH, TYPICAL = 30, 0.09
"""Vectors whose median shows it, and the median of a centred model."""


class Sight(NamedTuple):
    """A query as one embedding model sees it."""

    model: str
    vector: NDArray[np.float32]
    cjk: bool = False


def scores(corpus: Corpus, sight: Sight | None, instead: Scores | None = None) -> Scores | None:
    """Cosines clipped to [0, 1], shape (corpus.size,); for rows that wait for a vector `instead`, or 0.

    None where the model sees nothing, or has no vector of this corpus yet.
    """
    vectors = None if sight is None else corpus.vectors.get(sight.model)
    if sight is None or vectors is None or not vectors.matrix.size:
        return None
    found = vectors.scores(sight.vector)
    if not sight.model.startswith(CENTRED):
        zero = _unrelated(found[corpus.live.view & (vectors.at.view >= 0)], sight)
        found = np.maximum(found - np.float32(zero), 0) / np.float32(1 - zero)
    return found if instead is None else np.where(vectors.at.view == WAITING, instead, found)


def _unrelated(cosines: Scores, sight: Sight) -> float:
    """The cosine that says nothing: of the texts of many models even unrelated ones point much the same way.

    Where there are enough rows, it is what puts their median where a centred model has it; where there are few, what is
    known of the model, or less, as between two languages.
    """
    known = next((zero[sight.cjk] for name, zero in UNRELATED.items() if sight.model.startswith(name)), 0.0)
    if not len(cosines):
        return known
    seen = max((float(np.median(cosines)) - TYPICAL) / (1 - TYPICAL), 0.0)
    return seen if len(cosines) >= ENOUGH else min(seen, known)
