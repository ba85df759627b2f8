"""Purging: content is erased from the tables, then its bytes from the files."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

from siltstone.domain.events import redact
from siltstone.errors import StoreBusy
from siltstone.stores.codec import encode
from siltstone.stores.sqlite import projection
from siltstone.stores.sqlite.connections import Connections
from siltstone.stores.sqlite.failures import is_busy
from siltstone.stores.sqlite.schema import USER_BITS, bounds

_PAUSE = 0.02
_DUE = "INSERT INTO meta VALUES ('wipe ' || hex(randomblob(8)), 'due')"
_LIST = "SELECT name FROM meta WHERE name LIKE 'wipe %'"
_DONE = "DELETE FROM meta WHERE name = ?"


def redacted(connection: sqlite3.Connection, user: int, user_id: str, ids: frozenset[str]) -> dict[str, int]:
    """Take the content of these memories out of the journal; answers how many events and records held it.

    The records go with the rebuild that has to follow in the same transaction: it also reaches what was derived.
    """
    changed = []
    for events in projection.journal(connection, user, user_id):
        for event in events:
            plain = redact(event, ids)
            if plain is not event:
                changed.append((encode(plain.payload), (user << USER_BITS) + event.seq))
    connection.executemany("UPDATE event SET payload = ? WHERE place = ?", changed)
    connection.execute(_DUE)
    return {"events": len(changed), "records": _count_records(connection, user, ids)}


def erase_orphans(connection: sqlite3.Connection, user: int) -> int:
    """Erase the vectors whose key no record of this user has; answers how many."""
    return connection.execute(
        "DELETE FROM vector WHERE place BETWEEN ? AND ? "
        "AND key NOT IN (SELECT vector_key FROM record WHERE place BETWEEN ? AND ?)",
        (*bounds(user), *bounds(user)),
    ).rowcount


def is_due(connections: Connections) -> bool:
    """Whether a purge was cut short after it erased the rows and before it wiped the files."""
    return bool(connections.query(_LIST))


def wipe(connections: Connections) -> None:
    """Take the bytes of erased rows out of every file: rewrite the database from its live rows, empty the log.

    SQLite's secure deletion zeroes what it deletes, but where a page was split it can leave an older copy of a row in
    the page's unused part; only a rewrite is sure not to carry it over. Raises StoreBusy where others keep reading an
    older state for longer than the wait; the content is then unreachable, and the next purge or `repair` wipes it.
    """
    deadline = time.monotonic() + connections.busy_timeout
    with connections.lock:
        connection = connections.writer()
        try:
            due = connection.execute(_LIST).fetchall()
            _until(lambda: _vacuum(connection), deadline, connections)
            _until(lambda: _truncate(connection), deadline, connections)
            connection.executemany(_DONE, due)
        except sqlite3.Error as error:
            raise connections.failure(error) from error


def _count_records(connection: sqlite3.Connection, user: int, ids: frozenset[str]) -> int:
    names = connection.execute("SELECT id FROM record WHERE user = ?", (user,))
    return sum(memory_id in ids for (memory_id,) in names)


def _truncate(connection: sqlite3.Connection) -> bool:
    """Move the log into the database and empty it; false where a reader still needs the log."""
    (refused, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not refused


def _vacuum(connection: sqlite3.Connection) -> bool:
    """Rewrite the database; false where another writer is at work."""
    try:
        connection.execute("VACUUM")
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        return False
    return True


def _until(attempt: Callable[[], bool], deadline: float, connections: Connections) -> None:
    while not attempt():
        if time.monotonic() > deadline:
            raise _still_read(connections)
        time.sleep(_PAUSE)


def _still_read(connections: Connections) -> StoreBusy:
    return StoreBusy(
        f"the content is erased, but its bytes stay in {connections.path}-wal while other readers look at an older "
        f"state; they did so for {connections.busy_timeout:g} s: end them, then run: siltstone doctor --repair"
    )
