"""One user's partition: written to the server, read from the mirror."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from siltstone.domain.events import Draft, Event, mentions
from siltstone.domain.records import Record, Vector
from siltstone.errors import StoreError
from siltstone.ports.stores import Decide, Position, Progress, StoreStats
from siltstone.stores.codec import needles
from siltstone.stores.streams import failures, pages, rewrite, rows
from siltstone.stores.streams.decide import decided
from siltstone.stores.streams.follow import Moved
from siltstone.stores.streams.mirror import Mirror
from siltstone.stores.streams.server import Command
from siltstone.stores.streams.steps import Shared, Steps


class StreamPartition:
    """One user's partition; safe from any thread."""

    def __init__(self, user_id: str, shared: Shared) -> None:
        self._user_id, self._shared = user_id, shared
        self.steps = Steps(self, user_id, shared)
        self.server, self.keys = shared.server, self.steps.keys
        self._follower = self.steps.follower
        self._held = threading.local()

    @property
    def user_id(self) -> str:
        return self._user_id

    @property
    def exists(self) -> bool:
        """Whether it had an event when it was last looked at."""
        with self.mirror() as mirror:
            return mirror.position.seq > 0

    def commit(
        self, decide: Decide, *, model: str = "", vectors: Mapping[str, bytes] | None = None
    ) -> tuple[Event, ...]:
        deadline = time.monotonic() + self.server.busy_timeout
        with self.mirror() as mirror:
            while True:
                try:
                    change = decided(self.steps, mirror, decide, model, vectors or {})
                except Moved:
                    self._follower.refresh(mirror)
                except StoreError:
                    raise
                except Exception:
                    if not self._follower.refresh(mirror):  # else it was decided on an older state
                        raise
                else:
                    if change is None and not self._follower.refresh(mirror):
                        return ()
                    if change is not None and self.steps.apply(mirror, change):
                        return tuple(change.events)
                if time.monotonic() > deadline:
                    raise failures.contended(self.server.address, self.server.busy_timeout)

    def position(self) -> Position:
        with self._current() as mirror:
            return mirror.position

    def events(self, *, after: int = 0, mentioning: str | None = None) -> Iterator[Event]:
        start = max(after, 0) + 1
        found = pages.of(self.server, self.keys, start, needles(mentioning) if mentioning is not None else None)
        for entries in found:
            for event in rows.to_events(entries, self._user_id):
                if mentioning is None or mentions(event, mentioning):
                    yield event

    def get(self, kind: str, memory_id: str) -> Record | None:
        return self.get_many(kind, [memory_id]).get(memory_id)

    def get_many(self, kind: str, memory_ids: Sequence[str]) -> dict[str, Record]:
        with self._current() as mirror:
            if mirror.whole:
                held = {memory_id: mirror.records.get((kind, memory_id)) for memory_id in memory_ids}
                return {memory_id: record for memory_id, record in held.items() if record is not None}
        if not memory_ids:
            return {}
        fields = list(dict.fromkeys(rows.field_of((kind, memory_id)) for memory_id in memory_ids))
        texts = self.server.one("HMGET", self.keys.records, *fields)
        found = {field.encode(): text for field, text in zip(fields, texts, strict=True) if text is not None}
        return {record.id: record for record in rows.to_records(found, self._user_id)}

    def records(self, *, after: int = 0) -> Iterator[Record]:
        with self._whole() as mirror:
            return iter(mirror.all(after=after))

    def vectors(self, model: str, *, after: int = 0) -> Iterator[Vector]:
        with self._whole() as mirror:
            return iter(self._follower.follow(mirror, model).all(after=after))

    def vector_keys(self, model: str, keys: Collection[str]) -> set[str]:
        asked = list(keys)
        if not asked:
            return set()
        found = self.server.one("SMISMEMBER", self.keys.known(model), *asked)
        return {key for key, there in zip(asked, found, strict=True) if there}

    def models(self) -> dict[str, int]:
        counts = rows.paired(self.server.one("HGETALL", self.keys.models))
        return {name.decode(): int(counts[name]) for name in sorted(counts)}

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self.mirror() as mirror:
            outermost = getattr(self._held, "mirror", None) is None
            if outermost:
                self._follower.refresh(mirror)
                self._held.mirror = mirror
            try:
                yield
            finally:
                if outermost:
                    self._held.mirror = None

    def rebuild(self, progress: Progress | None = None) -> None:
        with self.mirror() as mirror:
            rewrite.rebuild(self.steps, mirror, progress)

    def refresh(self) -> None:
        """Rebuild the projection where another version of the fold made it. Safe from many processes at once."""
        with self.mirror() as mirror:
            self._follower.begin(mirror)
            self.steps.require_version(mirror)

    def purge(self, ids: Collection[str], draft: Draft) -> dict[str, int]:
        with self.mirror() as mirror:
            return rewrite.purge(self.steps, mirror, frozenset(ids), draft)

    def restore(self, events: Iterable[Event], vectors: Iterable[tuple[str, Vector]]) -> int:
        with self.mirror() as mirror:
            return rewrite.restore(self.steps, mirror, list(events), list(vectors))

    def stats(self) -> StoreStats:
        names = self.server.one("HKEYS", self.keys.records)
        kinds = Counter(sorted(rows.name_of(name)[0] for name in names))
        return StoreStats(events=self.position().seq, records=dict(kinds), vectors=self.models())

    def beside(self, make: Callable[[Mirror], Sequence[Command]]) -> None:
        """Run commands of a sink, made from all records, where nothing moved since they were made; for sinks."""
        deadline = time.monotonic() + self.server.busy_timeout
        with self.mirror() as mirror:
            while True:
                self._follower.refresh(mirror)
                if not mirror.whole:
                    self._follower.load(mirror)
                if self.steps.beside(mirror, make(mirror)):
                    return
                if time.monotonic() > deadline:
                    raise failures.contended(self.server.address, self.server.busy_timeout)

    @contextmanager
    def mirror(self) -> Iterator[Mirror]:
        """The mirror, for this thread alone while the block runs; it may be behind. For the modules of this folder."""
        self.server.require_open()
        mirror = getattr(self._held, "mirror", None) or self._shared.mirrors.of(self._user_id)
        with mirror.lock:
            yield mirror
        self._shared.mirrors.weigh(self._user_id, mirror)

    @contextmanager
    def _current(self) -> Iterator[Mirror]:
        """The mirror, up to date: as it was at the beginning of a `reading` block, or as it is now."""
        with self.mirror() as mirror:
            if getattr(self._held, "mirror", None) is None:
                self._follower.refresh(mirror)
            yield mirror

    @contextmanager
    def _whole(self) -> Iterator[Mirror]:
        """The same, holding every record."""
        with self._current() as mirror:
            if not mirror.whole:
                self._follower.load(mirror)
            yield mirror
