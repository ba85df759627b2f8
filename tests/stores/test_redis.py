"""The Redis store keeps every rule of a store, with its word index beside it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from servers import RunningServer
from siltstone.ports.stores import Projector, Store
from siltstone.stores.redis import RedisStore
from siltstone.testing.stores import StoreContract

NUMBERS = itertools.count(1)


class TestRedisStore(StoreContract):
    """All rules, with a prefix for each store."""

    @pytest.fixture(autouse=True)
    def _server(self, redis_server: RunningServer) -> None:
        self.server = redis_server

    def make_store(self, tmp_path: Path, projector: Projector) -> Store:
        return RedisStore(self.server.url(prefix=f"contract{next(NUMBERS)}"), projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, RedisStore)
        store.close()
        return RedisStore(store.address, projector)
