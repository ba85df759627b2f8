"""Dense only: exact cosine of the shared embedder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shared
from locomo_data import Sample


class Dense:
    """A matrix a conversation."""

    def __init__(self, embedder: shared.SharedEmbedder) -> None:
        self._embedder = embedder
        self._matrices: dict[str, tuple[np.ndarray, list[str]]] = {}

    def add(self, sample: Sample) -> None:
        """Take the turns' vectors."""
        matrix = self._embedder.texts([shared.spoken(turn) for turn in sample.turns])
        self._matrices[sample.id] = matrix, [turn.id for turn in sample.turns]

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, nearest first."""
        matrix, ids = self._matrices[conversation]
        order = np.argsort(-(matrix @ self._embedder.query(question)), kind="stable")
        return [ids[place] for place in order[:depth]]


def open_system(folder: Path, vectors: Path, option: str) -> Dense:
    """The system; it keeps nothing on disk."""
    return Dense(shared.SharedEmbedder(vectors))
