"""The semantic channel: exact cosine between the query's vector and every row's, for each embedding model by itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.vectors import WAITING

Scores = NDArray[np.float32]
UNRELATED = {"multilingual-e5-small": 0.75}
"""The cosine of texts that have nothing in common, by the beginning of the fingerprint; 0 where it is not named."""


class Sight(NamedTuple):
    """A query as one embedding model sees it."""

    model: str
    vector: NDArray[np.float32]


def scores(corpus: Corpus, sight: Sight | None, instead: Scores | None = None) -> Scores | None:
    """Cosines clipped to [0, 1], shape (corpus.size,); for rows that wait for a vector `instead`, or 0.

    None where the model sees nothing, or has no vector of this corpus yet.
    """
    vectors = None if sight is None else corpus.vectors.get(sight.model)
    if sight is None or vectors is None or not vectors.matrix.size:
        return None
    found = _stretched(vectors.scores(sight.vector), sight.model)
    return found if instead is None else np.where(vectors.at.view == WAITING, instead, found)


def _stretched(cosines: Scores, model: str) -> Scores:
    """Cosines of a model whose texts all point much the same way, so that unrelated ones are at 0 as with others."""
    zero = next((zero for name, zero in UNRELATED.items() if model.startswith(name)), 0.0)
    return np.maximum(cosines - np.float32(zero), 0) / np.float32(1 - zero) if zero else cosines
