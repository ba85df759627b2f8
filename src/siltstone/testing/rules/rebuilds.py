"""Rules of the projection: it is what the journal says, in the version of the projector, and outlives reopening."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from siltstone.domain import events
from siltstone.domain.events import Event
from siltstone.domain.values import ENTRY
from siltstone.errors import SchemaTooNew, StoreUnavailable
from siltstone.ports.stores import Partition, Store
from siltstone.testing.clock import START
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import MODEL, StoreRules, ids, seqs, state


class RebuildRules(StoreRules):
    """Rebuilding, other versions, closing and opening again, health."""

    def busy_life(self, partition: Partition) -> None:
        """A bit of everything."""
        self.write(partition, *[self.entry(f"m{n}", f"text {n}", session_id=f"s{n % 3}") for n in range(20)])
        self.write(partition, self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "新しい", "session_id": None}))
        self.write(partition, self.draft(events.ENTRIES_FORGOTTEN, ids=["m2", "m3", "unknown"], reason=""))
        self.write(partition, self.draft(events.ENTRIES_REVIVED, ids=["m3"]))
        self.write(partition, self.draft(events.FEEDBACK_GIVEN, id="m4", value=-0.5, turn="t1", note=None))

    def test_a_rebuild_changes_nothing(self, ana: Partition) -> None:
        """After a rebuild all records, vectors and events are what they were; the epoch has risen."""
        self.busy_life(ana)
        before, journal, records, position = state(ana), list(ana.events()), list(ana.records()), ana.position()
        ana.rebuild()
        assert (state(ana), list(ana.events()), list(ana.records())) == (before, journal, records)
        assert ana.position().seq == position.seq
        assert ana.position().epoch > position.epoch

    def test_a_rebuild_tells_how_far_it_is(self, ana: Partition) -> None:
        """Progress counts up to the number of events and ends there."""
        self.busy_life(ana)
        seen: list[tuple[int, int]] = []
        ana.rebuild(lambda done, total: seen.append((done, total)))
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)
        assert {total for _, total in seen} == {ana.position().seq}
        assert seen[-1] == (ana.position().seq, ana.position().seq)

    def test_writing_goes_on_after_a_rebuild(self, ana: Partition) -> None:
        """New events continue the journal, and `after` still finds exactly what changed."""
        self.busy_life(ana)
        ana.rebuild()
        position = ana.position()
        self.add(ana, "late")
        assert ana.position().seq == position.seq + 1
        assert ids(ana.records(after=position.seq)) == ["late"]

    def test_everything_is_there_after_reopening(self, store: Store, ana: Partition) -> None:
        """Closed and opened again, the store has the same users, positions, events, records and vectors."""
        self.busy_life(ana)
        before = (store.users(), ana.position(), list(ana.events()), state(ana))
        again = self.reopen(store, WordProjector())
        kept = again.partition("ana")
        assert (again.users(), kept.position(), list(kept.events()), state(kept)) == before
        again.close()

    def test_another_projector_version_rebuilds(self, store: Store, ana: Partition) -> None:
        """Opened with another version of the fold, a partition is folded anew before it is read; the epoch rises."""
        self.busy_life(ana)
        journal, position, vectors = list(ana.events()), ana.position(), list(ana.vectors(MODEL))
        again = self.reopen(store, WordProjector(version="2"))
        changed = again.partition("ana")
        assert all(r.terms.startswith("version2") for r in changed.records() if r.kind == ENTRY)
        assert (list(changed.events()), list(changed.vectors(MODEL))) == (journal, vectors)
        assert changed.position().epoch > position.epoch
        self.add(changed, "late")
        before = state(changed)
        changed.rebuild()
        assert state(changed) == before
        again.close()

    def test_the_same_version_does_not_rebuild(self, store: Store, ana: Partition) -> None:
        """Opened with the same version, the epoch stays, and so it does on looking at the partition again."""
        self.busy_life(ana)
        position = ana.position()
        again = self.reopen(store, WordProjector())
        assert again.partition("ana").position() == again.partition("ana").position() == position
        again.close()

    def test_a_sound_store_has_nothing_to_mend(self, store: Store, ana: Partition) -> None:
        """`check` finds everything in order, changes nothing, and gives no remedies."""
        self.busy_life(ana)
        before = (state(ana), ana.position())
        findings = store.check()
        assert findings
        assert [finding for finding in findings if not finding.ok or finding.remedy] == []
        assert (state(ana), ana.position()) == before

    def test_repair_brings_every_projection_up_to_date(self, store: Store, ana: Partition) -> None:
        """`repair` leaves a store whose check is clean, with every user's projection in this version of the fold."""
        self.busy_life(ana)
        self.add(store.partition("bob"), "m1")
        again = self.reopen(store, WordProjector(version="2"))
        assert [finding.ok for finding in again.check()].count(False) == 1
        assert all(finding.ok for finding in again.repair())
        assert all(finding.ok for finding in again.check())
        entries = [r for user in ("ana", "bob") for r in again.partition(user).records() if r.kind == ENTRY]
        assert all(record.terms.startswith("version2") for record in entries)
        again.close()

    def test_closing_twice_is_harmless(self, store: Store, ana: Partition) -> None:
        """After `close`, a second one does nothing and every other call raises StoreUnavailable."""
        self.add(ana, "m1")
        store.close()
        store.close()
        calls: list[Callable[[], object]] = [
            store.users,
            lambda: store.partition("ana"),
            ana.position,
            lambda: list(ana.events()),
            lambda: list(ana.records()),
            lambda: ana.get(ENTRY, "m1"),
            lambda: self.add(ana, "m2"),
            ana.rebuild,
        ]
        for call in calls:
            with pytest.raises(StoreUnavailable):
                call()

    def test_an_event_from_the_future_is_refused(self, ana: Partition) -> None:
        """An event of an unknown kind or a newer version raises SchemaTooNew, and nothing of its import is kept."""
        self.add(ana, "m1")
        good = Event(user_id="x", seq=1, id="e1", kind=events.ENTRY_ADDED, version=1, at=START, payload={"id": "m2"})
        for kind, version in (("entry_dreamt", 1), (events.ENTRY_ADDED, 99)):
            future = Event(user_id="x", seq=2, id="e2", kind=kind, version=version, at=START, payload={"id": "m3"})
            with pytest.raises(SchemaTooNew):
                ana.restore([good, future], [])
        assert (seqs(ana.events()), ids(ana.records())) == ([1], ["m1"])
