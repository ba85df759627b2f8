"""What `check` finds wrong with a Redis server and with what it keeps, and what `repair` mends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from servers import RunningServer, running
from siltstone.errors import SchemaTooNew, StoreCorrupt
from siltstone.ports.stores import Finding
from siltstone.stores.redis import RedisStore
from siltstone.stores.streams.store import Options
from siltstone.testing.projector import WordProjector
from stores.processes import add


@pytest.fixture
def server() -> Iterator[RunningServer]:
    """A server of this test's own, that may be ill-treated."""
    with running() as server:
        yield server


def opened(server: RunningServer, *, options: Options | None = None, more: str = "") -> RedisStore:
    """A store on it."""
    return RedisStore(server.url(more=more), WordProjector(), options=options)


def finding(store: RedisStore, name: str) -> Finding:
    """What `check` says under that name."""
    return next(one for one in store.check() if one.name == name)


def test_eviction_is_found(server: RunningServer) -> None:
    """A server that may throw keys away when memory is short is reported."""
    with closing(opened(server)) as store:
        assert finding(store, "eviction").ok
        store.server.run([("CONFIG", "SET", "maxmemory", "1gb"), ("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")])
        assert "noeviction" in finding(store, "eviction").remedy


def test_persistence_is_found(server: RunningServer) -> None:
    """Whether writes outlive the server is reported: off, no fsync, each second, always."""
    with closing(opened(server)) as store:
        assert finding(store, "persistence").ok
        store.server.one("CONFIG", "SET", "appendfsync", "everysec")
        found = finding(store, "persistence")
        assert (found.ok, "last second" in found.detail) == (True, True)
        store.server.one("CONFIG", "SET", "appendfsync", "no")
        assert "appendfsync always" in finding(store, "persistence").remedy
        store.server.one("CONFIG", "SET", "appendonly", "no")
        assert "appendonly yes" in finding(store, "persistence").remedy


def test_a_damaged_projection(server: RunningServer) -> None:
    """Records that are damaged, missing or too many are found by `check` and mended from the journal by `repair`."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        add(ana, "m1", "m2", "m3")
        before, records = list(ana.events()), ana.keys.records
        wanted = list(ana.records())
        store.server.run([("HDEL", records, "entry\0m1"), ("HSET", records, "entry\0m2", '{"seq":', "entry\0mx", "{}")])
    with closing(opened(server)) as store:
        assert [one.name for one in store.check(full=True) if not one.ok] == ["projections", "search"]
        with pytest.raises(StoreCorrupt, match="siltstone doctor --repair"):
            list(store.partition("ana").records())
        assert all(one.ok for one in store.repair())
        assert [one for one in store.check(full=True) if not one.ok] == []
        assert (list(store.partition("ana").records()), list(store.partition("ana").events())) == (wanted, before)


def test_a_damaged_journal(server: RunningServer) -> None:
    """A journal that lacks an event is found, and is not called sound by a repair."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        add(ana, "m1", "m2", "m3")
        store.server.one("XDEL", ana.keys.journal, "2-0")
        assert "gaps in 1 journals ('ana')" in finding(store, "journal").detail
        store.repair()
        assert not finding(store, "journal").ok


def test_a_lost_list_of_users(server: RunningServer) -> None:
    """Users that the list of users lost are found again by `repair`."""
    with closing(opened(server)) as store:
        add(store.partition("ana/1 [x]"), "m1")
        store.server.one("DEL", "siltstone:users")
        assert store.users() == []
        assert [one.detail for one in store.repair() if one.name == "users"] == ["1 users were not listed, and are now"]
        assert store.users() == ["ana/1 [x]"]


def test_a_partition_from_the_future(server: RunningServer) -> None:
    """A partition that a newer Siltstone wrote raises SchemaTooNew, to read and to write."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        add(ana, "m1")
        store.server.one("HSET", ana.keys.head, "schema", 9)
    with closing(opened(server)) as store, pytest.raises(SchemaTooNew, match="upgrade"):
        store.partition("ana")
