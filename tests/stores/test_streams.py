"""What stores on a Redis server share keeps every rule of a store, on a server without any module."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from servers import RunningServer, running
from siltstone.ports.stores import Projector, Store
from siltstone.stores.streams.address import parse
from siltstone.stores.streams.store import StreamStore
from siltstone.testing.stores import StoreContract

NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def plain_server() -> Iterator[RunningServer]:
    """A server that has no module."""
    with running(modules=()) as server:
        yield server


class TestStreamStore(StoreContract):
    """All rules, with a prefix for each store."""

    @pytest.fixture(autouse=True)
    def _server(self, plain_server: RunningServer) -> None:
        self.server = plain_server

    def make_store(self, tmp_path: Path, projector: Projector) -> Store:
        return StreamStore(parse(self.server.url(prefix=f"t{next(NUMBERS)}"), scheme="redis"), projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, StreamStore)
        store.close()
        return StreamStore(store.address, projector)
