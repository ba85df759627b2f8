"""Rules of `Partition.purge`: the content is gone, everything else stays."""

from __future__ import annotations

import json

from siltstone.domain import events
from siltstone.domain.events import Draft
from siltstone.domain.records import text_key
from siltstone.domain.values import ENTRY
from siltstone.ports.stores import Partition, Store
from siltstone.testing.projector import SESSION, WordProjector
from siltstone.testing.rules.base import MODEL, StoreRules, gapless, ids, seqs, state


class PurgeRules(StoreRules):
    """What a purge erases, what it leaves, and what it answers."""

    def purge(self, partition: Partition, *memory_ids: str) -> dict[str, int]:
        """Purge these memories, as the pipeline does."""
        return partition.purge(memory_ids, self.draft_of(*memory_ids))

    def draft_of(self, *memory_ids: str) -> Draft:
        """The event that a purge appends."""
        return self.draft(events.ENTRIES_PURGED, ids=list(memory_ids))

    def everything(self, partition: Partition) -> str:
        """All that the partition can still say, as one text."""
        journal = [(event.kind, dict(event.payload)) for event in partition.events()]
        records = [(r.kind, r.id, dict(r.body), r.terms, r.vector_key) for r in partition.records()]
        vectors = [(model, v.key, v.data.hex()) for model in partition.models() for v in partition.vectors(model)]
        return json.dumps([journal, records, vectors, partition.stats().records], ensure_ascii=False)

    def test_no_trace_of_the_content(self, ana: Partition) -> None:
        """Text, metadata, terms and vectors of all the memory's versions are in no event, record or vector."""
        self.write(ana, self.entry("m1", "the Zanzibar plan", metadata={"code": "Quetzal"}), self.entry("m2", "kept"))
        self.write(ana, self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "the Timbuktu plan"}))
        hashes = [text_key("the Zanzibar plan"), text_key("the Timbuktu plan")]
        self.purge(ana, "m1")
        left = self.everything(ana).lower()
        assert [word for word in ["zanzibar", "timbuktu", "quetzal", *hashes] if word in left] == []
        assert ana.vector_keys(MODEL, hashes) == set()
        assert ids(ana.records()) == ["m2"]

    def test_the_answer_counts_by_place(self, ana: Partition) -> None:
        """The answer is how many events, records and vectors were erased."""
        self.write(ana, self.entry("m1", "one"), self.entry("m2", "two"), self.entry("m3", "three"))
        self.write(ana, self.draft(events.ENTRY_UPDATED, id="m1", changes={"text": "one again"}))
        assert self.purge(ana, "m1", "m2") == {"events": 3, "records": 2, "vectors": 3}

    def test_the_journal_keeps_its_shape(self, ana: Partition) -> None:
        """Events keep place, id, kind and time; a purged payload says only whose it was; the purge comes last."""
        self.add(ana, "m1", "m2")
        before = list(ana.events())
        draft = self.draft_of("m1")
        ana.purge(["m1"], draft)
        after = list(ana.events())
        assert [(e.seq, e.id, e.kind, e.at) for e in after[:2]] == [(e.seq, e.id, e.kind, e.at) for e in before]
        assert [dict(e.payload) for e in after[:2]] == [{"id": "m1", "purged": True}, dict(before[1].payload)]
        assert (after[2].seq, after[2].id, dict(after[2].payload)) == (3, draft.id, {"ids": ["m1"]})

    def test_the_epoch_rises(self, ana: Partition) -> None:
        """Whoever has read the partition learns from the epoch that rows vanished."""
        self.add(ana, "m1")
        before = ana.position()
        self.purge(ana, "m1")
        assert ana.position().epoch > before.epoch
        assert ana.position().seq == before.seq + 1

    def test_a_shared_vector_stays(self, ana: Partition) -> None:
        """A vector is kept while another memory has the same text."""
        self.write(ana, self.entry("m1", "same words"), self.entry("m2", "same words"))
        assert self.purge(ana, "m1")["vectors"] == 0
        assert ana.vector_keys(MODEL, [text_key("same words")]) == {text_key("same words")}
        assert self.purge(ana, "m2")["vectors"] == 1

    def test_vectors_of_every_model_go(self, ana: Partition) -> None:
        """A purged text's vectors go for all models."""
        self.add(ana, "m1")
        key = text_key("this is m1")
        ana.commit(lambda view: [self.entry("m2", "other")], model="second", vectors={key: b"data"})
        self.purge(ana, "m1")
        assert [ana.vector_keys(model, [key]) for model in (MODEL, "second")] == [set(), set()]

    def test_what_was_derived_is_folded_again(self, ana: Partition) -> None:
        """Records that other memories share forget the purged one, too."""
        self.write(ana, self.entry("m1", session_id="s1"), self.entry("m2", session_id="s1"))
        self.write(ana, self.entry("m3", session_id="s2"))
        self.purge(ana, "m2", "m3")
        session = ana.get(SESSION, "s1")
        assert session is not None
        assert session.body == {"entries": 1, "last": "m1"}
        assert ana.get(SESSION, "s2") is None

    def test_a_rebuild_gives_the_same(self, store: Store, ana: Partition) -> None:
        """After a purge, folding the journal again gives the same records, also after reopening."""
        self.write(ana, *[self.entry(f"m{n}", f"text {n}", session_id="s1") for n in range(10)])
        self.write(ana, self.draft(events.ENTRIES_FORGOTTEN, ids=["m1", "m2"], reason=""))
        self.purge(ana, "m1", "m5")
        self.add(ana, "late")
        before = state(ana)
        ana.rebuild()
        assert state(ana) == before
        again = self.reopen(store, WordProjector())
        again.partition("ana").rebuild()
        assert state(again.partition("ana")) == before
        assert gapless(seqs(again.partition("ana").events()))
        again.close()

    def test_a_second_purge_erases_nothing_more(self, ana: Partition) -> None:
        """Purging what is purged, or was never there, counts zero and still appends its event."""
        self.add(ana, "m1", "m2")
        self.purge(ana, "m1")
        assert self.purge(ana, "m1") == {"events": 0, "records": 0, "vectors": 0}
        assert self.purge(ana, "never") == {"events": 0, "records": 0, "vectors": 0}
        assert (ana.position().seq, ids(ana.records())) == (5, ["m2"])

    def test_a_purged_id_can_be_used_again(self, ana: Partition) -> None:
        """A memory added under a purged id is a new one."""
        self.add(ana, "m1")
        self.purge(ana, "m1")
        self.write(ana, self.entry("m1", "fresh"))
        record = ana.get(ENTRY, "m1")
        assert record is not None
        assert (record.body["text"], record.origin) == ("fresh", 3)

    def test_many_at_once(self, ana: Partition) -> None:
        """Thousands of memories are purged in one step."""
        names = [f"m{n}" for n in range(2_000)]
        self.write(ana, *[self.entry(name, f"text of {name}") for name in names])
        assert self.purge(ana, *names[5:]) == {"events": 1_995, "records": 1_995, "vectors": 1_995}
        assert ids(ana.records()) == names[:5]

    def test_other_users_keep_theirs(self, store: Store, ana: Partition) -> None:
        """A purge under one user leaves another user's memory with the same id and text alone."""
        bob = store.partition("bob")
        self.add(ana, "m1")
        self.add(bob, "m1")
        before = (state(bob), list(bob.events()), bob.position())
        self.purge(ana, "m1")
        assert (state(bob), list(bob.events()), bob.position()) == before
