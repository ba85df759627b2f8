"""Memories whose clock stands still until a test moves it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from siltstone import Memory
from siltstone.assembly import assemble
from siltstone.testing.clock import ManualClock


def still(clock: ManualClock, url: str = "memory://", **settings: Any) -> Memory:
    """A memory without an embedder that lives by this clock."""
    parts = assemble(url, {"embedding__provider": "none", **settings})
    return Memory(replace(parts, clock=clock))


def names_of(text: str) -> list[str]:
    """Every capitalised word of a text, taken for an entity."""
    return re.findall(r"\b[A-Z]\w+", text)


def read_names(memory: Memory, user_id: str) -> None:
    """Record for each entry the entities that `names_of` finds in it, as a host's own model would."""
    for entry in memory.list(user_id=user_id):
        entities = [{"type": "thing", "name": name} for name in names_of(entry.text)]
        memory.graph.ingest(entry.id, entities=entities, relations=[], extractor="capitals", user_id=user_id)
