"""The memory plugin that Hermes bundles: facts in SQLite, found by FTS5, word overlap and holographic vectors."""

from __future__ import annotations

from pathlib import Path

import shared
from locomo_data import Sample
from plugins.memory.holographic.retrieval import FactRetriever
from plugins.memory.holographic.store import MemoryStore


class Holographic:
    """A database a conversation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._retrievers: dict[str, FactRetriever] = {}
        self._turns: dict[tuple[str, int], str] = {}

    def add(self, sample: Sample) -> None:
        """Add the turns as facts; a repeated text is one fact, which stands for the first turn that has it."""
        store = MemoryStore(self._folder / f"{sample.id}.db")
        for turn in sample.turns:
            self._turns.setdefault((sample.id, store.add_fact(shared.spoken(turn))), turn.id)
        self._retrievers[sample.id] = FactRetriever(store)

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, best first."""
        found = self._retrievers[conversation].search(question, limit=depth)
        return [self._turns[conversation, fact["fact_id"]] for fact in found]


def open_system(folder: Path, vectors: Path, option: str) -> Holographic:
    """The system, in its folder."""
    return Holographic(folder)
