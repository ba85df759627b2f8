"""Two users, and what their queries find."""

from __future__ import annotations

from typing import Any

from siltstone import Memory

ANA, BOB = "ana", "bob"


def texts(memory: Memory, query: str, user_id: str = ANA, **options: Any) -> list[str]:
    """The texts that a query finds, best first."""
    return [hit.text for hit in memory.retrieve(query, user_id=user_id, **options)]
