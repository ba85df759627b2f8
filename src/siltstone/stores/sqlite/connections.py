"""The connections to one file: one for writing, guarded by a lock, and a pool for reading.

A reader is taken for one query, or for as long as a stream is read, so that each query sees everything committed before
it and no reader waits for a writer. Before this process forks, idle connections are closed: SQLite's must not cross it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import quote

from siltstone.errors import StoreUnavailable
from siltstone.stores.sqlite.failures import busy, is_busy, translated

Row = tuple[Any, ...]
BATCH = 256
_POLL_MS = 25
_IDLE = 8
_JOURNAL_LIMIT = 64 << 20


class Reader(NamedTuple):
    """A connection for reading, and the file that it reads."""

    connection: sqlite3.Connection
    file: tuple[int, int]


class Pin:
    """A reader that several use in turn: the block that pinned it, and the streams that began in it."""

    __slots__ = ("_uses", "reader")

    def __init__(self, reader: Reader) -> None:
        self.reader, self._uses = reader, 1

    def take(self) -> Reader:
        """Use it as well."""
        self._uses += 1
        return self.reader

    def give(self) -> bool:
        """End one use; whether that was the last one."""
        self._uses -= 1
        return self._uses == 0


class Pins(threading.local):
    """What this thread has pinned."""

    held: Pin | None = None


class Connections:
    """All connections that this process has to the file at `path`."""

    def __init__(self, path: Path, busy_timeout: float) -> None:
        self.path, self.busy_timeout = path, busy_timeout
        self.lock = threading.RLock()
        self._writer: sqlite3.Connection | None = None
        self._idle: deque[Reader] = deque()
        self._pins = Pins()
        self._closed = False
        self._name = str(path)
        self._file = _file_at(self._name)
        FORKS.watch(self)

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """All rows of one query."""
        pin = self._pins.held
        reader = self._take() if pin is None else pin.reader
        try:
            rows: list[Row] = reader.connection.execute(sql, parameters).fetchall()
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self.failure(error) from error
        finally:
            if pin is None:
                self._give(reader)
        return rows

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Generator[list[Row], None, None]:
        """The rows of one query in batches, all from the same state of the store."""
        with self.reading() as connection:
            cursor = connection.execute(sql, parameters)
            try:
                while rows := cursor.fetchmany(BATCH):
                    yield rows
            finally:
                with suppress(sqlite3.ProgrammingError):  # at exit the connection may be closed before its cursor
                    cursor.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A reader of one's own, or the one of this thread's `pinned` block."""
        pin = self._pins.held
        reader = self._take() if pin is None else pin.take()
        try:
            yield reader.connection
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self.failure(error) from error
        finally:
            if pin is None or pin.give():
                self._give(reader)

    @contextmanager
    def pinned(self) -> Iterator[None]:
        """A block in which this thread's queries all see the state that the first of them sees."""
        if self._pins.held is not None:
            yield
            return
        reader = self._take()
        pin = self._pins.held = Pin(reader)
        try:
            with self.reading() as connection:
                connection.execute("BEGIN")
            yield
        finally:
            self._pins.held = None
            if reader.connection.in_transaction:
                reader.connection.execute("ROLLBACK")
            if pin.give():
                self._give(reader)

    def writing(self) -> Writing:
        """A write transaction, as a context: committed at its end, rolled back by an exception."""
        return Writing(self)

    def writer(self) -> sqlite3.Connection:
        """The connection for writing; the caller holds `lock`."""
        self._require_usable()
        if self._writer is None:
            self._writer = self._connect(timeout=_POLL_MS / 1000)
        return self._writer

    def failure(self, error: Exception) -> Exception:
        """The error to raise in place of `error`."""
        return translated(error, self.path, self.busy_timeout)

    def drop_idle(self) -> None:
        """Close what is not in use; later calls open anew. The caller holds `lock`."""
        with suppress(IndexError):
            while True:
                self._idle.pop().connection.close()
        if self._writer is not None and not self._writer.in_transaction:
            self._writer.close()
            self._writer = None

    def close(self) -> None:
        """Close everything; a stream that is still read keeps its connection to its end."""
        with self.lock:
            self._closed = True
            self.drop_idle()

    def current(self) -> object:
        """What identifies the file that is open now; raises StoreUnavailable where it is gone or the store closed."""
        self._require_usable()
        return self._file

    def _take(self) -> Reader:
        self._require_usable()
        try:
            return self._idle.pop()
        except IndexError:
            return Reader(self._connect(timeout=self.busy_timeout), self._file)

    def _give(self, reader: Reader) -> None:
        if self._closed or reader.file != self._file or len(self._idle) >= _IDLE:
            reader.connection.close()
        else:
            self._idle.append(reader)

    def _require_usable(self) -> None:
        """Raise where the store was closed or its file is gone; follow a file that was put in its place."""
        if self._closed:
            raise StoreUnavailable(f"the store {self.path} was closed; open it again before using it")
        file = _file_at(self._name)
        if file != self._file:
            with self.lock:
                self.drop_idle()
                self._file = file

    def _connect(self, timeout: float) -> sqlite3.Connection:
        try:
            return connect(self.path, timeout)
        except sqlite3.Error as error:
            raise self.failure(error) from error


class Writing:
    """One write transaction. Waits for its turn among threads and processes, then raises StoreBusy."""

    __slots__ = ("_connection", "_connections")

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def __enter__(self) -> sqlite3.Connection:
        connections = self._connections
        deadline = time.monotonic() + connections.busy_timeout
        if not connections.lock.acquire(timeout=connections.busy_timeout):
            raise busy(connections.path, connections.busy_timeout)
        try:
            self._connection = connections.writer()
            begin(self._connection, deadline)
        except BaseException as error:
            connections.lock.release()
            if isinstance(error, sqlite3.Error):
                raise connections.failure(error) from error
            raise
        return self._connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._connection.execute("COMMIT")
        except sqlite3.Error as refusal:
            raise self._connections.failure(refusal) from refusal
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._connections.lock.release()
        if isinstance(error, (sqlite3.Error, UnicodeEncodeError)):
            raise self._connections.failure(error) from error


def connect(path: Path, timeout: float) -> sqlite3.Connection:
    """A connection to a file that exists; it waits `timeout` seconds for a lock, syncs each commit, wipes what it deletes."""
    uri = f"file:{quote(str(path))}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_JOURNAL_LIMIT}")
    return connection


def begin(connection: sqlite3.Connection, deadline: float) -> None:
    """Take the write lock, trying until the deadline on the monotonic clock.

    SQLite's own wait sleeps longer with each try, up to 0.1 s, and so starves among busy writers; short waits do not.
    """
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise


def _file_at(path: str) -> tuple[int, int]:
    """What tells the file from others that get its name; raises StoreUnavailable where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 (half the time of Path.stat, on every call of the store)
    except OSError as error:
        raise StoreUnavailable(
            f"the store {path} is gone: it was moved or deleted while it was open; put it back, or open the store again"
        ) from error
    return found.st_dev, found.st_ino


class Forks:
    """Those that let go of their idle connections before this process forks. The first one registers the hooks."""

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._watched: weakref.WeakSet[Connections] = weakref.WeakSet()
        self._held: list[Connections] = []
        self._registered = False

    def watch(self, connections: Connections) -> None:
        """Have these let go as well."""
        with self._gate:
            self._watched.add(connections)
            if not self._registered:
                os.register_at_fork(before=self._let_go, after_in_parent=self._go_on, after_in_child=self._go_on)
                self._registered = True

    def _let_go(self) -> None:
        self._gate.acquire()
        self._held = list(self._watched)
        for connections in self._held:
            connections.lock.acquire()
            connections.drop_idle()

    def _go_on(self) -> None:
        while self._held:
            self._held.pop().lock.release()
        self._gate.release()


FORKS = Forks()
