"""Rows and values: the statements that read and write them, and how one becomes the other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from siltstone.domain.events import Event
from siltstone.domain.records import Record
from siltstone.domain.values import format_time
from siltstone.stores.codec import decode_many, encode
from siltstone.stores.sqlite.connections import Row
from siltstone.stores.sqlite.schema import USER_BITS, bounds

EVENT = "SELECT place, id, kind, version, at, payload FROM event"
RECORD = "SELECT kind, id, seq, origin, live, vector_key, terms, body FROM record"
RECORD_ROWS = "SELECT user, kind, id, seq, origin, live, vector_key, terms, body FROM record"
NAMED = f"{RECORD} WHERE user = ? AND kind = ? AND id = ?"

_ADD_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)"
_NEXT = "(SELECT coalesce(max(place), ?1 - 1) + 1 FROM {} WHERE place BETWEEN ?1 AND ?2)"
_PUT_RECORD = f"INSERT OR REPLACE INTO record VALUES ({_NEXT.format('record')}, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
_DROP_RECORD = "DELETE FROM record WHERE user = ? AND kind = ? AND id = ?"
_ADD_VECTOR = f"INSERT OR IGNORE INTO vector VALUES ({_NEXT.format('vector')}, ?3, ?4, ?5, ?6, ?7)"


def to_events(rows: Sequence[Row], user_id: str) -> list[Event]:
    """The events that these rows of `EVENT` hold."""
    payloads = decode_many([row[5] for row in rows])
    return [
        Event(
            user_id=user_id,
            seq=place & ((1 << USER_BITS) - 1),
            id=event_id,
            kind=kind,
            version=version,
            at=datetime.fromisoformat(at),
            payload=payload,
        )
        for (place, event_id, kind, version, at, _), payload in zip(rows, payloads, strict=True)
    ]


def to_records(rows: Sequence[Row]) -> list[Record]:
    """The records that these rows of `RECORD` hold."""
    bodies = decode_many([row[7] for row in rows])
    return [
        Record(
            kind=kind,
            id=memory_id,
            seq=seq,
            origin=origin,
            body=body,
            terms=terms,
            vector_key=vector_key,
            live=live == 1,
        )
        for (kind, memory_id, seq, origin, live, vector_key, terms, _), body in zip(rows, bodies, strict=True)
    ]


def named(connection: sqlite3.Connection, user: int, kind: str, memory_id: str) -> Record | None:
    """That record as it stands in this connection's transaction."""
    row = connection.execute(NAMED, (user, kind, memory_id)).fetchone()
    return None if row is None else to_records([row])[0]


def add_events(connection: sqlite3.Connection, user: int, events: Iterable[Event]) -> None:
    """Append to the journal."""
    base = user << USER_BITS
    connection.executemany(
        _ADD_EVENT,
        [
            (base + event.seq, event.id, event.kind, event.version, format_time(event.at), encode(event.payload))
            for event in events
        ],
    )


def from_records(user: int, records: Iterable[Record]) -> list[Row]:
    """The rows of `RECORD_ROWS` that hold these records."""
    return [(user, r.kind, r.id, r.seq, r.origin, int(r.live), r.vector_key, r.terms, encode(r.body)) for r in records]


def stored_records(connection: sqlite3.Connection, user: int) -> list[Row]:
    """All rows of `RECORD_ROWS` of that user, in their order."""
    sql = f"{RECORD_ROWS} WHERE place BETWEEN ? AND ? ORDER BY place"
    return connection.execute(sql, bounds(user)).fetchall()


def put_records(connection: sqlite3.Connection, user: int, changed: Sequence[Row]) -> None:
    """Write record rows over those of the same names; they are ordered by seq, and newer than everything stored."""
    span = bounds(user)
    connection.executemany(_PUT_RECORD, [(*span, *row) for row in changed])


def drop_records(connection: sqlite3.Connection, names: Iterable[Row]) -> None:
    """Erase the records whose (user, kind, id) these rows begin with."""
    connection.executemany(_DROP_RECORD, [row[:3] for row in names])


def add_vectors(connection: sqlite3.Connection, user: int, vectors: Sequence[tuple[str, str, int, bytes]]) -> None:
    """Store (model, key, seq, data) rows, ordered by seq and newer than everything stored; known ones stay."""
    span = bounds(user)
    connection.executemany(_ADD_VECTOR, [(*span, user, *vector) for vector in vectors])


def last(connection: sqlite3.Connection, table: str, user: int) -> int:
    """The highest place that this user's rows of the table have taken."""
    low, high = bounds(user)
    (place,) = connection.execute(f"SELECT max(place) FROM {table} WHERE place BETWEEN ? AND ?", (low, high)).fetchone()
    return low - 1 if place is None else int(place)
