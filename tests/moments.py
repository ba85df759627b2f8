"""Memories whose clock stands still until a test moves it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from siltstone import Memory
from siltstone.assembly import assemble
from siltstone.retrieval.indexing import Projection
from siltstone.stores.inmemory import InMemoryStore
from siltstone.testing.clock import ManualClock


def still(clock: ManualClock, url: str = "memory://", **settings: Any) -> Memory:
    """A memory without an embedder that lives by this clock."""
    parts = assemble(url, {"embedding__provider": "none", **settings})
    return Memory(replace(parts, clock=clock))


def capitals(text: str) -> Iterator[str]:
    """A finder that takes every capitalised word inside a sentence for an entity."""
    return (found[0] for found in re.finditer(r"(?<=[a-z,] )[A-Z]\w+|^[A-Z]\w+(?= )", text))


def naming(clock: ManualClock, **settings: Any) -> Memory:
    """The same, in a store that marks the entities which `capitals` finds."""
    parts = assemble("memory://", {"embedding__provider": "none", **settings})
    return Memory(replace(parts, clock=clock, store=InMemoryStore(Projection(capitals), url="memory://")))
