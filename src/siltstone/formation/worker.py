"""The background worker: forms turns after the call that kept them has returned."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

LOG = logging.getLogger(__name__)


class Worker:
    """One thread, started with the first task, that runs tasks in order. A task that raises is logged and left for later.

    What it had not finished when it is closed, or when the process ends, is still pending in the journal.
    """

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(self, task: Callable[[], object]) -> None:
        """Run the task soon; nothing happens once the worker is closed."""
        with self._lock:
            if self._closed:
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="siltstone-formation", daemon=True)
                self._thread.start()
        self._tasks.put(task)

    def close(self) -> None:
        """Finish the task under way, leave the others, and stop. A second call does nothing."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            self._tasks.put(None)
            thread.join()

    def _run(self) -> None:
        while True:
            task = self._tasks.get()
            if task is None or self._closed:
                return
            try:
                task()
            except Exception:
                LOG.exception("forming a turn failed; it stays pending and is tried again by the next one")
