"""The short-term buffer: the newest items, within a count and a number of tokens; the oldest go first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from siltstone.context.items import MemoryItem


class Buffer:
    """One user's buffer. An item that alone exceeds the tokens is kept alone, and marked."""

    def __init__(self, count: int, tokens: int, measure: Callable[[str], int]) -> None:
        self.count, self.tokens, self._measure = count, tokens, measure
        self.items: list[MemoryItem] = []

    def __iter__(self) -> Iterator[MemoryItem]:
        return iter(self.items)

    def put(self, item: MemoryItem) -> None:
        """Append an item, or put it in the place of the one with its id; then prune."""
        self.drop(item.memory_id)
        self.items.append(item)
        self.prune()

    def drop(self, memory_id: str | None) -> None:
        """Take out the item of that id, where it is there."""
        self.items[:] = [item for item in self.items if item.memory_id != memory_id]

    def prune(self) -> int:
        """Drop the oldest items until both limits hold, but never the newest; how many were dropped."""
        sizes = [self._measure(item.content) for item in self.items]
        for item, size in zip(self.items, sizes, strict=True):
            item.oversized = size > self.tokens
        start, total = max(len(sizes) - self.count, 0), sum(sizes)
        total -= sum(sizes[:start])
        while start < len(sizes) - 1 and total > self.tokens:
            total -= sizes[start]
            start += 1
        del self.items[:start]
        return start

    def used(self) -> int:
        """The tokens that the items hold."""
        return sum(self._measure(item.content) for item in self.items)
