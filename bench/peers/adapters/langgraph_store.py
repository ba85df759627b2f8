"""LangGraph's store with a vector index: what LangMem's tools keep memories in."""

from __future__ import annotations

from pathlib import Path

import shared
from langgraph.store.memory import InMemoryStore
from locomo_data import Sample


class LangGraphStore:
    """A namespace a conversation."""

    def __init__(self, embedder: shared.SharedEmbedder) -> None:
        self._embedder = embedder
        self._asking = False
        self._store = InMemoryStore(index={"dims": embedder.dimension, "embed": self._embed, "fields": ["text"]})

    def _embed(self, texts: list[str]) -> list[list[float]]:
        if self._asking:
            return [self._embedder.query(text).tolist() for text in texts]
        return self._embedder.texts(texts).tolist()

    def add(self, sample: Sample) -> None:
        """Put the turns one by one: its batch fails on two equal texts."""
        for turn in sample.turns:
            if turn.text:
                self._store.put(("memories", sample.id), turn.id, {"text": shared.spoken(turn)})

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, nearest first."""
        self._asking = True
        found = self._store.search(("memories", conversation), query=question, limit=depth)
        return [item.key for item in found]


def open_system(folder: Path, vectors: Path, option: str) -> LangGraphStore:
    """The system; it keeps nothing on disk."""
    return LangGraphStore(shared.SharedEmbedder(vectors))
