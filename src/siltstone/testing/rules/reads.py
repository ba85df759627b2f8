"""Rules of the reading methods."""

from __future__ import annotations

from threading import Thread

import pytest

from siltstone.domain import events
from siltstone.domain.records import text_key
from siltstone.domain.values import ENTRY
from siltstone.ports.stores import Partition, Position, Store, StoreStats
from siltstone.testing.projector import SESSION
from siltstone.testing.rules.base import MODEL, StoreRules, ids, seqs, state, vector_of


class ReadRules(StoreRules):
    """What each method answers, and in which order."""

    def test_an_unknown_user_is_empty(self, store: Store, ana: Partition) -> None:
        """Reading a partition that does not exist gives empty answers and creates nothing."""
        assert ana.user_id == "ana"
        assert (ana.position(), ana.get(ENTRY, "m1"), ana.get_many(ENTRY, ["m1"])) == (Position(), None, {})
        assert [*ana.events(), *ana.events(mentioning="m1"), *ana.records(), *ana.vectors(MODEL)] == []
        assert (ana.vector_keys(MODEL, ["k"]), ana.models(), ana.stats()) == (set(), {}, StoreStats())
        ana.rebuild()
        assert (store.users(), ana.position()) == ([], Position())

    def test_a_partition_appears_with_its_first_commit(self, store: Store) -> None:
        """`users` lists, sorted, those who committed something."""
        for user_id in ("zoe", "ana", "Émile", "bob"):
            self.add(store.partition(user_id), "m1")
        store.partition("nobody").position()
        assert store.users() == ["ana", "bob", "zoe", "Émile"]

    def test_position_counts_events(self, ana: Partition) -> None:
        """The position is that of the newest event; writing does not change the epoch."""
        self.add(ana, "m1", "m2")
        self.write(ana, self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "x"}))
        assert ana.position() == Position(seq=3, epoch=0)

    def test_what_was_committed_is_read_at_once(self, store: Store, ana: Partition) -> None:
        """A commit shows through every partition object at once, also while an older stream is still being read."""
        self.add(ana, "m1", "m2")
        stream = ana.records()
        next(stream)
        self.add(store.partition("ana"), "m3")
        assert ana.get(ENTRY, "m3") is not None
        assert ana.position().seq == 3
        assert ids(stream) == ["m2"]

    def test_events_after_a_position(self, ana: Partition) -> None:
        """`after` leaves out the events up to that position, in order; beyond the end there are none."""
        self.add(ana, "m1", "m2", "m3")
        assert [seqs(ana.events(after=after)) for after in (0, 1, 3, 99)] == [[1, 2, 3], [2, 3], [], []]

    def test_events_about_one_memory(self, ana: Partition) -> None:
        """`mentioning` gives the events about that memory alone, whether they name it singly or in a list."""
        self.write(ana, self.entry("m1"), self.entry("m11", "about m1"), self.entry("m2", metadata={"id": "m1"}))
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m2", "m1"], reason=""))
        self.write(ana, self.draft(events.FEEDBACK_GIVEN, id="m1", value=1.0, turn=None, note=None))
        assert seqs(ana.events(mentioning="m1")) == [1, 4, 5]
        assert seqs(ana.events(mentioning="m1", after=1)) == [4, 5]
        assert seqs(ana.events(mentioning="m2")) == [3, 4]
        assert seqs(ana.events(mentioning="m")) == []

    def test_awkward_ids(self, ana: Partition) -> None:
        """An id may hold quotes, wildcards, slashes, blanks and any script."""
        names = ["a'b\"c", "100%", "_", "a/b\\c", "線 🙂", "id,with;marks", " x "]
        self.add(ana, *names)
        assert [seqs(ana.events(mentioning=name)) for name in names] == [[n] for n in range(1, len(names) + 1)]
        assert list(ana.get_many(ENTRY, names)) == names

    def test_get_finds_live_and_forgotten(self, ana: Partition) -> None:
        """`get` gives the record whether it is live or not; another kind or id gives None."""
        self.add(ana, "m1", "m2")
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m2"], reason="said so"))
        found = [ana.get(ENTRY, "m1"), ana.get(ENTRY, "m2")]
        assert [record.live for record in found if record is not None] == [True, False]
        assert (ana.get("other", "m1"), ana.get(ENTRY, "M1"), ana.get(ENTRY, "")) == (None, None, None)

    def test_get_many_leaves_out_the_unknown(self, ana: Partition) -> None:
        """`get_many` answers by id, in the order asked, without those that are not there; thousands at once."""
        names = [f"m{n}" for n in range(1_500)]
        self.write(ana, *[self.entry(name) for name in names])
        asked = [*reversed(names), "m9999", "m1"]
        found = ana.get_many(ENTRY, asked)
        assert list(found) == list(reversed(names))
        assert all(record.id == name for name, record in found.items())
        assert (ana.get_many(ENTRY, []), ana.get_many("other", names)) == ({}, {})

    def test_a_record_is_what_the_projector_gave(self, ana: Partition) -> None:
        """Every field of a record survives: kind, id, positions, body, terms, vector key, live."""
        self.write(ana, self.entry("m1", "Green Tea", session_id="s1"))
        record, session = ana.get(ENTRY, "m1"), ana.get(SESSION, "s1")
        assert record is not None
        assert session is not None
        assert (record.terms, record.vector_key, record.live) == ("green tea", text_key("Green Tea"), True)
        assert (session.terms, session.vector_key, session.body) == ("", "", {"entries": 1, "last": "m1"})
        assert (record.seq, record.origin, session.seq, session.origin) == (1, 1, 1, 1)

    def test_records_are_ordered(self, ana: Partition) -> None:
        """Records come by seq, then kind, then id; a changed record moves to its event's place, its origin stays."""
        self.write(ana, self.entry("m2", session_id="s1"), self.entry("m1", session_id="s1"), self.entry("m3"))
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m3", "m2"], reason=""))
        found = [(record.seq, record.kind, record.id, record.origin) for record in ana.records()]
        assert found == [(2, ENTRY, "m1", 2), (2, SESSION, "s1", 1), (4, ENTRY, "m2", 1), (4, ENTRY, "m3", 3)]

    def test_records_after_a_position(self, ana: Partition) -> None:
        """`after` gives only the records that changed since, forgotten ones included, in the same order."""
        self.add(ana, "m1", "m2", "m3")
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m2"], reason=""))
        self.write(ana, self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "new"}))
        everything = list(ana.records())
        for after in range(-1, 7):
            assert list(ana.records(after=after)) == [record for record in everything if record.seq > after]

    def test_vectors_are_ordered(self, ana: Partition) -> None:
        """Vectors come by seq, then key, of the one model asked for; `after` leaves out the earlier ones."""
        for n in range(4):
            texts = [f"text {n} {m}" for m in range(5)]
            vectors = {text_key(text): vector_of(text) for text in texts}
            model = MODEL if n % 2 == 0 else "second"
            drafts = [self.entry(f"m{n}")]
            self.commit(ana, drafts, model, vectors)
        found = list(ana.vectors(MODEL))
        assert [(v.seq, v.key) for v in found] == sorted((v.seq, v.key) for v in found)
        assert seqs(found) == [1] * 5 + [3] * 5
        for after in range(-1, 6):
            assert list(ana.vectors(MODEL, after=after)) == [vector for vector in found if vector.seq > after]
        assert list(ana.vectors("third")) == []

    def test_vector_keys(self, ana: Partition) -> None:
        """`vector_keys` gives those of the keys that this model has, out of thousands as well."""
        self.write(ana, self.entry("m1", "one"), self.entry("m2", "two"))
        asked = [text_key("one"), text_key("three"), *[f"{n:032x}" for n in range(1_200)], text_key("two")]
        assert ana.vector_keys(MODEL, asked) == {text_key("one"), text_key("two")}
        assert (ana.vector_keys("second", asked), ana.vector_keys(MODEL, [])) == (set(), set())

    def test_models_are_counted(self, ana: Partition) -> None:
        """`models` names every model with vectors, and how many it has."""
        self.write(ana, self.entry("m1", "one"), self.entry("m2", "two"))
        ana.commit(lambda view: [self.entry("m3")], model="second", vectors={"k": b"data"})
        assert ana.models() == {MODEL: 2, "second": 1}

    def test_stats(self, ana: Partition) -> None:
        """`stats` counts events, records by kind, live or not, and vectors by model."""
        self.write(ana, self.entry("m1", "one", session_id="s1"), self.entry("m2", "two"))
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m2"], reason=""))
        assert ana.stats() == StoreStats(events=3, records={ENTRY: 2, SESSION: 1}, vectors={MODEL: 2})

    def test_a_stream_may_be_dropped(self, ana: Partition) -> None:
        """Streams that nobody reads to their end stand in nobody's way."""
        self.write(ana, *[self.entry(f"m{n}", f"text {n}") for n in range(2_000)])
        for _ in range(50):
            next(ana.records())
            next(ana.events())
            next(ana.vectors(MODEL))
        self.add(ana, "last")
        assert ana.position().seq == 2_001

    def test_a_block_reads_one_state(self, store: Store, ana: Partition) -> None:
        """In a `reading` block every read shows the state of its first one, whatever others write meanwhile."""
        self.add(ana, "m1", "m2")
        before = (ana.position(), ids(ana.records()), state(ana))
        with ana.reading():
            assert ana.position() == before[0]
            writer = Thread(target=lambda: self.add(store.partition("ana"), "m3"))
            writer.start()
            writer.join(0.1)  # a store may let it wait until the block ends
            with ana.reading():
                assert (ana.position(), ids(ana.records()), state(ana)) == before
            assert (ana.get(ENTRY, "m3"), ana.get_many(ENTRY, ["m3"]), list(ana.records(after=2))) == (None, {}, [])
        writer.join()
        assert (ana.position().seq, ids(ana.records())) == (3, ["m1", "m2", "m3"])

    def test_a_block_of_an_unknown_user(self, store: Store, ana: Partition) -> None:
        """A `reading` block creates nothing, and an exception passes through it."""
        seen: list[object] = []

        def look() -> None:
            with ana.reading():
                seen.extend([ana.position(), *ana.records()])
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            look()
        assert seen == [Position()]
        assert store.users() == []
        self.add(ana, "m1")
        assert ids(ana.records()) == ["m1"]

    def test_a_stream_outlives_its_block(self, ana: Partition) -> None:
        """A stream that began in a `reading` block may be read to its end after it, beside new writes."""
        self.write(ana, *[self.entry(f"m{n}", f"text {n}") for n in range(600)])
        with ana.reading():
            stream = ana.records()
            next(stream)
        self.add(ana, "late")
        assert len(list(stream)) == 599
        assert ana.position().seq == 601
