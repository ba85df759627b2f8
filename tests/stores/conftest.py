"""Servers that the store tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from servers import RunningServer, running


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RunningServer]:
    """A Redis server with the search module, for all tests of this run; each test has its own prefix."""
    with running() as server:
        yield server
