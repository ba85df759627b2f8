"""Plain BM25: the calibration row."""

from __future__ import annotations

from pathlib import Path

import shared
from bm25 import BM25
from locomo_data import Sample


class PlainBM25:
    """An index a conversation."""

    def __init__(self) -> None:
        self._indexes: dict[str, tuple[BM25, list[str]]] = {}

    def add(self, sample: Sample) -> None:
        """Index the turns."""
        index = BM25([shared.spoken(turn) for turn in sample.turns])
        self._indexes[sample.id] = index, [turn.id for turn in sample.turns]

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, best first."""
        index, ids = self._indexes[conversation]
        return [ids[place] for place in index.rank(question, depth)]


def open_system(folder: Path, vectors: Path, option: str) -> PlainBM25:
    """The system; it keeps nothing on disk."""
    return PlainBM25()
