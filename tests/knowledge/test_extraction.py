"""Reading entries: once each, durable, by rules, by a model or by a host; what fails waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from knowledge.graphs import ANA, ids, keep, nodes
from siltstone import Memory
from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelUnavailable
from siltstone.ports.knowledge import Text

BOB = {"entities": [{"type": "person", "name": "Bob"}, {"type": "place", "name": "Oslo"}]}
LIVES = {**BOB, "relations": [{"source": "Bob", "target": "Oslo", "type": "lives in"}]}


class Reader:
    """An extractor that answers what it is given, in order; an error is raised."""

    name = "reader/1"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[list[str]] = []
        self.known: Sequence[str] = ()

    def read(self, texts: Sequence[Text], known: Sequence[str]) -> Sequence[Mapping[str, Any] | None]:
        self.asked.append([text.text for text in texts])
        self.known = known
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, list) else [answer] * len(texts)


def add(memory: Memory, *texts: str) -> list[str]:
    return [memory.add(text, user_id=ANA).id for text in texts]


def test_an_entry_is_read_once(memory: Memory) -> None:
    """A second run has nothing to do, and replay gives the same graph without reading."""
    entry = add(memory, "Bob lives in Oslo")
    assert list(memory.graph.extract(user_id=ANA).read) == entry
    assert memory.graph.extract(user_id=ANA).read == ()
    before = memory.graph.nodes(user_id=ANA)
    assert memory.replay(user_id=ANA).same and memory.graph.nodes(user_id=ANA) == before


def test_entities_name_their_entries(memory: Memory) -> None:
    """Each entity and relation leads to the verbatim turns that it was read from."""
    (entry,) = keep(memory, "Bob lives in Oslo")
    assert memory.graph.mentioned([entry], user_id=ANA)[entry][0].id == "person:bob"
    (edge,) = memory.graph.relations("person:bob", user_id=ANA)
    assert edge.sources == (entry,)


def test_forgetting_an_entry_takes_back_what_it_alone_said(memory: Memory) -> None:
    """What another entry says too stays; revived, all is there again."""
    first, _ = keep(memory, "Bob lives in Oslo", "Bob works at Acme Corp.")
    memory.forget(first, user_id=ANA)
    assert nodes(memory) == {"person:bob", "organization:acme"}
    memory.revive(first, user_id=ANA)
    assert "place:oslo" in nodes(memory)


def test_purging_an_entry_erases_what_was_read_from_it(tmp_path: Path) -> None:
    """Not a byte of its entities is left in the files, nor of a node put by hand with that entry as its only source."""
    with Memory.open(f"sqlite:///{tmp_path}/m.db", embedding__provider="none") as memory:
        (entry,) = keep(memory, "Zebulon lives in Oslo")
        memory.graph.add(
            user_id=ANA,
            nodes=[{"id": "q", "name": "Quetzal", "sources": [entry]}, {"id": "k", "name": "Kept"}],
            edges=[{"source": "k", "target": "q", "type": "xylograph", "sources": [entry]}],
        )
        memory.forget(entry, user_id=ANA, purge=True)
        assert nodes(memory) == {"k"}
        assert memory.replay(user_id=ANA).same
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not any(word in data for word in (b"Zebulon", b"Quetzal", b"xylograph")) and b"Kept" in data


def test_what_is_put_by_hand_goes_with_its_only_source(memory: Memory) -> None:
    """A node and an edge that name an entry as their source are hidden while it is forgotten."""
    (entry,) = add(memory, "some note")
    memory.graph.add(
        user_id=ANA,
        nodes=[{"id": "a"}, {"id": "b", "sources": [entry]}],
        edges=[{"source": "a", "target": "c", "sources": [entry]}],
    )
    memory.forget(entry, user_id=ANA)
    assert nodes(memory) == {"a", "c"} and ids(memory, "a") == []
    memory.revive(entry, user_id=ANA)
    assert nodes(memory) == {"a", "b", "c"} and ids(memory, "a") == ["c"]


def test_new_words_are_read_anew(memory: Memory) -> None:
    """An entry whose text changed says what it says now; one whose time changed says it of that time."""
    (entry,) = keep(memory, "Bob lives in Oslo")
    memory.update(entry, user_id=ANA, text="Bob lives in Rome")
    assert nodes(memory) == set() and memory.graph.status(user_id=ANA).unread == 1
    memory.graph.extract(user_id=ANA)
    assert ids(memory, "person:bob") == ["place:rome"]
    memory.update(entry, user_id=ANA, occurred_at="2020-01-01")
    assert ids(memory, "person:bob", as_of="2020-06-01") == ["place:rome"]


def test_a_model_takes_the_place_of_the_rules(memory: Memory) -> None:
    """What the rules have read a model reads again; what a model has read the rules leave alone."""
    add(memory, "Bob lives in Oslo")
    memory.graph.extract(user_id=ANA, by="rules")
    reader = Reader({"entities": [{"type": "Person", "name": "Robert"}]})
    assert len(memory.graph.extract(user_id=ANA, by=reader).read) == 1
    assert nodes(memory) == {"person:robert"} and reader.known == ["person:Bob", "place:Oslo"]
    assert memory.graph.extract(user_id=ANA, by="rules").read == ()
    assert memory.graph.status(user_id=ANA).read == {"reader/1": 1}


def test_one_call_reads_a_batch(memory: Memory) -> None:
    """Entries go out together, up to a number and a size."""
    add(memory, *(f"note {n}" for n in range(20)), "x" * 20_000)
    reader = Reader({}, {}, {})
    assert len(memory.graph.extract(user_id=ANA, by=reader).read) == 21
    assert [len(texts) for texts in reader.asked] == [12, 8, 1]


def test_a_failure_that_may_pass_leaves_all_waiting(memory: Memory) -> None:
    """What was read before stays; the rest waits, says why, and is read by the next run."""
    entries = add(memory, *(f"note {n}" for n in range(13)))
    reader = Reader({}, ModelUnavailable("the model is down"))
    run = memory.graph.extract(user_id=ANA, by=reader)
    assert len(run.read) == 12 and run.waiting == {entries[12]: "the model is down"}
    assert memory.graph.status(user_id=ANA).unread == 1
    assert memory.graph.extract(user_id=ANA, by=Reader({})).read == (entries[12],)


def test_an_answer_of_no_use_is_asked_for_one_by_one(memory: Memory) -> None:
    """The entry that a model cannot read is named with its reason; the others are read."""
    good, bad = add(memory, "good", "bad")
    wrong = ModelAnswerInvalid("no JSON")
    run = memory.graph.extract(user_id=ANA, by=Reader(wrong, LIVES, wrong))
    assert run.read == (good,) and run.failed == {bad: "no JSON"}
    assert memory.graph.status(user_id=ANA).failed == {bad: "no JSON"}
    assert memory.replay(user_id=ANA).same


def test_what_fails_three_times_is_left_until_asked_for(memory: Memory) -> None:
    """A third failure ends it; `again` tries once more, and success clears it."""
    (entry,) = add(memory, "bad")
    wrong = ModelAnswerInvalid("no JSON")
    for _ in range(3):
        assert memory.graph.extract(user_id=ANA, by=Reader(wrong)).failed
    reader = Reader(LIVES)
    assert memory.graph.extract(user_id=ANA, by=reader).read == () and reader.asked == []
    assert memory.graph.extract(user_id=ANA, by=reader, again=True).read == (entry,)
    assert memory.graph.status(user_id=ANA).failed == {}


def test_what_an_answer_does_not_reach_is_asked_again(memory: Memory) -> None:
    """An answer that was cut off is kept as far as it goes; the rest is asked for in the next call."""
    entries = add(memory, "one", "two", "three")
    reader = Reader([LIVES, None, None], {})
    assert set(memory.graph.extract(user_id=ANA, by=reader).read) == set(entries)
    assert reader.asked == [["one", "two", "three"], ["two", "three"]]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (
            {"entities": [{"name": "Bob"}, {"type": "person"}, "x", {"type": "person", "name": "a\nb  c"}]},
            {"entity:bob", "person:a_b_c"},
        ),
        ({"entities": [{"type": "person", "name": "x" * 300}]}, set()),
        ({"relations": [{"source": "Bob", "target": "person:Ann", "type": "knows"}]}, {"entity:bob", "person:ann"}),
        (
            {"relations": [{"source": "Bob", "target": "Bob", "type": "is"}, {"source": 0, "target": 9, "type": "x"}]},
            {"entity:bob"},
        ),
        (
            {
                "entities": [
                    {"type": "person", "name": "Bob", "attributes": {"a": {"b": 1}, "c": float("nan")}, "aliases": "x"}
                ]
            },
            {"person:bob"},
        ),
    ],
)
def test_only_whole_items_are_kept(memory: Memory, told: dict[str, Any], kept: set[str]) -> None:
    """What has no name, no type or no ends is left out; the rest of the answer counts."""
    add(memory, "some text")
    memory.graph.extract(user_id=ANA, by=Reader(told))
    assert nodes(memory) == kept


def test_an_answer_of_another_form_is_a_failure(memory: Memory) -> None:
    """Lists are lists, and there is one answer for each text."""
    add(memory, "some text")
    assert memory.graph.extract(user_id=ANA, by=Reader({"entities": {}})).failed
    assert memory.graph.extract(user_id=ANA, by=Reader([{}, {}])).failed


def test_a_relation_may_lead_to_what_is_known(memory: Memory) -> None:
    """An end that the entry does not mention is found among what earlier entries said."""
    keep(memory, "Bob works at Acme Corp.")
    add(memory, "he moved there")
    memory.graph.extract(
        user_id=ANA, by=Reader({}, {"relations": [{"source": "bob", "target": "Oslo", "type": "lives_in"}]})
    )
    add(memory, "again")
    memory.graph.extract(
        user_id=ANA, by=Reader({"relations": [{"source": "bob", "target": "Oslo", "type": "lives_in"}]})
    )
    found = memory.graph.resolve("bob", user_id=ANA)
    assert found is not None and [n.entity.name for n in memory.graph.neighbors(found.id, user_id=ANA)] == ["Oslo"]


def test_a_host_may_record_its_own_reading(memory: Memory) -> None:
    """What somebody else read out of an entry is recorded with it, and takes the place of an earlier reading."""
    (entry,) = keep(memory, "Bob lives in Oslo")
    assert memory.graph.ingest(entry, user_id=ANA, entities=[{"type": "x", "name": "Y"}], extractor="host/1")
    assert nodes(memory) == {"x:y"}
    assert not memory.graph.ingest("nobody", user_id=ANA, entities=[], extractor="host/1")


def test_rules_may_read_at_every_write(tmp_path: Path) -> None:
    """With knowledge.extract = rules an entry and what it says are one durable step; repeated, nothing is doubled."""
    with Memory.open(f"sqlite:///{tmp_path}/m.db", embedding__provider="none", knowledge__extract="rules") as memory:
        receipt = memory.add("Bob lives in Oslo", user_id=ANA, idempotency_key="k")
        again = memory.add("Bob lives in Oslo", user_id=ANA, idempotency_key="k")
        assert receipt.ids == again.ids and len(receipt.ids) == 1 and not again.created
        assert ids(memory, "person:bob") == ["place:oslo"] and memory.graph.extract(user_id=ANA).read == ()


@pytest.mark.parametrize("options", [{"by": "magic"}, {"by": "model"}, {"limit": 0}])
def test_a_wrong_way_to_read_is_named(memory: Memory, options: dict[str, Any]) -> None:
    """Only readers that are there read."""
    with pytest.raises(InvalidInput):
        memory.graph.extract(user_id=ANA, **options)


def test_a_limit_leaves_the_rest(memory: Memory) -> None:
    """At most so many entries are read, the oldest first."""
    entries = add(memory, "one", "two", "three")
    assert list(memory.graph.extract(user_id=ANA, limit=2).read) == entries[:2]
    assert memory.graph.status(user_id=ANA).unread == 1


def test_an_agent_sees_no_entities_of_another_agents_entries(tmp_path: Path) -> None:
    """What was read out of an entry is seen by who sees the entry."""
    url = f"sqlite:///{tmp_path}/m.db"
    with Memory.open(url, embedding__provider="none") as memory:
        keep(memory, "Bob lives in Oslo", agent_id="other")
        keep(memory, "Mia lives in Rome", agent_id="mine")
    with Memory.open(url, embedding__provider="none", scope__agent_id="mine", scope__primary=False) as memory:
        assert nodes(memory) == {"person:mia", "place:rome"}
