"""The background worker, and what it reports."""

from __future__ import annotations

import threading

import pytest

from siltstone.hosts.bub.reports import Reports
from siltstone.hosts.bub.worker import Worker, aside


def _worker(errors: list[BaseException] | None = None) -> Worker:
    return Worker("test-bub", [].append if errors is None else errors.append)


def test_jobs_run_in_order_and_each_key_once() -> None:
    """What waits under a key is replaced by the newer job, in its place."""
    worker, gate, done = _worker(), threading.Event(), list[str]()
    worker.submit("a", lambda: gate.wait(5))
    worker.submit("b", lambda: done.append("old b"))
    worker.submit("c", lambda: done.append("c"))
    worker.submit("b", lambda: done.append("new b"))
    gate.set()
    assert worker.drain(5) and done == ["new b", "c"]
    assert worker.stop(5)


def test_a_job_that_fails_is_reported_and_the_next_runs() -> None:
    """An error ends its job alone."""
    errors, done = list[BaseException](), list[int]()
    worker = _worker(errors)
    worker.submit("a", lambda: 1 / 0)
    worker.submit("b", lambda: done.append(1)).result(5)
    assert [type(error) for error in errors] == [ZeroDivisionError] and done == [1]
    assert worker.stop(5)


def test_a_drain_gives_up_in_time_and_a_stop_drops_what_waits() -> None:
    """Work that does not end is not waited for; what is queued behind it is not begun."""
    worker, gate, done = _worker(), threading.Event(), list[int]()
    worker.submit("a", lambda: gate.wait(10))
    waiting = worker.submit("b", lambda: done.append(1))
    assert not worker.drain(0.01) and not worker.stop(0.01)
    gate.set()
    assert worker.stop(5) and waiting.cancelled() and done == []


def test_a_stopped_worker_starts_again() -> None:
    """A job after a stop is done."""
    worker = _worker()
    worker.submit("a", lambda: None).result(5)
    assert worker.stop(5) and worker.stop(5)
    worker.submit("a", lambda: None).result(5)
    assert worker.drain(5) and worker.idle
    worker.stop(5)


def test_work_aside_gives_its_answer_or_its_error() -> None:
    """What is done on a thread of its own is handed back, errors too."""
    assert aside(lambda: 7).result(5) == 7
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0).result(5)


def test_trouble_is_said_once_until_it_was_well() -> None:
    """The same trouble, and the same cause elsewhere, is one line; after it was well it is said again."""
    lines = list[str]()
    reports = Reports(lines.append)
    reports.trouble("keeping", OSError("disk\nfull"))
    reports.trouble("keeping", OSError("disk\nfull"))
    reports.trouble("reading", OSError("disk\nfull"))
    assert lines == ["memory: keeping failed: disk full"]
    assert reports.open == {"keeping": "disk full", "reading": "disk full"}
    reports.well("keeping")
    reports.well("reading")
    reports.trouble("reading", ValueError())
    assert lines[1:] == ["memory: reading failed: ValueError"]
