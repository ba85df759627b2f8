"""Many processes and threads on one file: nothing lost, nobody turned away."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from siltstone.errors import StoreBusy
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.projector import WordProjector
from stores.processes import add, finish, start


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "memory.db"


def opened(path: Path, **more: float) -> SQLiteStore:
    """The store, opened once more."""
    return SQLiteStore(path, WordProjector(), **more)


def counts(path: Path) -> dict[str, tuple[int, bool, int]]:
    """For each user: events, whether they are gapless, records other than sessions."""
    with closing(opened(path)) as store:
        return {user: _count(store, user) for user in store.users()}


def _count(store: SQLiteStore, user: str) -> tuple[int, bool, int]:
    partition = store.partition(user)
    seqs = [event.seq for event in partition.events()]
    return len(seqs), seqs == list(range(1, len(seqs) + 1)), partition.stats().records["entry"]


def test_eight_processes_write_to_one_user(path: Path) -> None:
    """Eight processes make 200 commits each to one new user: 1,600 events without a gap, and no process is refused."""
    printed = [finish(writer) for writer in [start("add", path, "ana", f"w{n}", 200) for n in range(8)]]
    assert [len(lines) for lines in printed] == [200] * 8
    assert counts(path) == {"ana": (1_600, True, 1_600)}


def test_eight_processes_write_to_eight_users(path: Path) -> None:
    """Eight processes make 200 commits each to users of their own in one new file: each user has exactly theirs."""
    for writer in [start("add", path, f"user{n}", "m", 200) for n in range(8)]:
        finish(writer)
    assert counts(path) == {f"user{n}": (200, True, 200) for n in range(8)}


def test_a_new_projector_version_in_many_processes(path: Path) -> None:
    """Processes that find an outdated projection at the same time rebuild it once, and all of them go on."""
    with closing(opened(path)) as store:
        add(store.partition("ana"), *[f"m{n}" for n in range(200)])
    newer = WordProjector(version="2")
    stores = [SQLiteStore(path, newer) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        positions = list(threads.map(lambda store: store.partition("ana").position(), stores))
    assert {position.epoch for position in positions} == {1}
    assert all(r.terms.startswith("version2") for store in stores for r in store.partition("ana").records())
    for store in stores:
        store.close()


def test_opening_waits_for_a_writer(path: Path) -> None:
    """While another process holds the write lock for 2 s, opening and reading go on, and a write waits and succeeds."""
    with closing(opened(path)) as store:
        add(store.partition("ana"), "m1")
    holder = start("hold", path, 2)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    begun = time.monotonic()
    with closing(opened(path)) as store:
        assert store.partition("ana").position().seq == 1
        read = time.monotonic() - begun
        add(store.partition("ana"), "m2")
        assert store.partition("ana").position().seq == 2
    assert read < 1.5 < time.monotonic() - begun
    finish(holder)


def test_making_a_store_waits_for_its_maker(path: Path) -> None:
    """Two that make the same new file at once both get the one store, however long the first one takes."""
    stores: list[SQLiteStore] = []
    makers = [threading.Thread(target=lambda: stores.append(opened(path))) for _ in range(6)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    for n, store in enumerate(stores):
        add(store.partition("ana"), f"m{n}")
    assert counts(path) == {"ana": (6, True, 6)}
    for store in stores:
        store.close()


def test_ten_readers_beside_a_long_transaction(path: Path) -> None:
    """Ten readers open and read at once while a writer is inside a long transaction; they see the state before it."""
    with closing(opened(path)) as store:
        add(store.partition("ana"), "m1", "m2")
    holder = start("hold", path, 3)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"

    def read(_: int) -> int:
        with closing(opened(path, busy_timeout=0.5)) as store:
            return len(list(store.partition("ana").records()))

    begun = time.monotonic()
    with ThreadPoolExecutor(10) as threads:
        assert list(threads.map(read, range(10))) == [2] * 10
    assert time.monotonic() - begun < 2.5
    finish(holder)


def test_a_wait_that_runs_out(path: Path) -> None:
    """A write that waits longer than its store allows raises StoreBusy, naming the file, the wait and the way out."""
    with closing(opened(path)) as store, closing(opened(path, busy_timeout=0.2)) as hasty:
        add(store.partition("ana"), "m1")
        with (
            store._connections.writing(),
            pytest.raises(StoreBusy, match=r"memory\.db for longer than 0\.2 s; try again"),
        ):
            add(hasty.partition("ana"), "m2")
        add(hasty.partition("ana"), "m3")
        assert hasty.partition("ana").position().seq == 2


def test_a_thread_waits_for_another(path: Path) -> None:
    """Between threads of one store the wait is bounded as well."""
    with closing(opened(path, busy_timeout=0.2)) as store, ThreadPoolExecutor(1) as threads:
        with store._connections.writing():
            refused = threads.submit(add, store.partition("ana"), "m1")
            with pytest.raises(StoreBusy):
                refused.result()
        add(store.partition("ana"), "m2")
        assert store.users() == ["ana"]


def test_a_fork_goes_on(path: Path) -> None:
    """A process that forked with an open store writes on both sides; neither loses or doubles anything."""
    with closing(opened(path)) as store:
        ana = store.partition("ana")
        add(ana, "before")
        next(ana.records())
        child = os.fork()
        if child == 0:
            add(ana, *[f"child-{n}" for n in range(50)])
            os._exit(0)
        add(ana, *[f"parent-{n}" for n in range(50)])
        assert os.waitpid(child, 0)[1] == 0
        add(ana, "after")
    assert counts(path) == {"ana": (102, True, 102)}
