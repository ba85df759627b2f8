"""The graph's part in a recall."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from knowledge.graphs import ANA, keep
from siltstone import Memory

TOLD = (
    "Alice works at Acme Corp.",
    "Acme is based in Berlin",
    "The trams of Berlin are yellow",
    "We had pasta",
    "It rained",
)


def found(memory: Memory, query: str, **options: Any) -> dict[str, dict[str, float]]:
    return {hit.text: dict(hit.channels) for hit in memory.retrieve(query, user_id=ANA, **options)}


def test_a_memory_is_found_that_shares_no_word_with_the_query(memory: Memory) -> None:
    """What the named entity leads to is found, nearer before farther, and the channel says so."""
    keep(memory, *TOLD)
    hits = found(memory, "Where does Alice have to go?")
    assert list(hits)[:3] == list(TOLD[:3])
    assert hits[TOLD[1]]["lexical"] == 0 and hits[TOLD[1]]["graph"] > hits[TOLD[2]]["graph"] > 0
    assert TOLD[3] not in hits


def test_without_a_graph_nothing_changes(memory: Memory) -> None:
    """The same words are ranked and scored alike where nothing was read, and no graph is named."""
    for text in TOLD:
        memory.add(text, user_id=ANA)
    assert all("graph" not in channels for channels in found(memory, "Where does Alice work?").values())


@pytest.mark.parametrize(("options", "reach"), [({"recall__graph": False}, 1), ({"recall__graph_hops": 1}, 2)])
def test_the_channel_can_be_switched_off_and_bounded(tmp_path: Path, options: dict[str, Any], reach: int) -> None:
    """`recall.graph` switches it, `recall.graph_hops` bounds it."""
    with Memory.open(f"sqlite:///{tmp_path}/m.db", embedding__provider="none", **options) as memory:
        keep(memory, *TOLD)
        assert list(found(memory, "Where does Alice have to go?")) == list(TOLD[:reach])


def test_recall_writes_nothing(memory: Memory) -> None:
    """The fingerprint is the same before and after, and the same query gives the same answer."""
    keep(memory, *TOLD)
    before = memory.fingerprint(user_id=ANA)
    first = memory.retrieve("Alice", user_id=ANA).hits
    assert memory.retrieve("Alice", user_id=ANA).hits == first and memory.fingerprint(user_id=ANA) == before


def test_a_filter_holds_for_the_graph_too(memory: Memory) -> None:
    """Nothing outside the filter is found by the graph."""
    keep(memory, TOLD[0], session_id="a")
    keep(memory, TOLD[1], session_id="b")
    assert list(found(memory, "Where does Alice have to go?", session_id="a")) == [TOLD[0]]


def test_entities_and_relations_may_be_hits(memory: Memory) -> None:
    """Asked for by kind, nodes and edges are found by name, with their sources."""
    (entry, *_) = keep(memory, *TOLD)
    hits = memory.retrieve("alice", user_id=ANA, kinds=["entity", "relation"]).hits
    told = {hit.id: hit for hit in hits}
    assert told["person:alice"].kind == "entity" and told["person:alice"].text == "Alice (person): works_at Acme Corp"
    (relation,) = [hit for hit in hits if hit.text == "Alice --works_at--> Acme Corp"]
    assert relation.kind == "relation" and relation.provenance["sources"] == [entry]
    assert memory.retrieve("pasta", user_id=ANA, kinds=["entity"]).hits == ()
    assert len(memory.retrieve("alice", user_id=ANA, kinds=["entity"], top_k=1)) == 1


def test_who_is_in_everything_leads_nowhere(memory: Memory) -> None:
    """An entity that every entry speaks of counts less than a rare one."""
    *others, oslo = keep(memory, "Ana slept", "Ana sang", "Ana is ill", "Ana lives in Oslo")
    linked = memory.graph.linked("What of Ana?", user_id=ANA, hops=1)
    assert linked[oslo] == 1.0 and all(0 < linked[other] < 0.5 for other in others)


def test_beliefs_are_nodes_of_the_graph(memory: Memory) -> None:
    """An episode is a node that leads to the entities it mentions, a snapshot one that leads to its episodes."""
    memory.process("My brother Tom died in Lisbon last night.", user_id=ANA)
    (episode,) = memory.beliefs.episodes(user_id=ANA)
    memory.graph.extract(user_id=ANA)
    reached = {item.entity.id: item.relation.type for item in memory.graph.neighbors("person:tom", user_id=ANA, hops=2)}
    assert reached[f"episode:{episode.id}"] == "mentions" and reached[f"snapshot:{episode.chain_id}"] == "contains"
    memory.forget(episode.turns[0].id, user_id=ANA)
    assert memory.graph.nodes(user_id=ANA) == []
