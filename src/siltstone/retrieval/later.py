"""Vectors that are made later: a worker embeds what was written once writing rests, for models too slow for a write.

What it has not done when the process ends has no vector yet and is said so (`Recall.degraded`); the next write of that
user, or `reindex`, catches up. Reading never starts it: a recall writes nothing.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Sequence

from siltstone.errors import SiltstoneError
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder
from siltstone.ports.stores import Partition
from siltstone.retrieval import reindexing

LOG = logging.getLogger(__name__)
REST = 0.25
"""Seconds without a write after which the worker begins."""
LONGEST_REST = 3.0
"""Seconds after which it begins although writes go on."""


class Later:
    """One thread, started with the first write, that embeds the texts of users who wrote. Safe from any thread."""

    def __init__(self, embedders: Sequence[Embedder], clock: Clock) -> None:
        self._embedders, self._clock = embedders, clock
        self._changed = threading.Condition()
        self._waiting: dict[str, Partition] = {}
        self._since = self._last = 0.0
        self._working = self._closed = False
        self._thread: threading.Thread | None = None
        self._reached: dict[tuple[str, str], int] = {}

    def put(self, partition: Partition) -> None:
        """Embed what that user's texts lack, soon; nothing happens without a slow model, or once this is closed."""
        if not self._embedders:
            return
        with self._changed:
            if self._closed:
                return
            self._last = time.monotonic()
            if not self._waiting:
                self._since = self._last
            self._waiting[partition.user_id] = partition
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="siltstone-embedding", daemon=True)
                self._thread.start()
                # A model's own threads must not outlive the interpreter: a program may end without closing its memory.
                atexit.register(self.close)
            self._changed.notify_all()

    def settle(self, timeout: float = 60.0) -> bool:
        """Wait until everything that was put is embedded or has failed; whether that came to pass in time."""
        with self._changed:
            self._last = self._since = float("-inf")
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._closed or not (self._waiting or self._working), timeout)

    def close(self) -> None:
        """Finish the batch under way and stop. A second call does nothing."""
        with self._changed:
            self._closed, thread, self._thread = True, self._thread, None
            self._changed.notify_all()
        if thread is not None:
            thread.join()
            atexit.unregister(self.close)

    def _run(self) -> None:
        while (partitions := self._due()) is not None:
            for partition in partitions:
                try:
                    self._embed(partition)
                except SiltstoneError as error:
                    LOG.warning("texts of %r have no vector yet: %s", partition.user_id, error)
                except Exception:
                    LOG.exception("embedding the texts of %r failed; siltstone reindex tries again", partition.user_id)
            with self._changed:
                self._working = False
                self._changed.notify_all()

    def _due(self) -> list[Partition] | None:
        """The users to look at, once writing rests; None when this is closed."""
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                rest = min(self._last + REST, self._since + LONGEST_REST) - now
                if self._waiting and rest <= 0:
                    found, self._waiting = list(self._waiting.values()), {}
                    self._working = True
                    return found
                self._changed.wait(rest if self._waiting else None)
        return None

    def _embed(self, partition: Partition) -> None:
        for embedder in self._embedders:
            name = partition.user_id, embedder.fingerprint
            reached = partition.position().seq
            for _ in reindexing.batches(partition, embedder, self._clock, after=self._reached.get(name, 0)):
                if self._closed:
                    return
            self._reached[name] = reached
