"""The semantic channel: exact cosine between the query's vector and every row's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus


def scores(corpus: Corpus, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines clipped at 0, shape (corpus.size,); 0 for rows without a vector."""
    at = corpus.vector_at.view
    if not corpus.matrix.size:
        return np.zeros(corpus.size, np.float32)
    cosines = np.maximum(corpus.matrix.view @ vector, 0)
    found: NDArray[np.float32] = np.where(at >= 0, cosines[np.maximum(at, 0)], 0).astype(np.float32)
    return np.minimum(found, 1)
