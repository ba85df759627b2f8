"""Rules of `Partition.restore`: an export comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from siltstone.domain import events
from siltstone.domain.events import Event
from siltstone.domain.records import text_key
from siltstone.ports.stores import Partition, Position, Store
from siltstone.testing.rules.base import MODEL, StoreRules, all_vectors, gapless, ids, seqs, state


class RestoreRules(StoreRules):
    """Into an empty partition, into a full one, and twice."""

    @pytest.fixture
    def full(self, ana: Partition) -> Partition:
        """A partition with events, changes, two models' vectors and a purge."""
        self.write(ana, *[self.entry(f"m{n}", f"text {n}", session_id="s1") for n in range(12)])
        self.add(ana, "m20", "m21")
        self.write(ana, self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "changed"}))
        drafts = [self.draft(events.TEXTS_EMBEDDED, model="second", count=2)]
        vectors = {text_key("text 2"): b"2", text_key("text 3"): b"3"}
        ana.commit(lambda view: drafts, model="second", vectors=vectors)
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m4"], reason=""))
        ana.purge(["m5"], self.draft(events.ENTRIES_PURGED, ids=["m5"]))
        return ana

    def test_an_empty_partition_becomes_the_same(self, store: Store, full: Partition) -> None:
        """Restored into an empty partition, events, positions, records and vectors are those of the export."""
        bob = store.partition("bob")
        journal, vectors = list(full.events()), all_vectors(full)
        assert bob.restore(iter(journal), iter(vectors)) == len(journal)
        assert list(bob.events()) == [replace(event, user_id="bob") for event in journal]
        assert (state(bob), all_vectors(bob)) == (state(full), vectors)

    def test_the_order_of_vectors_does_not_matter(self, store: Store, full: Partition) -> None:
        """Vectors may come in any order; they are stored by position and key."""
        bob = store.partition("bob")
        bob.restore(full.events(), reversed(all_vectors(full)))
        assert all_vectors(bob) == all_vectors(full)
        for after in range(full.position().seq):
            assert list(bob.vectors(MODEL, after=after)) == list(full.vectors(MODEL, after=after))

    def test_a_second_restore_adds_nothing(self, store: Store, full: Partition) -> None:
        """Events whose id is there are skipped: restoring twice is restoring once."""
        bob = store.partition("bob")
        bob.restore(full.events(), all_vectors(full))
        before = (state(bob), bob.position())
        assert bob.restore(list(full.events()), all_vectors(full)) == 0
        assert (state(bob), bob.position()) == before
        assert full.restore(list(full.events()), all_vectors(full)) == 0

    def test_a_full_partition_is_continued(self, store: Store, full: Partition) -> None:
        """Restored events follow the journal that is there, with their kind, version, id, time and payload."""
        bob = store.partition("bob")
        self.add(bob, "b1", "b2", "b3")
        journal = list(full.events())
        assert bob.restore(journal, all_vectors(full)) == len(journal)
        restored = list(bob.events(after=3))
        assert restored == [replace(event, user_id="bob", seq=event.seq + 3) for event in journal]
        assert gapless(seqs(bob.events()))
        assert set(ids(full.records())) | {"b1", "b2", "b3"} == set(ids(bob.records()))

    def test_vectors_follow_their_events(self, store: Store, full: Partition) -> None:
        """In a full partition each vector stands where its event went, so that `after` finds it; none is lost."""
        bob = store.partition("bob")
        self.add(bob, "b1", "b2", "b3")
        position = bob.position()
        bob.restore(full.events(), all_vectors(full))
        moved = [(model, replace(vector, seq=vector.seq + 3)) for model, vector in all_vectors(full)]
        new = [(model, vector) for model in bob.models() for vector in bob.vectors(model, after=position.seq)]
        assert new == moved

    def test_a_partly_known_export(self, store: Store, full: Partition) -> None:
        """An older export with newer events after it: only the new ones are appended, without gaps."""
        bob = store.partition("bob")
        bob.restore(first(10, full.events()), all_vectors(full))
        assert bob.restore(full.events(), all_vectors(full)) == full.position().seq - 10
        assert (state(bob), seqs(bob.events())) == (state(full), seqs(full.events()))

    def test_an_import_does_not_undo_a_purge(self, full: Partition) -> None:
        """An export from before a purge brings back neither the content nor its vectors."""
        journal, vectors = list(full.events()), all_vectors(full)
        full.purge(["m1"], self.draft(events.ENTRIES_PURGED, ids=["m1"]))
        before = state(full)
        assert full.restore(journal, vectors) == 0
        assert state(full) == before

    def test_an_event_twice_in_one_export(self, store: Store, full: Partition) -> None:
        """An event that appears twice in an export is kept once."""
        bob = store.partition("bob")
        journal = list(full.events())
        assert bob.restore([*journal, *journal[:3]], []) == len(journal)
        assert gapless(seqs(bob.events()))

    def test_all_or_nothing(self, store: Store, full: Partition) -> None:
        """An export that breaks off with an error leaves no event and no vector behind, nor a partition."""

        def broken() -> Iterator[Event]:
            yield from full.events()
            raise ZeroDivisionError

        bob = store.partition("bob")
        with pytest.raises(ZeroDivisionError):
            bob.restore(broken(), [])
        assert (store.users(), bob.position(), bob.models()) == (["ana"], Position(), {})

    def test_nothing_to_restore(self, store: Store) -> None:
        """An empty export creates no partition."""
        assert store.partition("bob").restore([], []) == 0
        assert store.users() == []

    def test_writing_goes_on(self, store: Store, full: Partition) -> None:
        """After a restore, commits continue the journal and a rebuild gives the same state."""
        bob = store.partition("bob")
        bob.restore(full.events(), all_vectors(full))
        self.add(bob, "late")
        assert bob.position().seq == full.position().seq + 1
        before = state(bob)
        bob.rebuild()
        assert state(bob) == before


def first(count: int, found: Iterator[Event]) -> list[Event]:
    """The first events of a stream."""
    return [event for event, _ in zip(found, range(count), strict=False)]
