"""The projection of one partition: folded again from its journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from siltstone.domain.events import Event
from siltstone.domain.records import Record
from siltstone.ports.stores import Progress, Projector
from siltstone.stores.codec import Overlay
from siltstone.stores.sqlite import rows
from siltstone.stores.sqlite.schema import bounds

_CHUNK = 1000


def rebuild(
    connection: sqlite3.Connection, user: int, user_id: str, projector: Projector, progress: Progress | None = None
) -> None:
    """Fold the journal again and write the records that it gives, inside the caller's transaction; the epoch rises.

    Where the stored records are right but for some that have to go, only those are touched.
    """
    wanted = rows.from_records(user, folded(connection, user, user_id, projector, progress))
    stored = rows.stored_records(connection, user)
    right = set(wanted)
    if wanted == [row for row in stored if row in right]:
        rows.drop_records(connection, [row for row in stored if row not in right])
    else:
        connection.execute("DELETE FROM record WHERE place BETWEEN ? AND ?", bounds(user))
        rows.put_records(connection, user, wanted)
    connection.execute("UPDATE user SET epoch = epoch + 1, version = ? WHERE no = ?", (projector.version, user))


def folded(
    connection: sqlite3.Connection, user: int, user_id: str, projector: Projector, progress: Progress | None = None
) -> list[Record]:
    """The records that the journal gives, ordered by seq, then kind, then id."""
    overlay, done = Overlay(projector, lambda kind, memory_id: None), 0
    total = rows.last(connection, "event", user) - bounds(user)[0] + 1
    for events in journal(connection, user, user_id):
        overlay.apply(events)
        done += len(events)
        if progress is not None:
            progress(done, total)
    return overlay.changed()


def journal(connection: sqlite3.Connection, user: int, user_id: str) -> Iterator[list[Event]]:
    """That user's events in order, in batches."""
    cursor = connection.execute(f"{rows.EVENT} WHERE place BETWEEN ? AND ? ORDER BY place", bounds(user))
    while batch := cursor.fetchmany(_CHUNK):
        yield rows.to_events(batch, user_id)
