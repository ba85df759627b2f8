"""Collections whose copies are cheap: what a commit works on, and what readers go on seeing, without copying it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from siltstone.domain.events import Event

Key = TypeVar("Key")
Value = TypeVar("Value")


class _Gone:
    """Stands where a key was taken away."""


_GONE = _Gone()


class Layers(Generic[Key, Value]):
    """A dict in two layers: one that copies share and nobody changes, and what changed since.

    The upper layer is merged into a new lower one when it has more than the square root of its keys, so that a copy and a
    change cost O(√n) on average. The order of keys is nobody's business.
    """

    __slots__ = ("_lower", "_upper")

    def __init__(self, values: dict[Key, Value] | None = None) -> None:
        self._lower: dict[Key, Value] = values or {}
        self._upper: dict[Key, Value | _Gone] = {}

    def copy(self) -> Layers[Key, Value]:
        """A copy that may be changed without changing this one."""
        if len(self._upper) ** 2 > len(self._lower):
            return Layers(dict(self.items()))
        made: Layers[Key, Value] = Layers(self._lower)
        made._upper = {**self._upper}
        return made

    def get(self, key: Key) -> Value | None:
        """The value, or None."""
        found = self._upper.get(key)
        if found is None:
            return self._lower.get(key)
        return None if isinstance(found, _Gone) else found

    def put(self, key: Key, value: Value) -> None:
        """Set the value."""
        self._upper[key] = value

    def drop(self, key: Key) -> None:
        """Take the key away, if it is there."""
        self._upper[key] = _GONE

    def items(self) -> Iterator[tuple[Key, Value]]:
        """Keys and values."""
        yield from ((key, value) for key, value in self._lower.items() if key not in self._upper)
        yield from ((key, value) for key, value in self._upper.items() if not isinstance(value, _Gone))

    def values(self) -> Iterator[Value]:
        """The values."""
        return (value for _, value in self.items())

    def __iter__(self) -> Iterator[Key]:
        return (key for key, _ in self.items())

    def __contains__(self, key: Key) -> bool:
        return self.get(key) is not None

    def __len__(self) -> int:
        return sum(1 for _ in self.items())


class Journal:
    """Events in order. Copies share one list and know how much of it is theirs; only the newest copy may be added to."""

    __slots__ = ("_count", "_events")

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self._events = [*events]
        self._count = len(self._events)

    def copy(self) -> Journal:
        """A copy that may be added to; what it adds is not in this one."""
        made = Journal.__new__(Journal)
        made._events, made._count = self._events, self._count
        return made

    def append(self, event: Event) -> None:
        """Add one at the end, in place of what a copy that was thrown away had added there."""
        del self._events[self._count :]
        self._events.append(event)
        self._count += 1

    def after(self, count: int) -> list[Event]:
        """Those after the first `count`."""
        return self._events[count : self._count]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.after(0))

    def __len__(self) -> int:
        return self._count
