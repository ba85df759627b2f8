"""One background thread that does jobs in order, each key at most once in the queue; started by the first job."""

from __future__ import annotations

import gc
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

Answer = TypeVar("Answer")
Job = Callable[[], object]
Report = Callable[[BaseException], None]


class Worker:
    """Runs jobs one after the other. A job that fails is reported and does not stop the next."""

    def __init__(self, name: str, report: Report) -> None:
        self._name, self._report = name, report
        self._jobs: OrderedDict[Hashable, tuple[Job, Future[None]]] = OrderedDict()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._busy = self._stopping = False

    def submit(self, key: Hashable, job: Job) -> Future[None]:
        """Queue a job. Where one of that key waits already, the new one takes its place; the answer ends with either."""
        with self._changed:
            waiting = self._jobs.get(key)
            done: Future[None] = waiting[1] if waiting else Future()
            self._jobs[key] = (job, done)
            self._stopping = False
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()
            return done

    @property
    def idle(self) -> bool:
        """Whether nothing is queued and nothing runs."""
        with self._changed:
            return not self._jobs and not self._busy

    def drain(self, seconds: float) -> bool:
        """Wait until everything is done, `seconds` at most; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._jobs and not self._busy, timeout=seconds)

    def stop(self, seconds: float) -> bool:
        """Drop what is queued and wait up to `seconds` for the job that runs; whether the thread has ended."""
        with self._changed:
            self._stopping = True
            for _, done in self._jobs.values():
                done.cancel()
            self._jobs.clear()
            thread = self._thread
            self._changed.notify_all()
        if thread is None:
            return True
        thread.join(seconds)
        return not thread.is_alive()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._stopping)
                if not self._jobs:
                    self._thread = None
                    return
                _, (job, done) = self._jobs.popitem(last=False)
                self._busy = True
            try:
                job()
            except Exception as error:  # noqa: BLE001 - reported, and the next job is another's
                self._report(error)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
                if not done.cancelled():
                    done.set_result(None)


def patience(until: float) -> float:
    """The seconds that are left until that moment of `time.monotonic`, never less than 0."""
    return max(0.0, until - time.monotonic())


def aside(work: Callable[[], Answer]) -> Future[Answer]:
    """Do this on a thread of its own, for which the end of a process does not wait."""
    done: Future[Answer] = Future()

    def run() -> None:
        if not done.set_running_or_notify_cancel():
            return
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            done.set_exception(error)

    threading.Thread(target=run, name="siltstone-bub-recall", daemon=True).start()
    return done


@contextmanager
def uncollected() -> Iterator[None]:
    """Load modules without a full garbage collection, which they provoke and which finds nothing: all of them stay.

    Among the objects of a host it takes over 100 ms, in which a turn stands still.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
