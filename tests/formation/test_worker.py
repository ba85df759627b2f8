"""The background worker."""

from __future__ import annotations

import threading

import pytest

from siltstone.formation.worker import Worker


def test_a_task_that_raises_is_logged_and_the_next_one_runs(caplog: pytest.LogCaptureFixture) -> None:
    """What fails in the background shows in the log with its cause, and stops nothing."""
    worker, ran = Worker(), threading.Event()

    def failing() -> None:
        raise RuntimeError("the kettle is empty")

    worker.put(failing)
    worker.put(ran.set)
    assert ran.wait(10)
    worker.close()
    assert "forming a turn failed" in caplog.text and "the kettle is empty" in caplog.text
