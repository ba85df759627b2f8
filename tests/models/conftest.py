"""Fixtures for the model tests."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from models.scripted import FakeTime, ScriptedServer

STUBS_VARIABLE = "SILTSTONE_TEST_STUBS"
STUBS = Path(os.environ.get(STUBS_VARIABLE) or Path(__file__).resolve().parents[3] / "shared" / "stubs")


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


@pytest.fixture(scope="session")
def stub_module() -> ModuleType:
    """The project's shared stub of an OpenAI and TEI server, where this checkout has it beside it."""
    path = STUBS / "openai_stub.py"
    if not path.exists():
        pytest.skip(f"the shared stub server is not here: set {STUBS_VARIABLE} to its folder")
    spec = importlib.util.spec_from_file_location("openai_stub", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
