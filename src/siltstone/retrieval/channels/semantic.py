"""The semantic channel: exact cosine between the query's vector and every row's, for each embedding model by itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.vectors import WAITING

Scores = NDArray[np.float32]


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
    found = vectors.scores(sight.vector)
    return found if instead is None else np.where(vectors.at.view == WAITING, instead, found)
