"""A damaged file: what can still be read goes into a new one; the damaged one is kept beside it."""

from __future__ import annotations

import bisect
import contextlib
import itertools
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from siltstone.domain.values import parse_time
from siltstone.ports.stores import Finding
from siltstone.stores.sqlite import schema
from siltstone.stores.sqlite.connections import Connections, Row, connect
from siltstone.stores.sqlite.schema import USER_BITS

SUFFIXES = ("", "-wal", "-shm")
_KEYS = {"user": "no", "event": "place", "vector": "place"}
_LAST = (1 << 63) - 1


def recover(connections: Connections) -> Finding:
    """Replace the file by one with everything that is readable, journals renumbered without gaps.

    The damaged file and its log are renamed, never deleted. Other processes must have closed the store.
    """
    path = connections.path
    fresh, kept = _free(path, "unfinished"), _free(path, "damaged")
    with connections.lock:
        connections.drop_idle()
        counts = copy(path, fresh)
        for suffix in ("-wal", "-shm"):
            if beside(path, suffix).exists():
                beside(path, suffix).rename(beside(kept, suffix))
        os.link(path, kept)
        fresh.replace(path)
    detail = ", ".join(f"{count} {table}s" for table, count in counts.items())
    return Finding(name="integrity", ok=True, detail=f"recovered {detail}; the damaged file is kept as {kept.name}")


def copy(source: Path, target: Path) -> dict[str, int]:
    """Write what is readable in `source` to the new file `target`, without projections; answers how many rows."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with contextlib.closing(connect(source, 1.0)) as old, contextlib.closing(connect(target, 1.0)) as new:
        old.text_factory = lambda data: data.decode("utf-8", "replace")
        new.execute("BEGIN IMMEDIATE")
        schema.migrate(new, target)
        places = _copy_events(old, new)
        vectors = _copy_vectors(old, new, places)
        users = _copy_users(old, new, {place >> USER_BITS for place in places})
        new.execute("COMMIT")
        new.execute("PRAGMA journal_mode = WAL")
    return {"user": users, "event": len(places), "vector": vectors}


def readable(connection: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows that can be read, in order of their keys, leaping over damaged stretches."""
    low: int | None = 0
    while low is not None:
        try:
            for row in connection.execute(f"SELECT * FROM {table} WHERE {_KEYS[table]} >= ? ORDER BY 1", (low,)):
                if isinstance(row[0], int) and row[0] >= low:
                    low = row[0] + 1
                    yield row
            return
        except sqlite3.DatabaseError:
            low = _beyond(connection, table, low)


def beside(path: Path, suffix: str) -> Path:
    """The file of that name with a suffix: SQLite's log and shared memory lie there."""
    return path.with_name(path.name + suffix)


def _beyond(connection: sqlite3.Connection, table: str, low: int) -> int | None:
    """The lowest key after `low` from which reading works again: leaps of growing length, then halving."""
    step = 1
    while not _works(connection, table, low + step):
        if low + step >= _LAST:
            return None
        step = min(step * 2, _LAST - low)
    good, bad = low + step, low + step // 2
    while good - bad > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _works(connection, table, middle) else (good, middle)
    return good


def _works(connection: sqlite3.Connection, table: str, low: int) -> bool:
    try:
        connection.execute(f"SELECT * FROM {table} WHERE {_KEYS[table]} >= ? ORDER BY 1 LIMIT 1", (low,)).fetchone()
    except sqlite3.DatabaseError:
        return False
    return True


def _copy_events(old: sqlite3.Connection, new: sqlite3.Connection) -> dict[int, int]:
    """Copy the sound events, numbered without gaps; answers old place → new place, ascending."""
    places: dict[int, int] = {}
    sound = filter(_is_event, readable(old, "event"))
    for user, rows in itertools.groupby(sound, key=lambda row: row[0] >> USER_BITS):
        for seq, row in enumerate(rows, 1):
            places[row[0]] = (user << USER_BITS) + seq
            new.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", (places[row[0]], *row[1:]))
    return places


def _copy_vectors(old: sqlite3.Connection, new: sqlite3.Connection, places: dict[int, int]) -> int:
    """Copy the sound vectors of known users, each at the new position of the last event up to its own."""
    known, count = list(places), 0
    for place, user, model, key, seq, data in filter(_is_vector, readable(old, "vector")):
        index = bisect.bisect_right(known, (user << USER_BITS) + seq)
        if index and known[index - 1] >> USER_BITS == user:
            moved = places[known[index - 1]] - (user << USER_BITS)
            row = (place, user, model, key, moved, data)
            count += new.execute("INSERT OR IGNORE INTO vector VALUES (?, ?, ?, ?, ?, ?)", row).rowcount
    return count


def _copy_users(old: sqlite3.Connection, new: sqlite3.Connection, owners: set[int]) -> int:
    """Write a row for each user with events; one whose name is lost is called recovered-<number>."""
    names = {row[0]: (row[1], row[2]) for row in readable(old, "user") if isinstance(row[1], str)}
    for user in sorted(owners):
        name, epoch = names.get(user, (f"recovered-{user}", 0))
        epoch = epoch + 1 if isinstance(epoch, int) else 1
        new.execute("INSERT INTO user VALUES (?, ?, ?, '')", (user, name, epoch))
    return len(owners)


def _is_event(row: Row) -> bool:
    _, event_id, kind, version, at, payload = row
    if not all(isinstance(value, str) for value in (event_id, kind, at, payload)) or not isinstance(version, int):
        return False
    try:
        parse_time(at)
        return isinstance(json.loads(payload), dict)
    except ValueError:
        return False


def _is_vector(row: Row) -> bool:
    place, user, model, key, seq, data = row
    numbers = all(isinstance(value, int) for value in (user, seq)) and place >> USER_BITS == user
    return numbers and isinstance(model, str) and isinstance(key, str) and isinstance(data, bytes)


def _free(path: Path, word: str) -> Path:
    """A name beside `path` that no file has."""
    names = (beside(path, f".{word}-{n}") for n in itertools.count(1))
    return next(name for name in names if not name.exists())
