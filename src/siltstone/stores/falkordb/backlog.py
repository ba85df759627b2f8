"""What the graphs have not been told yet, by user, and the thread that tells them.

A write returns once it is in the journal; its graph follows a moment later, and writes that come fast are told together.
What a process that ended had not told is made up for by the next one that opens the partition.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from siltstone.errors import StoreError
from siltstone.ports.stores import Position
from siltstone.stores.falkordb.batch import Batch
from siltstone.stores.streams.partition import StreamPartition
from siltstone.stores.streams.sink import Change

LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Work:
    """The changes of one partition from `before` to `after`; where these are equal, the graph is left to catch up.

    With `anew`, the graph is to be made again from the partition, whatever it holds; `doubted`, where it differs. With
    `purged`, content is to be gone from it, whoever does the work.
    """

    partition: StreamPartition
    before: Position
    after: Position
    batch: Batch = field(default_factory=Batch)
    anew: bool = False
    doubted: bool = False
    purged: bool = False

    def add(self, change: Change) -> None:
        """Add a later change; where it does not follow on what is here, the graph is left to catch up by itself."""
        if self.after != change.before:
            self.drop(change.before)
        self.after = change.after
        self.batch.take(change.records, change.gone)
        self.batch.take_vectors(change.vectors)

    def drop(self, position: Position) -> None:
        """Forget the changes up to that position."""
        self.before = self.after = position
        self.batch = Batch()

    @property
    def is_whole(self) -> bool:
        """Whether the batch holds all that happened from `before` to `after`."""
        return self.before != self.after and not self.anew and not self.doubted


class Backlog:
    """Work that waits, and one thread that does it, started with the first. `do` is called with a user's id."""

    def __init__(self, do: Callable[[str], None]) -> None:
        self._do = do
        self._thread: threading.Thread | None = None
        self._reset()

    def put(self, partition: StreamPartition, change: Change, *, purged: bool = False) -> None:
        """Have the change told soon."""
        with self._work(partition, change.before) as work:
            work.add(change)
            work.purged = work.purged or purged

    def put_all(self, partition: StreamPartition, *, anew: bool = False, doubted: bool = False) -> None:
        """Have everything told soon that the graph lacks; `anew` and `doubted` as `Work` has them."""
        with self._work(partition, Position()) as work:
            work.drop(Position())
            work.anew, work.doubted = work.anew or anew, work.doubted or doubted

    @contextmanager
    def _work(self, partition: StreamPartition, position: Position) -> Iterator[Work]:
        if self._process != os.getpid():
            self._reset()  # the thread stayed in the parent, and so did what it had to do
        with self._arrived:
            work = self._waiting.setdefault(partition.user_id, Work(partition, position, position))
            yield work
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="siltstone-graph", daemon=True)
                self._thread.start()
            self._arrived.notify_all()

    def take(self, user_id: str) -> Work | None:
        """What waits for that user; it waits no longer."""
        with self._arrived:
            return self._waiting.pop(user_id, None)

    def settle(self) -> None:
        """Do here what waits, and wait for what the thread is at. What fails is logged; the graph catches up later."""
        while waiting := list(self._waiting):
            for user_id in waiting:
                self._try(user_id)
        with self._arrived:
            while self._busy:
                self._arrived.wait()

    def close(self) -> None:
        """Stop the thread, once all that waits is done."""
        if self._process != os.getpid():
            self._reset()
        with self._arrived:
            self._closed = True
            thread, self._thread = self._thread, None
            self._arrived.notify_all()
        if thread is not None:
            thread.join()
        self.settle()

    def _run(self) -> None:
        while True:
            with self._arrived:
                self._busy = False
                self._arrived.notify_all()
                while not self._waiting and not self._closed:
                    self._arrived.wait()
                if self._closed:
                    return
                user_id, self._busy = next(iter(self._waiting)), True
            self._try(user_id)

    def _try(self, user_id: str) -> None:
        try:
            self._do(user_id)
        except StoreError as error:
            LOG.warning("%s; the journal has everything, the graph is made up for later", error)
        except Exception:
            LOG.exception("telling a graph failed; the journal has everything, the graph is made up for later")

    def _reset(self) -> None:
        self._process, self._arrived = os.getpid(), threading.Condition()
        self._waiting: dict[str, Work] = {}
        self._thread, self._busy, self._closed = None, False, False
