"""What stores on a Redis server share keeps every rule of a store, on a server without any module."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from servers import RunningServer, running
from siltstone.domain.events import ENTRY_ADDED, Draft
from siltstone.ports.stores import Projector, Store, View
from siltstone.stores.streams.address import parse
from siltstone.stores.streams.store import StreamStore
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import state
from siltstone.testing.stores import StoreContract
from stores.processes import add, draft

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


def test_a_very_large_step_is_one_step(plain_server: RunningServer) -> None:
    """A commit of more than the server is sent at once is laid down there in pieces, and still all or nothing."""
    store = StreamStore(parse(plain_server.url(prefix="large"), scheme="redis"), WordProjector())
    ana, theirs = store.partition("ana"), StreamStore(store.address, WordProjector()).partition("ana")
    drafts = [draft(ENTRY_ADDED, id=f"m{n}", text=f"text {n} " + "x" * 3_000) for n in range(2_000)]
    overtaken: list[int] = []

    def decide(view: View) -> list[Draft]:
        if not overtaken:
            add(theirs, "first")
        overtaken.append(view.seq)
        return drafts

    assert len(ana.commit(decide)) == 2_000
    assert overtaken == [0, 1]
    assert [event.seq for event in theirs.events()] == list(range(1, 2_002))
    assert theirs.stats().records == {"entry": 2_001}
    assert store.server.one("KEYS", "large:*step*") == []
    before = state(ana)
    ana.rebuild()
    assert state(ana) == state(theirs) == before
    store.close()
