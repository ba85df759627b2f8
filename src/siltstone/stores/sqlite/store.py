"""The store in one SQLite file. READ FIRST: opening, and what the store does beyond its partitions."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

from siltstone.errors import InvalidInput, StoreUnavailable
from siltstone.ports.stores import Finding, Progress, Projector
from siltstone.stores.sqlite import health, schema
from siltstone.stores.sqlite.connections import Connections, begin, connect
from siltstone.stores.sqlite.failures import is_busy, translated
from siltstone.stores.sqlite.partition import SQLitePartition

PREFIX = "sqlite://"
_PAUSE = 0.01
_KEPT = 10_000


class SQLiteStore:
    """Keeps all partitions in one file, readable by its owner alone. Many processes may use it at once.

    `location` is a path or a URL: `sqlite:///absolute/path`, `sqlite:///~/in/home`. The file and its directory are made
    where they are missing. `busy_timeout` is how many seconds a write waits for other writers before it raises
    StoreBusy. Raises StoreUnavailable, StoreCorrupt or SchemaTooNew where the file cannot be used.
    """

    def __init__(self, location: str | os.PathLike[str], projector: Projector, *, busy_timeout: float = 30.0) -> None:
        self._path, self._projector = path_of(location), projector
        _create(self._path)
        _prepare(self._path, busy_timeout)
        self._connections = Connections(self._path, busy_timeout)
        self._partitions: dict[str, SQLitePartition] = {}
        self._partitions_of: object = None

    @property
    def url(self) -> str:
        return f"{PREFIX}{self._path}"

    @property
    def path(self) -> Path:
        """The database file."""
        return self._path

    def users(self) -> list[str]:
        return [name for (name,) in self._connections.query("SELECT name FROM user ORDER BY name")]

    def partition(self, user_id: str) -> SQLitePartition:
        file = self._connections.current()
        if file != self._partitions_of:  # another file in its place numbers its users anew
            self._partitions, self._partitions_of = {}, file
        found = self._partitions.get(user_id)
        if found is None:
            found = SQLitePartition(user_id, self._projector, self._connections)
            found.refresh()
            if len(self._partitions) >= _KEPT:
                self._partitions.clear()
            self._partitions[user_id] = found
        return found

    def check(self, *, full: bool = False) -> list[Finding]:
        """As the port says; with `full`, every page and every projection is compared instead of samples."""
        return health.check(self._connections, self._projector, full=full)

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        return health.repair(self._connections, self._projector, progress)

    def close(self) -> None:
        self._connections.close()


def path_of(location: str | os.PathLike[str]) -> Path:
    """The absolute path that a URL or a path names; raises InvalidInput for one that names no file."""
    text = os.fspath(location)
    path = text.removeprefix(PREFIX)
    if path != text and not path.startswith("/"):
        raise InvalidInput(f"{text!r} is not an absolute URL; write sqlite:///absolute/path or sqlite:///~/in/home")
    if path.startswith("/"):
        path = "/" + path.lstrip("/")  # sqlite:////absolute, as other tools write it, and POSIX's own meaning of "//"
    if path.startswith("/~"):
        path = path[1:]
    if not path.strip("/ ") or path == ":memory:" or "\0" in path:
        raise InvalidInput(f"{text!r} names no file; give a path, or memory:// for a store that is not kept")
    return Path(path).expanduser().absolute()


def _create(path: Path) -> None:
    """Make the file with rights for its owner alone, so that SQLite's side files get the same."""
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a directory; name a file in it, such as {path / 'memory.db'}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailable(
            f"the store {path} cannot be made ({error.strerror}); choose another path or allow writing there"
        ) from error


def _prepare(path: Path, busy_timeout: float) -> None:
    """Switch to the write-ahead log and bring the schema up to date, waiting for other processes that do the same."""
    deadline = time.monotonic() + busy_timeout
    connection = None
    try:
        connection = connect(path, min(busy_timeout, 0.1))
        _use_log(connection, deadline)
        if not schema.is_current(connection, path):
            begin(connection, deadline)
            schema.migrate(connection, path)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise translated(error, path, busy_timeout) from error
    finally:
        if connection is not None:
            connection.close()


def _use_log(connection: sqlite3.Connection, deadline: float) -> None:
    """Switch to the write-ahead log; SQLite does not wait for this by itself."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE)
