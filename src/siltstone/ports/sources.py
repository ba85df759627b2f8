"""Foreign places that memories are imported from, where those are no files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, runtime_checkable


@runtime_checkable
class Hashes(Protocol):
    """Flat records by key, on somebody's server. Reading changes nothing there."""

    def hashes(self, prefix: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Every record whose key begins so, ordered by key; what is no text reads with replacement characters."""
        ...

    def close(self) -> None:
        """Release the connection."""
        ...
