"""One user's partition in SQLite."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from siltstone.domain.events import Draft, Event, mentions
from siltstone.domain.records import Record, Vector
from siltstone.ports.stores import Decide, Position, Progress, Projector, StoreStats
from siltstone.stores.codec import Overlay, needles
from siltstone.stores.sqlite import erasure, projection, rows
from siltstone.stores.sqlite.connections import Connections, Row
from siltstone.stores.sqlite.schema import bounds

_HEAD = (
    "SELECT no, version, epoch, (SELECT max(place) - (no << 32) FROM event "
    "WHERE place BETWEEN (no << 32) + 1 AND (no << 32) + 4294967295) FROM user WHERE name = ?"
)
_CHUNK = 500


class Head(NamedTuple):
    """Where a partition stands: its number, the projection's version, its epoch and position."""

    user: int
    version: str
    epoch: int
    seq: int


@dataclass(frozen=True, slots=True)
class SQLiteView:
    """What a decision sees, inside the write transaction. `user` is 0 where the partition does not exist yet.

    A record is read once: nobody else writes while the transaction is open.
    """

    connection: sqlite3.Connection
    user: int
    position: int
    seen: dict[tuple[str, str], Record | None] = field(default_factory=dict)

    @property
    def seq(self) -> int:
        return self.position

    def get(self, kind: str, memory_id: str) -> Record | None:
        name = kind, memory_id
        if name not in self.seen:
            self.seen[name] = rows.named(self.connection, self.user, kind, memory_id)
        return self.seen[name]

    def records(self, kind: str) -> Iterator[Record]:
        sql = f"{rows.RECORD} WHERE place BETWEEN ? AND ? AND kind = ? ORDER BY origin, id"
        cursor = self.connection.execute(sql, (*bounds(self.user), kind))
        while batch := cursor.fetchmany(_CHUNK):
            yield from rows.to_records(batch)


class SQLitePartition:
    """One user's partition; cheap to make, safe from any thread."""

    def __init__(self, user_id: str, projector: Projector, connections: Connections) -> None:
        self._user_id, self._projector, self._connections = user_id, projector, connections
        self._known: int | None = None

    @property
    def user_id(self) -> str:
        return self._user_id

    def commit(
        self, decide: Decide, *, model: str = "", vectors: Mapping[str, bytes] | None = None
    ) -> tuple[Event, ...]:
        with self._connections.writing() as connection:
            head = self._current(connection)
            view = SQLiteView(connection, head.user, head.seq)
            drafts = tuple(decide(view))
            if not drafts:
                return ()
            events = self._append(connection, head, drafts, view)
            if vectors:
                found = [(model, key, events[-1].seq, vectors[key]) for key in sorted(vectors)]
                rows.add_vectors(connection, self._number(connection, head), found)
        return events

    def reading(self) -> AbstractContextManager[None]:
        return self._connections.pinned()

    def position(self) -> Position:
        head = self._head()
        return Position(seq=head.seq, epoch=head.epoch)

    def events(self, *, after: int = 0, mentioning: str | None = None) -> Iterator[Event]:
        sql = f"{rows.EVENT} WHERE place BETWEEN ? AND ?"
        parameters: tuple[object, ...] = bounds(self._user(), max(after, 0))
        if mentioning is not None:
            sql += " AND (instr(payload, ?) OR instr(payload, ?))"
            parameters += needles(mentioning)
        for batch in self._connections.stream(f"{sql} ORDER BY place", parameters):
            for event in rows.to_events(batch, self._user_id):
                if mentioning is None or mentions(event, mentioning):
                    yield event

    def get(self, kind: str, memory_id: str) -> Record | None:
        found = self._connections.query(rows.NAMED, (self._user(), kind, memory_id))
        return rows.to_records(found)[0] if found else None

    def get_many(self, kind: str, memory_ids: Sequence[str]) -> dict[str, Record]:
        found: dict[str, Record] = {}
        for chunk in _chunks(memory_ids):
            sql = f"{rows.RECORD} WHERE user = ? AND kind = ? AND id IN ({_marks(chunk)})"
            records = rows.to_records(self._connections.query(sql, (self._user(), kind, *chunk)))
            found |= {record.id: record for record in records}
        return {memory_id: found[memory_id] for memory_id in memory_ids if memory_id in found}

    def records(self, *, after: int = 0) -> Iterator[Record]:
        where = "WHERE place BETWEEN ? AND ? ORDER BY place"
        if after <= 0:
            for batch in self._connections.stream(f"{rows.RECORD} {where}", bounds(self._user())):
                yield from rows.to_records(batch)
            return
        found = self._newest(f"{rows.RECORD} {where} DESC", lambda row: row[2] > after)
        yield from rows.to_records(found)

    def vectors(self, model: str, *, after: int = 0) -> Iterator[Vector]:
        where = "FROM vector WHERE place BETWEEN ? AND ?"
        if after <= 0:
            sql = f"SELECT key, seq, data {where} AND model = ? ORDER BY place"
            for batch in self._connections.stream(sql, (*bounds(self._user()), model)):
                yield from [Vector(key=key, seq=seq, data=data) for key, seq, data in batch]
            return
        found = self._newest(f"SELECT key, seq, data, model {where} ORDER BY place DESC", lambda row: row[1] > after)
        yield from [Vector(key=key, seq=seq, data=data) for key, seq, data, name in found if name == model]

    def vector_keys(self, model: str, keys: Collection[str]) -> set[str]:
        found: set[str] = set()
        for chunk in _chunks(list(keys)):
            sql = f"SELECT key FROM vector WHERE user = ? AND model = ? AND key IN ({_marks(chunk)})"
            found.update(key for (key,) in self._connections.query(sql, (self._user(), model, *chunk)))
        return found

    def models(self) -> dict[str, int]:
        sql = "SELECT model, count(*) FROM vector WHERE user = ? GROUP BY model ORDER BY model"
        return dict(self._connections.query(sql, (self._user(),)))

    def rebuild(self, progress: Progress | None = None) -> None:
        with self._connections.writing() as connection:
            head = self._head(connection)
            if head.user:
                projection.rebuild(connection, head.user, self._user_id, self._projector, progress)

    def refresh(self) -> None:
        """Rebuild the projection where another version of the fold made it. Safe from many processes at once."""
        head = self._head()
        if head.user and head.version != self._projector.version:
            with self._connections.writing() as connection:
                self._current(connection)

    def purge(self, ids: Collection[str], draft: Draft) -> dict[str, int]:
        chosen = frozenset(ids)
        with self._connections.writing() as connection:
            head = self._current(connection)
            user = self._number(connection, head)
            erased = erasure.redacted(connection, user, self._user_id, chosen)
            rows.add_events(connection, user, [Event.of(draft, user_id=self._user_id, seq=head.seq + 1)])
            projection.rebuild(connection, user, self._user_id, self._projector)
            erased["vectors"] = erasure.erase_orphans(connection, user)
        erasure.wipe(self._connections)
        return erased

    def restore(self, events: Iterable[Event], vectors: Iterable[tuple[str, Vector]]) -> int:
        with self._connections.writing() as connection:
            head = self._current(connection)
            known = _known_ids(connection, head.user)
            places: dict[int, int] = {}
            for chunk in _batches(event for event in events if event.id not in known):
                moved = _renumbered(chunk, known, places, self._user_id, head.seq)
                if moved:
                    head = head._replace(user=self._number(connection, head))
                    self._write(connection, head.user, moved, SQLiteView(connection, head.user, head.seq))
            if places:
                _restore_vectors(connection, head.user, vectors, places)
        return len(places)

    def stats(self) -> StoreStats:
        sql = "SELECT kind, count(*) FROM record WHERE user = ? GROUP BY kind ORDER BY kind"
        kinds: dict[str, int] = dict(self._connections.query(sql, (self._user(),)))
        return StoreStats(events=self.position().seq, records=kinds, vectors=self.models())

    def _newest(self, sql: str, is_new: Callable[[Row], bool]) -> list[Row]:
        """The rows at the end of the partition for which that is so, in order; `sql` gives the last row first."""
        stream = self._connections.stream(sql, bounds(self._user()))
        found = list(itertools.takewhile(is_new, itertools.chain.from_iterable(stream)))
        stream.close()
        return found[::-1]

    def _append(
        self, connection: sqlite3.Connection, head: Head, drafts: Sequence[Draft], view: SQLiteView
    ) -> tuple[Event, ...]:
        events = tuple(Event.of(draft, user_id=self._user_id, seq=head.seq + n) for n, draft in enumerate(drafts, 1))
        self._write(connection, self._number(connection, head), events, view)
        return events

    def _write(self, connection: sqlite3.Connection, user: int, events: Sequence[Event], view: SQLiteView) -> None:
        rows.add_events(connection, user, events)
        overlay = Overlay(self._projector, view.get)
        overlay.apply(events)
        if gone := overlay.gone():
            rows.drop_records(connection, [(user, name.kind, name.id) for name in gone])
        rows.put_records(connection, user, rows.from_records(user, overlay.changed()))

    def _current(self, connection: sqlite3.Connection) -> Head:
        """The head, inside a write transaction, after bringing the projection to this fold's version."""
        head = self._head(connection)
        if head.user and head.version != self._projector.version:
            projection.rebuild(connection, head.user, self._user_id, self._projector)
        return head

    def _head(self, connection: sqlite3.Connection | None = None) -> Head:
        name = (self._user_id,)
        source = self._connections.query(_HEAD, name) if connection is None else connection.execute(_HEAD, name)
        found = next(iter(source), None)
        if found is None:
            return Head(0, self._projector.version, 0, 0)
        user, version, epoch, seq = found
        return Head(user, version, epoch, seq or 0)

    def _number(self, connection: sqlite3.Connection, head: Head) -> int:
        """The partition's number; makes the partition where there is none."""
        if head.user:
            return head.user
        connection.execute(
            "INSERT OR IGNORE INTO user (name, epoch, version) VALUES (?, 0, ?)",
            (self._user_id, self._projector.version),
        )
        (user,) = connection.execute("SELECT no FROM user WHERE name = ?", (self._user_id,)).fetchone()
        return int(user)

    def _user(self) -> int:
        """The partition's number as committed; 0 where there is none."""
        if self._known is None:
            found = self._connections.query("SELECT no FROM user WHERE name = ?", (self._user_id,))
            if not found:
                return 0
            self._known = found[0][0]
        return self._known


def _known_ids(connection: sqlite3.Connection, user: int) -> set[str]:
    """The ids of all events in that user's journal."""
    return {row[0] for row in connection.execute("SELECT id FROM event WHERE place BETWEEN ? AND ?", bounds(user))}


def _renumbered(
    events: Sequence[Event], known: set[str], places: dict[int, int], user_id: str, before: int
) -> list[Event]:
    """The events with new ids, continuing the journal; notes in `known` and `places` which went where."""
    moved = []
    for event in events:
        if event.id not in known:
            known.add(event.id)
            places[event.seq] = before + len(places) + 1
            moved.append(replace(event, user_id=user_id, seq=places[event.seq]))
    return moved


def _restore_vectors(
    connection: sqlite3.Connection, user: int, vectors: Iterable[tuple[str, Vector]], places: Mapping[int, int]
) -> None:
    """Store the vectors of restored events at those events' new positions, in order whatever order they come in."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS incoming (seq, key, model, data)")
    connection.execute("DELETE FROM incoming")
    connection.executemany(
        "INSERT INTO incoming VALUES (?, ?, ?, ?)",
        ((places[v.seq], v.key, model, v.data) for model, v in vectors if v.seq in places),
    )
    cursor = connection.execute("SELECT model, key, seq, data FROM incoming ORDER BY seq, key, model")
    while batch := cursor.fetchmany(_CHUNK):
        rows.add_vectors(connection, user, batch)
    connection.execute("DROP TABLE incoming")


def _batches(events: Iterable[Event]) -> Iterator[list[Event]]:
    source = iter(events)
    while batch := list(itertools.islice(source, _CHUNK)):
        yield batch


def _chunks(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[start : start + _CHUNK] for start in range(0, len(names), _CHUNK))


def _marks(chunk: Sequence[str]) -> str:
    return ", ".join("?" * len(chunk))
