"""Siltstone through its public API, at its defaults; `option` names the embedder that is installed."""

from __future__ import annotations

import time
from pathlib import Path

from locomo import remember
from locomo_data import Sample

from siltstone import Memory


class Ours:
    """A user a conversation."""

    def __init__(self, folder: Path, provider: str) -> None:
        self._memory = Memory.open(f"sqlite:///{folder}/memory.db", embedding__provider=provider)
        self._turns: dict[str, str] = {}
        self.embedded = 0.0

    def add(self, sample: Sample) -> None:
        """Add the turns, a session a call, and make at once what is made in the background."""
        self._turns |= remember(self._memory, sample, False, reindex=False)
        if self._memory.embedder is not None:
            began = time.perf_counter()
            self._memory.reindex(user_id=sample.id)
            self.embedded += time.perf_counter() - began

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, best first."""
        return [self._turns[hit.id] for hit in self._memory.retrieve(question, user_id=conversation, top_k=depth).hits]


def open_system(folder: Path, vectors: Path, option: str) -> Ours:
    """The system, in its folder."""
    return Ours(folder, option)
