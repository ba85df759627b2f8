"""The semantic channel: exact cosine between the query's vector and every row's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus


def scores(corpus: Corpus, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines clipped to [0, 1], shape (corpus.size,); 0 for rows without a vector."""
    if not corpus.matrix.size:
        return np.zeros(corpus.size, np.float32)
    at = corpus.vector_at.view
    found: NDArray[np.float32] = (corpus.matrix.view @ vector)[at]
    found[at < 0] = 0
    return np.clip(found, 0, 1, out=found)
