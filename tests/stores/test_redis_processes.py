"""Many processes and clients on one Redis server: nothing lost, nothing doubled, nobody turned away."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from servers import RunningServer
from siltstone.domain.events import ENTRY_ADDED, ENTRY_UPDATED, Draft
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY
from siltstone.ports.stores import View
from siltstone.stores.redis import RedisStore
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import state
from stores.processes import add, draft, finish, start


@pytest.fixture
def url(redis_server: RunningServer, request: pytest.FixtureRequest) -> str:
    """A place of this test's own on the server."""
    return redis_server.url(prefix=re.sub(r"\W", ".", request.node.name)[:60])


@pytest.fixture
def stores(url: str) -> Iterator[list[RedisStore]]:
    """Two clients of the same place, each with its own copies, as two processes have them."""
    both = [RedisStore(url, WordProjector()) for _ in range(2)]
    yield both
    for store in both:
        store.close()


def counts(url: str) -> dict[str, tuple[int, bool, int]]:
    """For each user: events, whether they are gapless, entries; and the store is found sound."""
    store = RedisStore(url, WordProjector())
    assert [finding for finding in store.check(full=True) if not finding.ok] == []
    found = {}
    for user in store.users():
        partition = store.partition(user)
        seqs = [event.seq for event in partition.events()]
        found[user] = len(seqs), seqs == list(range(1, len(seqs) + 1)), partition.stats().records[ENTRY]
    store.close()
    return found


def test_eight_processes_write_to_one_user(url: str) -> None:
    """Eight processes make 100 commits each to one new user: 800 events without a gap, and no process is refused."""
    printed = [finish(writer) for writer in [start("add", url, "ana", f"w{n}", 100) for n in range(8)]]
    assert [len(lines) for lines in printed] == [100] * 8
    assert counts(url) == {"ana": (800, True, 800)}


def test_eight_processes_write_to_eight_users(url: str) -> None:
    """Eight processes make 100 commits each to users of their own in one new place: each user has exactly theirs."""
    for writer in [start("add", url, f"user{n}", "m", 100) for n in range(8)]:
        finish(writer)
    assert counts(url) == {f"user{n}": (100, True, 100) for n in range(8)}


def test_writers_killed_at_random_moments(url: str) -> None:
    """After each of 12 kills amid commits and rebuilds, the partition is whole and has all that was acknowledged."""
    chance, acknowledged = random.Random(12), set()
    for kill in range(12):
        writer = start("live", url, "ana", f"k{kill}", 100_000)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.2))
        writer.kill()
        rest, _ = writer.communicate()
        acknowledged.update((first + rest).split())
    store = RedisStore(url, WordProjector())
    kept = {record.id for record in store.partition("ana").records() if record.kind == ENTRY}
    store.close()
    assert acknowledged <= kept
    assert len(kept) <= len(acknowledged) + 12
    assert counts(url)["ana"][1]


def test_a_client_sees_what_another_wrote(stores: list[RedisStore]) -> None:
    """What one client commits, changes, purges or rebuilds is what the other reads next, in every reading method."""
    ours, theirs = (store.partition("ana") for store in stores)
    add(theirs, "m1", "m2")
    assert [record.id for record in ours.records()] == ["m1", "m2"]
    for act in (
        lambda: add(theirs, *[f"n{n}" for n in range(20)]),
        lambda: theirs.commit(lambda view: [draft(ENTRY_UPDATED, id="m1", changes={"text": "changed"})]),
        lambda: theirs.purge(["m2"], draft("entries_purged", ids=["m2"])),
        lambda: add(theirs, "m2"),
        theirs.rebuild,
        lambda: theirs.commit(lambda view: [draft(ENTRY_ADDED, id=f"many{n}", text="one of many") for n in range(600)]),
    ):
        act()
        assert ours.position() == theirs.position()
        assert list(ours.records()) == list(theirs.records())
        assert list(ours.vectors("words-1")) == list(theirs.vectors("words-1"))
        assert list(ours.records(after=10)) == list(theirs.records(after=10))
        assert (state(ours), ours.stats()) == (state(theirs), theirs.stats())


def test_a_decision_is_made_on_the_newest_state(stores: list[RedisStore]) -> None:
    """A decision that another client overtook is made again: it sees the other's write, and nothing is written twice."""
    ours, theirs = (store.partition("ana") for store in stores)
    add(ours, "m1")
    seen: list[int] = []

    def decide(view: View) -> Sequence[Draft]:
        seen.append(view.seq)
        if len(seen) == 1:
            add(theirs, "m2")
        return () if view.get(ENTRY, "m3") else [draft(ENTRY_ADDED, id="m3", text="once")]

    (event,) = ours.commit(decide)
    assert (seen, event.seq) == ([1, 2], 3)
    assert [record.id for record in theirs.records()] == ["m1", "m2", "m3"]


@pytest.mark.parametrize("outcome", ["nothing", "an error"])
def test_an_answer_on_an_old_state_is_not_given(stores: list[RedisStore], outcome: str) -> None:
    """A decision for nothing, or an error, is only told when it was made on the newest state."""
    ours, theirs = (store.partition("ana") for store in stores)
    add(ours, "m1")
    add(theirs, "m2")

    def decide(view: View) -> Sequence[Draft]:
        if view.get(ENTRY, "m2") is None and outcome == "an error":
            raise LookupError("m2")
        return [] if view.get(ENTRY, "m2") is None else [draft(ENTRY_ADDED, id="m3", text="seen")]

    assert [event.seq for event in ours.commit(decide)] == [3]


def test_a_block_reads_one_state_beside_another_client(stores: list[RedisStore]) -> None:
    """In a `reading` block nothing changes, whatever another client commits; after it, everything is there."""
    ours, theirs = (store.partition("ana") for store in stores)
    add(ours, "m1", "m2")
    with ours.reading():
        before = (ours.position(), list(ours.records()), list(ours.vectors("words-1")))
        add(theirs, "m3")
        assert (ours.position(), list(ours.records()), list(ours.vectors("words-1"))) == before
        assert (ours.get(ENTRY, "m3"), ours.get_many(ENTRY, ["m1", "m3"]).keys()) == (None, {"m1"})
    assert ours.get(ENTRY, "m3") is not None


def test_a_cold_client_writes_to_a_large_partition(stores: list[RedisStore]) -> None:
    """A client that holds no copy decides on single records and writes, beside another one, without reading them all."""
    cold, theirs = stores[0], stores[1].partition("ana")
    drafts = [draft(ENTRY_ADDED, id=f"m{n}", text=f"text {n}") for n in range(1_200)]
    theirs.commit(lambda view: drafts)
    ours = cold.partition("ana")
    found: list[Record | None] = []

    def decide(view: View) -> Sequence[Draft]:
        found[:] = [view.get(ENTRY, "m7"), view.get(ENTRY, "unknown")]
        if view.seq == 1_200:
            add(theirs, "meanwhile")
        return [draft(ENTRY_UPDATED, id="m7", changes={"text": "changed"})]

    assert not cold.shared.mirrors.of("ana").whole
    ours.commit(decide)
    assert not cold.shared.mirrors.of("ana").whole
    assert [record is not None for record in found] == [True, False]
    changed = theirs.get(ENTRY, "m7")
    assert changed is not None
    assert (changed.body["text"], changed.seq, theirs.position().seq) == ("changed", 1_202, 1_202)
    names = [f"m{n}" for n in range(100)]

    def look_at_many(view: View) -> Sequence[Draft]:
        return [draft(ENTRY_UPDATED, id=name, changes={"tags": ["t"]}) for name in names if view.get(ENTRY, name)]

    assert len(ours.commit(look_at_many)) == 100
    assert list(ours.records()) == list(theirs.records())


def test_a_new_projector_version_in_many_processes(url: str) -> None:
    """Clients that find an outdated projection at the same time rebuild it once, and all of them go on."""
    first = RedisStore(url, WordProjector())
    add(first.partition("ana"), *[f"m{n}" for n in range(200)])
    stores = [RedisStore(url, WordProjector(version="2")) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        positions = list(threads.map(lambda store: store.partition("ana").position(), stores))
    assert {position.epoch for position in positions} == {1}
    assert all(r.terms.startswith("version2") for store in stores for r in store.partition("ana").records())
    for store in (first, *stores):
        store.close()


def test_two_versions_side_by_side(stores: list[RedisStore], url: str) -> None:
    """While an older program still runs beside a newer one, each goes on writing; no event is lost, no state is mixed."""
    old, newer = stores[0], RedisStore(url, WordProjector(version="2"))
    for n in range(3):
        add(old.partition("ana"), f"old{n}")
        add(newer.partition("ana"), f"new{n}")
    records = list(newer.partition("ana").records())
    assert {record.terms.startswith("version2") for record in records} == {True}
    assert len(records) == 6
    add(old.partition("ana"), "last")
    assert not any(record.terms.startswith("version2") for record in old.partition("ana").records())
    newer.close()


def test_a_fork_goes_on(stores: list[RedisStore], url: str) -> None:
    """A process that forked with an open store writes on both sides; neither loses or doubles anything."""
    ana = stores[0].partition("ana")
    add(ana, "before")
    next(ana.records())
    child = os.fork()
    if child == 0:
        add(ana, *[f"child-{n}" for n in range(50)])
        os._exit(0)
    add(ana, *[f"parent-{n}" for n in range(50)])
    assert os.waitpid(child, 0)[1] == 0
    add(ana, "after")
    assert counts(url) == {"ana": (102, True, 102)}


def test_copies_are_dropped_when_memory_runs_out(url: str) -> None:
    """With room for little, the copies of users not in use are dropped, and reading them again gives the same."""
    from siltstone.stores.streams.store import Options

    store = RedisStore(url, WordProjector(), options=Options(mirrors=20_000))
    users = [f"user{n}" for n in range(8)]
    for user in users:
        add(store.partition(user), *[f"m{n}" for n in range(10)])
    held = [user for user in users if store.shared.mirrors.of(user).whole]
    assert 1 <= len(held) < 8
    assert [len(list(store.partition(user).records())) for user in users] == [10] * 8
    store.close()
