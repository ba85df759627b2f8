"""Rules of many users and many threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

from siltstone.domain import events
from siltstone.domain.events import Draft
from siltstone.domain.values import ENTRY
from siltstone.ports.stores import Partition, Store, View
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import StoreRules, gapless, ids, seqs, state

T = TypeVar("T")

USERS = (
    "r7&user=u2", "r7", "u2", "r7&user", "main", "team-blue", "_", "a.b", "a/b", "../../x", "%", "a%b", "=", "*", "?",
    "Ana", "ana", "ana ", "😀", "ána", "a\u0301na", "0", "null", "' OR 1=1 --", "{tag}", "a:b", "x" * 500, "\\",
)  # fmt: skip


class SharingRules(StoreRules):
    """Users do not see each other; threads do not lose each other's writes."""

    def test_users_are_apart(self, store: Store) -> None:
        """Whatever characters a user's name has, each user sees exactly what was written under that name."""
        for n, user_id in enumerate(USERS):
            self.write(store.partition(user_id), self.entry("m1", f"text {n}"), self.entry(f"own-{n}"))
        assert store.users() == sorted(USERS)
        for n, user_id in enumerate(USERS):
            partition = store.partition(user_id)
            assert ids(partition.records()) == ["m1", f"own-{n}"]
            assert seqs(partition.events()) == [1, 2]
            assert [event.payload.get("text") for event in partition.events(mentioning="m1")] == [f"text {n}"]

    def test_a_change_under_one_user_leaves_the_others(self, store: Store) -> None:
        """Forgetting, purging and rebuilding under one user changes nothing under the next one."""
        first, second = store.partition("r7&user=u2"), store.partition("r7")
        for partition in (first, second):
            self.add(partition, "m1", "m2")
        before = (state(second), second.position(), list(second.events()))
        self.write(first, self.draft(events.ENTRIES_FORGOTTEN, ids=["m1"], reason=""))
        first.purge(["m2"], self.draft(events.ENTRIES_PURGED, ids=["m2"]))
        first.rebuild()
        assert (state(second), second.position(), list(second.events())) == before

    def test_many_users_interleaved(self, store: Store) -> None:
        """With writes of many users interleaved, each journal is gapless and each record in its own partition."""
        users = [f"user {n}" for n in range(40)]
        for turn in range(5):
            for user_id in users:
                self.add(store.partition(user_id), f"{user_id} turn {turn}")
        for user_id in users:
            partition = store.partition(user_id)
            assert gapless(seqs(partition.events()))
            assert ids(partition.records()) == [f"{user_id} turn {turn}" for turn in range(5)]

    def test_threads_write_to_one_user(self, ana: Partition) -> None:
        """Eight threads commit to one partition at once: every event is there once, positions are gapless."""
        answers = self.at_once(8, lambda worker: [self.commit_one(ana, f"{worker}-{n}") for n in range(15)])
        assert sorted(seq for answer in answers for seq in answer) == list(range(1, 121))
        assert gapless(seqs(ana.events()))
        assert sorted(ids(ana.records())) == sorted(f"{worker}-{n}" for worker in range(8) for n in range(15))

    def test_threads_write_to_their_own_users(self, store: Store) -> None:
        """Threads with a user each, all new: no partition is doubled and none lacks an event."""
        self.at_once(8, lambda w: [self.commit_one(store.partition(f"user {w}"), f"m{n}") for n in range(10)])
        assert store.users() == [f"user {worker}" for worker in range(8)]
        assert all(gapless(seqs(store.partition(user).events())) for user in store.users())

    def test_two_first_writes_at_once(self, tmp_path: Path) -> None:
        """When many threads write a user's first event at once, all succeed and there is one partition."""
        store = self.make_store(tmp_path, WordProjector())
        self.at_once(6, lambda worker: self.commit_one(store.partition("new"), f"m{worker}"))
        assert store.users() == ["new"]
        assert seqs(store.partition("new").events()) == [1, 2, 3, 4, 5, 6]
        store.close()

    def test_decisions_are_serial(self, ana: Partition) -> None:
        """Each decision sees the writes of all those before it: of threads that add an id once, one succeeds."""

        def once(memory_id: str) -> int:
            def decide(view: View) -> Sequence[Draft]:
                return () if view.get(ENTRY, memory_id) else [self.entry(memory_id)]

            return len(ana.commit(decide))

        answers = self.at_once(6, lambda worker: [once(f"m{n}") for n in range(10)])
        assert [sum(column) for column in zip(*answers, strict=True)] == [1] * 10
        assert ana.position().seq == 10

    def test_readers_see_whole_commits(self, ana: Partition) -> None:
        """A reader beside a writer sees a commit whole or not at all, in events and in records."""

        def write(worker: int) -> list[bool]:
            for n in range(15):
                self.write(ana, *[self.entry(f"{n}-{m}") for m in range(7)])
            return []

        def read(worker: int) -> list[bool]:
            return [len(list(ana.events())) % 7 == 0 and len(list(ana.records())) % 7 == 0 for _ in range(25)]

        answers = self.at_once(4, lambda worker: write(worker) if worker == 0 else read(worker))
        assert all(whole for answer in answers for whole in answer)

    def commit_one(self, partition: Partition, memory_id: str) -> int:
        """Add a memory, and answer its position."""
        return self.write(partition, self.entry(memory_id))[0].seq

    def at_once(self, count: int, work: Callable[[int], T]) -> list[T]:
        """Run `work(n)` in `count` threads that start together; answers in order."""
        barrier = Barrier(count)

        def run(worker: int) -> T:
            barrier.wait()
            return work(worker)

        with ThreadPoolExecutor(count) as threads:
            return list(threads.map(run, range(count)))
