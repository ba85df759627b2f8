"""The recent channel: the short-term buffer of the conversation under way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus

BUFFER = 10


def scores(corpus: Corpus, session_id: str | None) -> NDArray[np.float32]:
    """1 for the newest turn of that session, falling evenly to 1/10 for the tenth-newest; 0 elsewhere."""
    total = np.zeros(corpus.size, np.float32)
    rows = corpus.session_rows(session_id)[-BUFFER:]
    for age, row in enumerate(reversed(rows)):
        total[row] = 1 - age / BUFFER
    return total
