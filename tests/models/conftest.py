"""Fixtures for the model tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from models.scripted import FakeTime, ScriptedServer


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A running scripted server."""
    running = ScriptedServer()
    thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture
def clock() -> FakeTime:
    """Time in the test's hands."""
    return FakeTime()
