"""One user's partition as plain lists and dicts."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace

from siltstone.domain.events import Draft, Event, mentions, redact
from siltstone.domain.records import Record, Vector
from siltstone.ports.stores import Decide, Position, Progress, Projector, StoreStats
from siltstone.stores.codec import copied, normal, project
from siltstone.stores.inmemory.layers import Journal, Layers

Records = Layers[tuple[str, str], Record]
Vectors = Layers[tuple[str, str], Vector]


@dataclass(slots=True, kw_only=True)
class Content:
    """All that a partition holds. `version` is the projector's that made `records`."""

    version: str
    epoch: int = 0
    events: Journal = field(default_factory=Journal)
    records: Records = field(default_factory=Layers)
    vectors: Vectors = field(default_factory=Layers)

    def copy(self) -> Content:
        """A copy that may be changed and thrown away."""
        return replace(self, events=self.events.copy(), records=self.records.copy(), vectors=self.vectors.copy())

    def append(self, event: Event, projector: Projector) -> None:
        """Add the event and what it projects to."""
        event = replace(event, payload=copied(event.payload))
        self.events.append(event)
        self.project(event, projector)

    def project(self, event: Event, projector: Projector) -> None:
        """Apply one event of the journal to the records."""
        for change in project(event, projector, lambda kind, memory_id: self.records.get((kind, memory_id))):
            if isinstance(change, Record):
                self.records.put((change.kind, change.id), normal(change))
            else:
                self.records.drop((change.kind, change.id))

    def rebuild(self, projector: Projector, progress: Progress | None = None) -> None:
        """Fold the journal anew; the epoch rises."""
        self.records, self.version, self.epoch = Layers(), projector.version, self.epoch + 1
        for done, event in enumerate(self.events, 1):
            self.project(event, projector)
            if progress is not None:
                progress(done, len(self.events))


@dataclass(frozen=True, slots=True)
class ContentView:
    """What a decision sees."""

    content: Content

    @property
    def seq(self) -> int:
        return len(self.content.events)

    def get(self, kind: str, memory_id: str) -> Record | None:
        return self.content.records.get((kind, memory_id))

    def records(self, kind: str) -> Iterator[Record]:
        found = (record for record in self.content.records.values() if record.kind == kind)
        return iter(sorted(found, key=lambda record: (record.origin, record.id)))


class InMemoryPartition:
    """One user's partition. `opened` locks the store and hands out the contents of all users."""

    def __init__(
        self, user_id: str, projector: Projector, opened: Callable[[], AbstractContextManager[dict[str, Content]]]
    ) -> None:
        self._user_id, self._projector, self._opened = user_id, projector, opened
        self._pinned = threading.local()

    @property
    def user_id(self) -> str:
        return self._user_id

    def commit(
        self, decide: Decide, *, model: str = "", vectors: Mapping[str, bytes] | None = None
    ) -> tuple[Event, ...]:
        with self._opened() as contents:
            content = self._content(contents).copy()
            before = len(content.events)
            drafts = tuple(decide(ContentView(content)))
            if not drafts:
                return ()
            self._append(content, drafts)
            for key, data in (vectors or {}).items():
                vector = Vector(key=key, seq=len(content.events), data=bytes(data))
                if (model, key) not in content.vectors:
                    content.vectors.put((model, key), vector)
            contents[self._user_id] = content
            return tuple(content.events.after(before))

    @contextmanager
    def reading(self) -> Iterator[None]:
        before = getattr(self._pinned, "content", None)
        self._pinned.content = self._read()
        try:
            yield
        finally:
            self._pinned.content = before

    def position(self) -> Position:
        content = self._read()
        return Position(seq=len(content.events), epoch=content.epoch)

    def events(self, *, after: int = 0, mentioning: str | None = None) -> Iterator[Event]:
        found = self._read().events.after(max(after, 0))
        return iter([event for event in found if mentioning is None or mentions(event, mentioning)])

    def get(self, kind: str, memory_id: str) -> Record | None:
        return self._read().records.get((kind, memory_id))

    def get_many(self, kind: str, memory_ids: Sequence[str]) -> dict[str, Record]:
        records = self._read().records
        found = ((memory_id, records.get((kind, memory_id))) for memory_id in memory_ids)
        return {memory_id: record for memory_id, record in found if record is not None}

    def records(self, *, after: int = 0) -> Iterator[Record]:
        found = (record for record in self._read().records.values() if record.seq > after)
        return iter(sorted(found, key=lambda record: (record.seq, record.kind, record.id)))

    def vectors(self, model: str, *, after: int = 0) -> Iterator[Vector]:
        stored = self._read().vectors.items()
        found = (vector for (name, _), vector in stored if name == model and vector.seq > after)
        return iter(sorted(found, key=lambda vector: (vector.seq, vector.key)))

    def vector_keys(self, model: str, keys: Collection[str]) -> set[str]:
        vectors = self._read().vectors
        return {key for key in keys if (model, key) in vectors}

    def models(self) -> dict[str, int]:
        return dict(Counter(sorted(model for model, _ in self._read().vectors)))

    def rebuild(self, progress: Progress | None = None) -> None:
        with self._opened() as contents:
            if self._user_id in contents:
                content = contents[self._user_id].copy()
                content.rebuild(self._projector, progress)
                contents[self._user_id] = content

    def purge(self, ids: Collection[str], draft: Draft) -> dict[str, int]:
        with self._opened() as contents:
            content = self._content(contents).copy()
            before = content.copy()
            content.events = Journal([redact(event, frozenset(ids)) for event in before.events])
            self._append(content, [draft])
            content.rebuild(self._projector)
            kept = {record.vector_key for record in content.records.values()}
            content.vectors = Layers({name: vector for name, vector in before.vectors.items() if vector.key in kept})
            contents[self._user_id] = content
            return {
                "events": sum(old is not new for old, new in zip(before.events, content.events, strict=False)),
                "records": sum(name[1] in ids for name in before.records),
                "vectors": len(before.vectors) - len(content.vectors),
            }

    def restore(self, events: Iterable[Event], vectors: Iterable[tuple[str, Vector]]) -> int:
        with self._opened() as contents:
            content = self._content(contents).copy()
            places = self._restore_events(content, events)
            for model, vector in vectors:
                if vector.seq in places:
                    moved = replace(vector, seq=places[vector.seq])
                    if (model, vector.key) not in content.vectors:
                        content.vectors.put((model, vector.key), moved)
            if places:
                contents[self._user_id] = content
            return len(places)

    def stats(self) -> StoreStats:
        content = self._read()
        kinds = Counter(sorted(kind for kind, _ in content.records))
        return StoreStats(events=len(content.events), records=dict(kinds), vectors=self.models())

    def _restore_events(self, content: Content, events: Iterable[Event]) -> dict[int, int]:
        """Append the events that are new; answers where each exported position went."""
        known = {event.id for event in content.events}
        places: dict[int, int] = {}
        for event in events:
            if event.id not in known:
                known.add(event.id)
                places[event.seq] = len(content.events) + 1
                moved = replace(event, user_id=self._user_id, seq=places[event.seq])
                content.append(moved, self._projector)
        return places

    def _append(self, content: Content, drafts: Sequence[Draft]) -> None:
        for draft in drafts:
            event = Event.of(draft, user_id=self._user_id, seq=len(content.events) + 1)
            content.append(event, self._projector)

    def _content(self, contents: dict[str, Content]) -> Content:
        return contents.get(self._user_id) or Content(version=self._projector.version)

    def _read(self) -> Content:
        """What is kept now, or, in a `reading` block, what was kept when it began. It is never changed."""
        with self._opened() as contents:
            return getattr(self._pinned, "content", None) or self._content(contents)
