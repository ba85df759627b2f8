"""The graph channel: rows that speak of what the entities of the query lead to.

Who is named and what that leads to is found by `knowledge`; here each entry that was reached has its score: the walk's
(product of edge weights, halved with each further step) times the rarity of the entity that it came by.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.values import ENTRY
from siltstone.retrieval.corpus import Corpus


def scores(corpus: Corpus, linked: Mapping[str, float]) -> NDArray[np.float32]:
    """The score of each row, shape (corpus.size,); 0 for rows that the walk did not reach."""
    total = np.zeros(corpus.size, np.float32)
    for entry_id, score in linked.items():
        row = corpus.row(ENTRY, entry_id)
        if row >= 0:
            total[row] = score
    return total
