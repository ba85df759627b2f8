"""What `doctor` asks: is the file sound, and can it be mended?"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

from siltstone.errors import StoreError
from siltstone.ports.stores import Finding, Progress, Projector
from siltstone.stores.sqlite import erasure, projection, recovery, rows, schema
from siltstone.stores.sqlite.connections import Connections
from siltstone.stores.sqlite.schema import bounds

SAMPLE_USERS, SAMPLE_EVENTS = 20, 2_000
_REPAIR = "siltstone doctor --repair"
_REOPEN = "close the store and open it again"
_USERS = "SELECT no, name, version FROM user ORDER BY no"
_SPANS = (
    "SELECT no, name, (SELECT count(*) FROM event WHERE place BETWEEN no << 32 AND (no << 32) + 4294967295), "
    "(SELECT max(place) - (no << 32) FROM event WHERE place BETWEEN no << 32 AND (no << 32) + 4294967295) FROM user"
)
User = tuple[int, str, str]


def check(connections: Connections, projector: Projector, *, full: bool) -> list[Finding]:
    """One finding a rule, in a fixed order; a rule that cannot be looked at because of damage is a finding, too."""
    rules: dict[str, Callable[[], Finding]] = {
        "integrity": lambda: _integrity(connections, full=full),
        "schema": lambda: _schema(connections),
        "log": lambda: _log(connections),
        "permissions": lambda: _permissions(connections),
        "journal": lambda: _journal(connections),
        "projections": lambda: _projections(connections, projector, full=full),
        "erasure": lambda: _erasure(connections),
    }
    return [_guarded(name, rule) for name, rule in rules.items()]


def repair(connections: Connections, projector: Projector, progress: Progress | None) -> list[Finding]:
    """Mend what `check` found; what is damaged in the file itself is recovered into a new one, the old one kept."""
    found = {finding.name: finding for finding in check(connections, projector, full=True)}
    done = []
    if not found["integrity"].ok or not found["journal"].ok:
        done.append(_mend_file(connections))
    if not found["permissions"].ok:
        done.append(_mend_permissions(connections))
    done.append(_mend_projections(connections, projector, progress))
    if not found["erasure"].ok:
        erasure.wipe(connections)
        done.append(Finding(name="erasure", ok=True, detail="an interrupted purge was finished"))
    return done


def _guarded(name: str, rule: Callable[[], Finding]) -> Finding:
    try:
        return rule()
    except StoreError as error:
        return Finding(name=name, ok=False, detail=str(error), remedy=_REPAIR)


def _integrity(connections: Connections, *, full: bool) -> Finding:
    (first, *_) = connections.query(f"PRAGMA {'integrity_check' if full else 'quick_check'}(1)")
    ok = first[0] == "ok"
    return Finding(name="integrity", ok=ok, detail=str(first[0]), remedy="" if ok else _REPAIR)


def _schema(connections: Connections) -> Finding:
    with connections.reading() as connection:
        version = schema.schema_version(connection, connections.path)
    newest = len(schema.MIGRATIONS)
    detail = f"schema {version} of {newest}, SQLite {sqlite3.sqlite_version}"
    return Finding(name="schema", ok=version == newest, detail=detail, remedy="" if version == newest else _REOPEN)


def _log(connections: Connections) -> Finding:
    mode = connections.query("PRAGMA journal_mode")[0][0]
    ok = mode == "wal"
    return Finding(name="log", ok=ok, detail=f"journal mode {mode}", remedy="" if ok else _REOPEN)


def _permissions(connections: Connections) -> Finding:
    wide = [f"{path.name} {mode:04o}" for path, mode in _modes(connections).items() if mode & 0o077]
    detail = f"readable by others: {', '.join(wide)}" if wide else "readable by the owner alone"
    return Finding(name="permissions", ok=not wide, detail=detail, remedy=_REPAIR if wide else "")


def _journal(connections: Connections) -> Finding:
    spans = connections.query(_SPANS)
    gaps = [name for _, name, count, newest in spans if count != (newest or 0)]
    strays = connections.query("SELECT count(*) FROM event WHERE place >> 32 NOT IN (SELECT no FROM user)")[0][0]
    detail = f"{sum(span[2] for span in spans)} events of {len(spans)} users"
    if gaps or strays:
        detail += f"; gaps in {len(gaps)} journals ({', '.join(map(repr, gaps[:3]))}), {strays} events of no user"
    ok = not gaps and not strays
    return Finding(name="journal", ok=ok, detail=detail, remedy="" if ok else _REPAIR)


def _projections(connections: Connections, projector: Projector, *, full: bool) -> Finding:
    with connections.reading() as connection:
        connection.execute("BEGIN")
        try:
            users = connection.execute(_USERS).fetchall()
            outdated = {name for _, name, version in users if version != projector.version}
            looked = [user for user in users if user[1] not in outdated]
            looked = looked if full else _sample(connection, looked)
            damaged = [user[1] for user in looked if not _matches(connection, user, projector)]
        finally:
            connection.execute("ROLLBACK")
    detail = f"{len(users)} users, {len(looked)} compared with their journal, {len(damaged)} differ, "
    detail += f"{len(outdated)} outdated"
    ok = not damaged and not outdated
    return Finding(name="projections", ok=ok, detail=detail, remedy="" if ok else _REPAIR)


def _erasure(connections: Connections) -> Finding:
    due = erasure.is_due(connections)
    detail = "a purge was cut short: its bytes may still be in the files" if due else "nothing left to wipe"
    return Finding(name="erasure", ok=not due, detail=detail, remedy=_REPAIR if due else "")


def _sample(connection: sqlite3.Connection, users: list[User]) -> list[User]:
    """At most SAMPLE_USERS users with short journals, evenly spread."""
    spread = users[:: max(1, len(users) // SAMPLE_USERS)][:SAMPLE_USERS]
    return [user for user in spread if rows.last(connection, "event", user[0]) - bounds(user[0])[0] < SAMPLE_EVENTS]


def _matches(connection: sqlite3.Connection, user: User, projector: Projector) -> bool:
    """Whether the stored records are what the journal gives."""
    number, name, _ = user
    wanted = rows.from_records(number, projection.folded(connection, number, name, projector))
    return wanted == rows.stored_records(connection, number)


def _modes(connections: Connections) -> dict[Path, int]:
    files = (recovery.beside(connections.path, suffix) for suffix in recovery.SUFFIXES)
    return {path: stat.S_IMODE(path.stat().st_mode) for path in files if path.exists()}


def _mend_permissions(connections: Connections) -> Finding:
    for path in _modes(connections):
        path.chmod(0o600)
    return Finding(name="permissions", ok=True, detail="now readable by the owner alone")


def _mend_file(connections: Connections) -> Finding:
    """Rebuild the indexes; where that is not enough, recover into a new file."""
    try:
        with connections.writing() as connection:
            connection.execute("REINDEX")
        if _integrity(connections, full=True).ok and _journal(connections).ok:
            return Finding(name="integrity", ok=True, detail="the indexes were rebuilt")
    except StoreError:
        pass  # the damage is in the tables: what follows reads round it
    return recovery.recover(connections)


def _mend_projections(connections: Connections, projector: Projector, progress: Progress | None) -> Finding:
    """Rebuild those that are outdated or differ from their journal."""
    users, rebuilt = connections.query(_USERS), 0
    for done, user in enumerate(users, 1):
        with connections.writing() as connection:
            if user[2] != projector.version or not _matches(connection, user, projector):
                projection.rebuild(connection, user[0], user[1], projector)
                rebuilt += 1
        if progress is not None:
            progress(done, len(users))
    return Finding(name="projections", ok=True, detail=f"{rebuilt} of {len(users)} rebuilt from their journals")
