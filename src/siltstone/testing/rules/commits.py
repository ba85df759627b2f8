"""Rules of `Partition.commit`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from siltstone.domain import events
from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Get, Record, text_key
from siltstone.domain.values import ENTRY
from siltstone.errors import InvalidInput
from siltstone.ports.stores import Partition, Position, Store, View
from siltstone.testing.rules.base import MODEL, StoreRules, all_vectors, ids, seqs, state, vector_of, vectors_of

AWKWARD: dict[str, Any] = {
    "chinese": "搬到了上海 🏮",
    "combined": "e\u0301 👩‍👩‍👧 \u202eright to left",
    "control": "a\x00b\x1f\n\t\\\"'",
    "numbers": [0, -1, 2**53, 0.1, 1e-300, True, False, None],
    "nested": {"": [], "a": {"b": [{"c": "d"}]}},
    "text": "keys in any order",
    "like sql": "'; DROP TABLE event; --",
}


class CommitRules(StoreRules):
    """What a commit writes and when it writes nothing."""

    def test_events_are_numbered_from_one(self, ana: Partition) -> None:
        """Events are numbered 1, 2, 3 over several commits, and the answer holds those of the commit alone."""
        first = self.write(ana, self.entry("m1"), self.entry("m2"))
        second = self.write(ana, self.entry("m3"))
        assert (seqs(first), seqs(second)) == ([1, 2], [3])
        assert seqs(ana.events()) == [1, 2, 3]

    def test_events_keep_what_was_decided(self, ana: Partition) -> None:
        """An event is its draft with the user, its place and the newest version of its kind."""
        draft = self.entry("m1", "tea, please", tags=["drinks"])
        (event,) = self.write(ana, draft)
        assert event == Event.of(draft, user_id="ana", seq=1)
        assert list(ana.events()) == [event]

    def test_awkward_payloads_survive(self, ana: Partition) -> None:
        """Whatever JSON can hold comes back as it was: scripts, emoji, control characters, numbers, nesting."""
        self.write(ana, self.draft(events.ENTRY_ADDED, id="m1", **AWKWARD))
        assert [dict(event.payload) for event in ana.events()] == [{"id": "m1", **AWKWARD}]
        record = ana.get(ENTRY, "m1")
        assert record is not None
        assert {key: record.body[key] for key in AWKWARD} == AWKWARD

    def test_lone_surrogates_survive(self, ana: Partition) -> None:
        """A text with half of a surrogate pair, which UTF-8 cannot hold, comes back unchanged."""
        self.write(ana, self.draft(events.ENTRY_ADDED, id="水", broken="half \ud83d of it"))
        assert next(iter(ana.events(mentioning="水"))).payload["broken"] == "half \ud83d of it"

    @pytest.mark.parametrize("size", [5_000, 1_000_000])
    def test_long_texts_survive(self, ana: Partition, size: int) -> None:
        """A text of a megabyte is kept whole in the journal and in the record."""
        text = "long words " * (size // 11)
        self.write(ana, self.entry("m1", text))
        record = ana.get(ENTRY, "m1")
        assert record is not None
        assert record.body["text"] == text == next(iter(ana.events())).payload["text"]
        assert record.terms == " ".join(text.lower().split())

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object()])
    def test_what_json_lacks_is_refused(self, ana: Partition, value: object) -> None:
        """NaN, infinity and other objects raise InvalidInput, and nothing is written."""
        with pytest.raises(InvalidInput):
            self.write(ana, self.entry("m1"), self.entry("m2", metadata={"value": value}))
        assert (ana.position(), list(ana.records()), ana.models()) == (Position(), [], {})

    def test_times_are_exact(self, ana: Partition) -> None:
        """Microseconds and offsets from UTC survive."""
        at = datetime(2026, 3, 29, 1, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=5, minutes=45)))
        ana.commit(lambda view: [Draft(id="e1", kind=events.ENTRY_ADDED, at=at, payload={"id": "m1"})])
        (event,) = ana.events()
        assert (event.at, event.at.utcoffset()) == (at, at.utcoffset())

    def test_deciding_nothing_writes_nothing(self, store: Store, ana: Partition) -> None:
        """Where the decision is empty, the answer is (), no vector is kept and no partition appears."""
        assert ana.commit(lambda view: (), model=MODEL, vectors=vectors_of("unused")) == ()
        assert (ana.models(), ana.position(), store.users()) == ({}, Position(), [])

    def test_a_failing_decision_writes_nothing(self, store: Store, ana: Partition) -> None:
        """An exception in the decision reaches the caller, and the store stays as it was and usable."""

        def decide(view: View) -> Sequence[Draft]:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            ana.commit(decide)
        assert store.users() == []
        self.add(ana, "m1")
        assert ids(ana.records()) == ["m1"]

    def test_a_failing_projection_writes_nothing(self, tmp_path: Path) -> None:
        """Where the fold of one event fails, neither it nor the events beside it are in the journal."""

        class Refusing:
            version = "1"

            def __call__(self, event: Event, get: Get) -> Sequence[Record]:
                if event.seq == 3:
                    raise ZeroDivisionError
                return [Record(kind=ENTRY, id=event.payload["id"], seq=event.seq, origin=event.seq)]

        store = self.make_store(tmp_path, Refusing())
        ana = store.partition("ana")
        self.write(ana, self.entry("m1"))
        before = state(ana)
        with pytest.raises(ZeroDivisionError):
            self.write(ana, self.entry("m2"), self.entry("m3"))
        assert (seqs(ana.events()), state(ana)) == ([1], before)
        store.close()

    def test_the_view_is_the_partition(self, ana: Partition) -> None:
        """A decision sees position, single records and whole kinds as the commits before it left them."""
        self.write(ana, self.entry("m2", session_id="s1"), self.entry("m1"))
        self.write(ana, self.draft(events.ENTRY_UPDATED, id="m2", changes={"text": "changed"}))
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m1"], reason=""))
        seen = seen_by_decision(
            ana, lambda view: [view.seq, ids(view.records(ENTRY)), view.get(ENTRY, "m2"), view.get(ENTRY, "m9")]
        )
        assert seen == [4, ["m2", "m1"], ana.get(ENTRY, "m2"), None]

    def test_the_view_orders_by_origin_then_id(self, ana: Partition) -> None:
        """Records appear in the order in which the memories first appeared, whatever changed later."""
        self.add(ana, "m3", "m1", "m2")
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m3", "m1"], reason=""))
        seen = seen_by_decision(ana, lambda view: ids(view.records(ENTRY)))
        assert seen == ["m3", "m1", "m2"]

    def test_the_view_of_a_new_partition_is_empty(self, ana: Partition) -> None:
        """Before the first commit, a decision sees position 0 and no records."""
        seen = seen_by_decision(ana, lambda view: [view.seq, view.get(ENTRY, "m1"), *view.records(ENTRY)])
        assert seen == [0, None]

    def test_events_of_one_commit_build_on_each_other(self, ana: Partition) -> None:
        """Within a commit, each event is folded on top of those before it."""
        change = self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "second"})
        self.write(ana, self.entry("m1", "first"), change, self.draft(events.ENTRIES_FORGOTTEN, ids=["m1"]))
        record = ana.get(ENTRY, "m1")
        assert record is not None
        assert (record.body["text"], record.origin, record.seq, record.live) == ("second", 1, 3, False)

    def test_a_record_can_come_and_go_in_one_commit(self, ana: Partition) -> None:
        """A memory added and erased within a commit leaves its events and no record."""
        self.write(ana, self.entry("m1"), self.draft(events.ENTRIES_PURGED, ids=["m1"]))
        assert (seqs(ana.events()), list(ana.records())) == ([1, 2], [])

    def test_vectors_take_the_last_position(self, ana: Partition) -> None:
        """Vectors stand at the position of the commit's last event."""
        self.write(ana, self.entry("m1", "one"), self.entry("m2", "two"))
        found = list(ana.vectors(MODEL))
        assert {vector.key: vector.data for vector in found} == vectors_of("one", "two")
        assert seqs(found) == [2, 2]

    def test_a_known_vector_stays(self, ana: Partition) -> None:
        """A (model, key) that is stored keeps its first data and position; another model's is its own."""
        self.write(ana, self.entry("m1", "one"))
        key = text_key("one")
        ana.commit(lambda view: [self.entry("m2", "one")], model=MODEL, vectors={key: b"other"})
        ana.commit(lambda view: [self.entry("m3", "one")], model="second", vectors={key: b"theirs"})
        found = {(model, vector.key): (vector.seq, vector.data) for model, vector in all_vectors(ana)}
        assert found == {(MODEL, key): (1, vector_of("one")), ("second", key): (3, b"theirs")}

    def test_a_commit_of_thousands(self, ana: Partition) -> None:
        """Thousands of events and vectors are one step."""
        drafts = [self.entry(f"m{n:04}", f"text {n}") for n in range(3_000)]
        events_written = self.write(ana, *drafts)
        assert seqs(events_written) == list(range(1, 3_001))
        assert (len(list(ana.records())), ana.models()) == (3_000, {MODEL: 3_000})


def seen_by_decision(partition: Partition, look: Callable[[View], Any]) -> Any:
    """What `look` gives inside a commit that decides nothing."""
    seen: list[Any] = []

    def decide(view: View) -> Sequence[Draft]:
        seen.append(look(view))
        return ()

    partition.commit(decide)
    return seen[0]
