"""Random lives of a Redis store beside the oracle."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import settings

from servers import RunningServer
from siltstone.ports.stores import Projector, Store
from siltstone.stores.inmemory import InMemoryStore
from siltstone.stores.redis import RedisStore
from siltstone.testing.machine import StoreMachine

NUMBERS = itertools.count(1)


class RedisMachine(StoreMachine):
    """A prefix of its own for each run; a crash leaves the client as it is and opens another one."""

    server: RunningServer

    def make_store(self, projector: Projector) -> Store:
        self.abandoned: list[Store] = []
        return RedisStore(self.server.url(prefix=f"machine{next(NUMBERS)}"), projector)

    def make_oracle(self, projector: Projector) -> Store:
        return InMemoryStore(projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, RedisStore)
        store.close()
        return RedisStore(store.address, projector)

    def crash(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, RedisStore)
        self.abandoned.append(store)
        return RedisStore(store.address, projector)

    def teardown(self) -> None:
        super().teardown()
        for store in getattr(self, "abandoned", []):
            store.close()


@pytest.fixture(autouse=True, scope="module")
def _server(redis_server: RunningServer) -> None:
    RedisMachine.server = redis_server


TestRedisMachine = RedisMachine.TestCase
TestRedisMachine.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
