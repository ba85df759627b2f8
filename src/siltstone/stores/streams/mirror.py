"""The copy of a user's partition in this process: decoded, ordered, at one position. It is never asked the server itself.

A mirror is `whole` when it holds every record; else it holds single ones that were asked for, at its position.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

from siltstone.domain.records import Gone, Record, Vector
from siltstone.ports.stores import Position
from siltstone.stores.streams.rows import Name

_BARE = 400
_POINTS = 1_000


class Mirror:
    """What is known of one partition. The caller holds `lock` while it looks or changes something."""

    __slots__ = ("_changes", "_seqs", "lock", "position", "records", "size", "stale", "vectors", "version", "whole")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.vectors: dict[str, Vectors] = {}
        self.clear()

    def clear(self) -> None:
        """Forget everything but which models' vectors are followed."""
        self.position, self.version, self.whole, self.size = Position(), "", False, 0
        self.records: dict[Name, Record | None] = {}
        self._changes: list[Record] = []
        self._seqs: list[int] = []
        self.stale = True
        self.vectors = {model: Vectors() for model in self.vectors}

    def fill(self, position: Position, version: str, records: Iterable[Record]) -> None:
        """Take in all records of that position."""
        found = sorted(records, key=lambda record: (record.seq, record.kind, record.id))
        self.records = {(record.kind, record.id): record for record in found}
        self._changes, self._seqs = found, [record.seq for record in found]
        self.position, self.version, self.whole, self.stale = position, version, True, False
        self.size = sum(map(_weight, found))

    def move(self, position: Position, changed: Sequence[Record], gone: Sequence[Gone]) -> None:
        """Go on to a later position; `changed` are ordered by seq, kind, id."""
        self.position, self.stale = position, False
        self.records |= {(record.kind, record.id): record for record in changed}
        self.records |= {(name.kind, name.id): None for name in gone}
        if not self.whole:
            if len(self.records) > _POINTS:
                self.records.clear()
            return
        for name in gone:
            del self.records[name.kind, name.id]
        self._changes += changed
        self._seqs += [record.seq for record in changed]
        self.size += sum(map(_weight, changed))
        if len(self._changes) > 2 * len(self.records) + 1_000:
            self.fill(position, self.version, list(self.all()))

    def get(self, kind: str, memory_id: str) -> Record | None:
        """The record of a whole mirror."""
        return self.records.get((kind, memory_id))

    def all(self, *, after: int = 0) -> list[Record]:
        """The records whose seq is greater, in order, of a whole mirror."""
        start = bisect_right(self._seqs, after)
        held = self.records
        return [record for record in self._changes[start:] if held.get((record.kind, record.id)) is record]

    def of_kind(self, kind: str) -> Iterator[Record]:
        """The records of that kind by origin, then id, of a whole mirror."""
        found = [record for record in self.records.values() if record is not None and record.kind == kind]
        return iter(sorted(found, key=lambda record: (record.origin, record.id)))

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held."""
        return self.size + sum(held.size for held in self.vectors.values())


class Vectors:
    """The vectors of one model, in order of seq and key. `ready` once all of them were read."""

    __slots__ = ("_list", "_seqs", "keys", "ready", "size")

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self._list: list[Vector] = []
        self._seqs: list[int] = []
        self.ready, self.size = False, 0

    def add(self, vectors: Iterable[Vector]) -> None:
        """Take in newer ones, in order; known ones stay."""
        for vector in vectors:
            if vector.key not in self.keys:
                self.keys.add(vector.key)
                self._list.append(vector)
                self._seqs.append(vector.seq)
                self.size += len(vector.data) + _BARE

    def all(self, *, after: int = 0) -> list[Vector]:
        """Those whose seq is greater."""
        return self._list[bisect_right(self._seqs, after) :]


class Mirrors:
    """The mirrors of the users in use, at most about `limit` bytes; the least recently used ones are dropped."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._reset()

    def of(self, user_id: str) -> Mirror:
        """That user's mirror. A process that forked starts with none: a lock may have been held elsewhere."""
        if self._process != os.getpid():
            self._reset()
        with self._lock:
            found = self._held.get(user_id)
            if found is None:
                found = self._held[user_id] = Mirror()
            self._held.move_to_end(user_id)
            return found

    def weigh(self, user_id: str, mirror: Mirror) -> None:
        """Enter its present size, and drop others until all fit."""
        with self._lock:
            if self._held.get(user_id) is not mirror:
                return
            size = mirror.nbytes
            self._total += size - self._sizes.get(user_id, 0)
            self._sizes[user_id] = size
            while self._total > self._limit and len(self._held) > 1:
                oldest = next(iter(self._held))
                if oldest == user_id:
                    break
                del self._held[oldest]
                self._total -= self._sizes.pop(oldest, 0)

    def _reset(self) -> None:
        self._process, self._lock = os.getpid(), threading.Lock()
        self._held: OrderedDict[str, Mirror] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._total = 0


def _weight(record: Record) -> int:
    return _BARE + 3 * len(record.terms) + 3 * len(str(record.body.get("text", "")))
