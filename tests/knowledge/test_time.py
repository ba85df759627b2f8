"""The two axes of time: when something was true, and when it was known."""

from __future__ import annotations

from datetime import UTC, datetime

from knowledge.graphs import ANA, ids, keep
from siltstone import Memory


def at(year: int, month: int = 6) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


def test_a_later_value_supersedes_the_same_subject_and_predicate_only(memory: Memory) -> None:
    """Who moves lives in the new place alone; work, and other people, are untouched."""
    keep(memory, "Bob lives in Oslo", "Bob works at Acme Corp.", "Mia lives in Oslo", occurred_at=at(2020))
    keep(memory, "Bob moved to Rome", occurred_at=at(2023))
    assert ids(memory, "person:bob") == ["organization:acme", "place:rome"]
    assert ids(memory, "person:mia") == ["place:oslo"]


def test_the_graph_can_be_asked_as_it_was(memory: Memory) -> None:
    """As of a moment only what held then is walked; before anything was said nothing did."""
    keep(memory, "Bob lives in Oslo", occurred_at=at(2020))
    keep(memory, "Bob moved to Rome", occurred_at=at(2023))
    keep(memory, "Bob moved to Oslo", occurred_at=at(2025))
    assert ids(memory, "person:bob", as_of=at(2021)) == ["place:oslo"]
    assert ids(memory, "person:bob", as_of="2024-01-01") == ["place:rome"]
    assert ids(memory, "person:bob", as_of=at(2026)) == ["place:oslo"]
    assert ids(memory, "person:bob", as_of=at(2019)) == []
    (first, *_) = memory.graph.relations("person:bob", user_id=ANA, as_of=at(2021))
    assert (first.valid_from, first.valid_until) == (at(2020), at(2023))


def test_the_order_of_telling_does_not_matter(memory: Memory) -> None:
    """What happened earlier is superseded, though it was told last."""
    keep(memory, "Bob moved to Rome", occurred_at=at(2023))
    keep(memory, "Bob lived somewhere, and Bob lives in Oslo", occurred_at=at(2020))
    assert ids(memory, "person:bob") == ["place:rome"]


def test_what_is_over_is_over(memory: Memory) -> None:
    """`left` ends what held; as of an earlier moment it holds."""
    keep(memory, "Bob works at Acme Corp.", occurred_at=at(2020))
    keep(memory, "Bob left Acme", occurred_at=at(2022))
    assert ids(memory, "person:bob") == []
    assert ids(memory, "person:bob", as_of=at(2021)) == ["organization:acme"]


def test_values_of_other_predicates_accumulate(memory: Memory) -> None:
    """One may use many things."""
    keep(memory, "Maya uses C++", occurred_at=at(2020))
    keep(memory, "Maya uses C#", occurred_at=at(2021))
    assert ids(memory, "person:maya") == ["product:c++", "product:c#"]


def test_without_evidence_nothing_is_superseded(memory: Memory) -> None:
    """An edge put by hand without a source stands beside what entries say; with a source it takes part."""
    (first,) = keep(memory, "Bob lives in Oslo", occurred_at=at(2020))
    edge = {"source": "person:bob", "target": "place:rome", "type": "lives_in", "valid_from": at(2023)}
    memory.graph.add(user_id=ANA, edges=[edge])
    assert set(ids(memory, "person:bob")) == {"place:oslo", "place:rome"}
    memory.graph.add(user_id=ANA, edges=[{**edge, "sources": [first]}])
    assert ids(memory, "person:bob") == ["place:rome"]


def test_validity_that_is_told_is_kept(memory: Memory) -> None:
    """An edge put by hand holds in the interval that it was given; a node too."""
    memory.graph.add(
        user_id=ANA,
        nodes=[{"id": "c", "valid_until": "2021-01-01"}],
        edges=[
            {"source": "a", "target": "b", "valid_from": "2020-01-01", "valid_until": "2022-01-01"},
            {"source": "a", "target": "c"},
        ],
    )
    assert ids(memory, "a") == []
    assert ids(memory, "a", as_of="2020-06-01") == ["c", "b"]
    assert ids(memory, "a", as_of="2021-06-01") == ["b"]


def test_the_graph_can_be_asked_as_it_was_known(memory: Memory) -> None:
    """As known at a moment, what was recorded later is not there, and what was removed or forgotten later is."""
    (entry,) = keep(memory, "Bob lives in Oslo")
    moment = datetime.now(UTC)
    keep(memory, "Bob moved to Rome")
    memory.forget(entry, user_id=ANA)
    memory.graph.remove(user_id=ANA, nodes="place:rome")
    assert ids(memory, "person:bob", known_at=moment) == ["place:oslo"]
    assert ids(memory, "person:bob") == []


def test_attributes_have_a_time_too(memory: Memory) -> None:
    """The latest value of an attribute holds; as of an earlier moment the earlier one."""
    keep(memory, "Alice is a nurse", occurred_at=at(2020))
    keep(memory, "Alice is a data scientist", occurred_at=at(2024))
    now = memory.graph.get("person:alice", user_id=ANA)
    then = memory.graph.get("person:alice", user_id=ANA, as_of=at(2021))
    assert now is not None and then is not None
    assert (now.attributes, then.attributes) == ({"role": "data scientist"}, {"role": "nurse"})
