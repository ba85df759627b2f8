"""A context on every kind of store, and stand-ins for other people's stores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from servers import STORES, Servers
from siltstone import Memory
from siltstone.context import AgentContext


def letters(text: str) -> list[float]:
    """A vector by letters: 26 counts at unit length."""
    counts = [float(text.lower().count(chr(97 + n))) for n in range(26)]
    length = math.sqrt(sum(number * number for number in counts)) or 1.0
    return [number / length for number in counts]


class OtherStore:
    """Somebody's vector store, in lists; `down` makes writing fail."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[list[float], dict[str, Any]]] = {}
        self.down = False
        self._next = 0

    def embed(self, text: str) -> list[float]:
        """The vector of a text."""
        return letters(text)

    def store_vectors(self, vectors: Sequence[Any], metadata: Sequence[dict[str, Any]]) -> list[str]:
        """Keep vectors; their ids."""
        if self.down:
            raise ConnectionError("the stand-in is down")
        ids = []
        for vector, facts in zip(vectors, metadata, strict=True):
            self._next += 1
            ids.append(f"v{self._next}")
            self.rows[ids[-1]] = ([float(number) for number in vector], facts)
        return ids

    def search_vectors(self, query_vector: Any, k: int) -> list[dict[str, Any]]:
        """The nearest by inner product."""
        found = [
            {"id": item, "score": sum(a * b for a, b in zip(row, query_vector, strict=True)), "metadata": facts}
            for item, (row, facts) in self.rows.items()
        ]
        return sorted(found, key=lambda hit: -hit["score"])[:k]

    def delete_vectors(self, ids: Sequence[str]) -> bool:
        """Take vectors out."""
        return [self.rows.pop(item) for item in ids if item in self.rows] != []


@pytest.fixture(params=STORES)
def engine(request: pytest.FixtureRequest, servers: Servers, tmp_path: Path) -> Iterator[Memory]:
    """A memory without an embedder in every kind of store."""
    with Memory.open(servers.url(request.param, tmp_path), embedding__provider="none") as opened:
        yield opened


@pytest.fixture
def agent(engine: Memory) -> AgentContext:
    """A context over that memory."""
    return AgentContext(memory=engine)


@pytest.fixture
def context() -> Iterator[AgentContext]:
    """A context in the process, without an embedder."""
    with Memory.open("memory://", embedding__provider="none") as opened:
        yield AgentContext(memory=opened)
