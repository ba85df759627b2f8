"""The tables, as numbered migrations: one function a step.

A row's `place` is `user << 32 | n`: the rows of one user lie together and in order, whatever the number of users. In
`event` n is the sequence number; in `record` and `vector` it grows with `seq` (a record that changes moves to the end).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from siltstone.errors import SchemaTooNew, StoreUnavailable

APPLICATION_ID = 0x53696C74  # "Silt"
USER_BITS = 32


def _first(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute("INSERT INTO meta VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))")
    connection.execute(
        "CREATE TABLE user (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, "
        "version TEXT NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE event (place INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, "
        "version INTEGER NOT NULL, at TEXT NOT NULL, payload TEXT NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE record (place INTEGER PRIMARY KEY, user INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, "
        "seq INTEGER NOT NULL, origin INTEGER NOT NULL, live INTEGER NOT NULL, vector_key TEXT NOT NULL, "
        "terms TEXT NOT NULL, body TEXT NOT NULL)"
    )
    connection.execute("CREATE UNIQUE INDEX record_name ON record (user, kind, id)")
    connection.execute(
        "CREATE TABLE vector (place INTEGER PRIMARY KEY, user INTEGER NOT NULL, model TEXT NOT NULL, "
        "key TEXT NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL)"
    )
    connection.execute("CREATE UNIQUE INDEX vector_name ON vector (user, model, key)")


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first,)
"""Step n brings schema version n to n + 1; each runs inside the one transaction that also raises the number."""


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the schema to the newest version; the caller holds the write lock. Raises SchemaTooNew."""
    version = schema_version(connection, path)
    for step in MIGRATIONS[version:]:
        step(connection)
    if version < len(MIGRATIONS):
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def is_current(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether no migration is due. Raises SchemaTooNew, and StoreUnavailable for another program's database."""
    return schema_version(connection, path) == len(MIGRATIONS)


def schema_version(connection: sqlite3.Connection, path: Path) -> int:
    """The number of migrations that ran. Raises SchemaTooNew, and StoreUnavailable for another program's database."""
    # In this order: whoever makes the tables meanwhile has named the owner in the same transaction.
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if owner != APPLICATION_ID and tables:
        raise StoreUnavailable(f"{path} is the database of another program; choose another path for the store")
    if version > len(MIGRATIONS):
        raise SchemaTooNew(
            f"the store {path} has schema {version}, this Siltstone knows schemas up to {len(MIGRATIONS)}; "
            "upgrade: pip install -U siltstone"
        )
    return version if owner == APPLICATION_ID else 0


def bounds(user: int, after: int = 0) -> tuple[int, int]:
    """The lowest and the highest place of that user's rows with n > `after`."""
    return (user << USER_BITS) + after + 1, (user << USER_BITS) + (1 << USER_BITS) - 1
