"""SQLite's errors as Siltstone's: what happened, to which file, what to do next."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from siltstone.errors import InvalidInput, StoreBusy, StoreCorrupt, StoreError, StoreUnavailable

_UNAVAILABLE = {
    "SQLITE_CANTOPEN": "check that the path names a file in a directory that exists and can be written",
    "SQLITE_READONLY": "the disk or the file is read-only; choose another path or allow writing",
    "SQLITE_PERM": "allow reading and writing of the file",
    "SQLITE_AUTH": "allow reading and writing of the file",
    "SQLITE_FULL": "free some space on the disk; everything acknowledged so far is safe",
    "SQLITE_IOERR": "check the disk; everything acknowledged so far is in the file",
    "SQLITE_NOTADB": "it is not a SQLite database; choose another path, or move the file away",
    "SQLITE_MISUSE": "the store was closed; open it again before using it",
}


def translated(error: Exception, path: Path, busy_timeout: float) -> Exception:
    """The error to raise in place of `error`; itself where it is none of SQLite's."""
    if isinstance(error, UnicodeEncodeError):
        return InvalidInput(f"an id or a term holds text that UTF-8 has no form for ({error}); remove lone surrogates")
    if not isinstance(error, sqlite3.Error):
        return error
    name = primary(error)
    if is_busy(error):
        return busy(path, busy_timeout)
    if name in _UNAVAILABLE:
        return StoreUnavailable(f"the store {path} cannot be used ({error}): {_UNAVAILABLE[name]}")
    if name == "SQLITE_CORRUPT" or "no such table" in str(error):
        return corrupt(path, str(error))
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return StoreUnavailable(f"the store {path} was closed; open it again before using it")
    return StoreError(f"the store {path} failed ({name or type(error).__name__}: {error}); run: siltstone doctor")


def primary(error: sqlite3.Error) -> str:
    """SQLite's name for the error without its extension: SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT; "" where it has none."""
    name: str = getattr(error, "sqlite_errorname", "") or ""
    return "_".join(name.split("_")[:2])


def busy(path: Path, busy_timeout: float) -> StoreBusy:
    """The error for a wait that ran out."""
    return StoreBusy(
        f"another writer held the store {path} for longer than {busy_timeout:g} s; "
        "try again, look for a process that hangs, or open the store with a longer busy_timeout"
    )


def corrupt(path: Path, detail: str) -> StoreCorrupt:
    """The error for a damaged file."""
    return StoreCorrupt(f"the store {path} is damaged ({detail}); run: siltstone doctor --repair")


def is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else held a lock."""
    return primary(error) in ("SQLITE_BUSY", "SQLITE_LOCKED")
