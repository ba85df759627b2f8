"""The FalkorDB store keeps every rule of a store, on both versions of the module, and its graph says what the records say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from servers import RunningServer
from siltstone.ports.stores import Projector, Store
from siltstone.stores.falkordb import FalkorDBStore
from siltstone.testing.stores import StoreContract
from stores.falkordb_servers import MODULES, falkordb, new_store


@pytest.fixture(scope="module", params=sorted(MODULES))
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """A server of either version."""
    with falkordb(request.param) as running:
        yield running


class TestFalkorDBStore(StoreContract):
    """All rules, with a prefix for each store."""

    @pytest.fixture(autouse=True)
    def _server(self, server: RunningServer) -> None:
        self.server = server

    def make_store(self, tmp_path: Path, projector: Projector) -> Store:
        return new_store(self.server, projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, FalkorDBStore)
        store.close()
        return FalkorDBStore(store.address, projector)

    @pytest.fixture(autouse=True)
    def _agrees(self, _server: None, store: Store) -> Iterator[None]:
        """Whatever a test did: at its end every graph agrees with its journal."""
        yield
        assert isinstance(store, FalkorDBStore)
        store.close()
        found = FalkorDBStore(store.address, store.projector)
        for user in found.users():
            found.graph(user)
        assert [finding.detail for finding in found.check() if not finding.ok] == []
        found.close()
