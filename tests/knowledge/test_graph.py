"""The graph put by hand and asked: bulk, idempotent, walked both ways, undone."""

from __future__ import annotations

from typing import Any

import pytest

from knowledge.graphs import ANA, chain, ids, keep, nodes
from siltstone import Memory
from siltstone.domain.graph import Entity, Relation, relation_key
from siltstone.errors import InvalidInput, NotFound

NODES = [{"id": "a", "type": "person", "name": "Alice"}, {"type": "task", "name": "deploy v1"}]
EDGES = [{"source": "a", "target": "task:deploy_v1", "type": "created", "weight": 0.5}]


def test_adding_twice_writes_once(memory: Memory) -> None:
    """What is there is not written again, and counts as no new one."""
    first = memory.graph.add(user_id=ANA, nodes=NODES, edges=EDGES)
    assert (first.new_nodes, first.new_edges) == (2, 1)
    assert first.edges == (relation_key("a", "created", "task:deploy_v1"),)
    before = memory.fingerprint(user_id=ANA)
    again = memory.graph.add(user_id=ANA, nodes=NODES, edges=EDGES)
    assert (again.new_nodes, again.new_edges, again.edges) == (0, 0, first.edges)
    assert memory.fingerprint(user_id=ANA) == before


def test_an_edge_told_anew_takes_the_place_of_the_old(memory: Memory) -> None:
    """The same ends and type with another weight are the same edge."""
    memory.graph.add(user_id=ANA, nodes=NODES, edges=EDGES)
    assert memory.graph.add(user_id=ANA, edges=[{**EDGES[0], "weight": 0.25}]).new_edges == 0
    (edge,) = memory.graph.edges(user_id=ANA)
    assert edge.weight == 0.25


def test_a_node_told_anew_gains_what_is_new(memory: Memory) -> None:
    """Attributes and aliases add up; values that are told again take the place of the old."""
    memory.graph.add(user_id=ANA, nodes=[{"id": "a", "name": "Alice", "attributes": {"age": 30, "city": "Oslo"}}])
    memory.graph.add(user_id=ANA, nodes=[{"id": "a", "name": "Alice", "attributes": {"age": 31}, "aliases": ["Ally"]}])
    found = memory.graph.get("a", user_id=ANA)
    assert found is not None and (found.attributes, found.aliases) == ({"age": 31, "city": "Oslo"}, ("Ally",))


def test_values_go_in_as_they_come_out(memory: Memory) -> None:
    """An entity and a relation of one user can be put into another user's graph as they are."""
    memory.graph.add(
        user_id="bob", nodes=NODES, edges=[{**EDGES[0], "valid_from": "2024-05-01", "attributes": {"x": 1}}]
    )
    memory.graph.add(user_id=ANA, nodes=memory.graph.nodes(user_id="bob"), edges=memory.graph.edges(user_id="bob"))
    (edge,) = memory.graph.edges(user_id=ANA)
    assert (edge.source, edge.target, edge.weight, edge.attributes) == ("a", "task:deploy_v1", 0.5, {"x": 1})
    assert edge.valid_from is not None and edge.valid_from.year == 2024


def test_an_unknown_end_becomes_a_node(memory: Memory) -> None:
    """An edge may name nodes that nobody put."""
    memory.graph.add(user_id=ANA, edges=[{"source": "x", "target": "y"}])
    found = memory.graph.get("x", user_id=ANA)
    assert found is not None and (found.type, found.name) == ("entity", "x")


@pytest.mark.parametrize(
    ("nodes_given", "edges_given"),
    [
        ([{"type": "person"}], []),
        ([{"id": "a", "colour": "red"}], []),
        ([{"id": "a", "weight": float("nan")}], []),
        ([{"id": "a", "attributes": {"x": object()}}], []),
        (["a"], []),
        ([], [{"source": "a"}]),
        ([], [{"source": "a", "target": "", "type": "x"}]),
        ([], [{"source": "a", "target": 3}]),
        ([], [{"source": "a", "target": "b", "weight": -1}]),
        ([], [{"source": "a", "target": "b", "valid_from": "yesterday"}]),
    ],
)
def test_what_cannot_be_used_is_refused_whole(memory: Memory, nodes_given: list[Any], edges_given: list[Any]) -> None:
    """One wrong item raises, and nothing of the call is kept."""
    good: list[Any] = [{"id": "good"}]
    with pytest.raises(InvalidInput):
        memory.graph.add(user_id=ANA, nodes=[*good, *nodes_given], edges=edges_given)
    assert nodes(memory) == set()


def test_neighbours_lie_in_both_directions_or_one(memory: Memory) -> None:
    """Hops go along edges and against them; a direction keeps to one; the nearest come first."""
    chain(memory, "abcde")
    assert ids(memory, "c", hops=2) == ["b", "d", "a", "e"]
    assert ids(memory, "c", hops=9, direction="out") == ["d", "e"]
    assert ids(memory, "c", hops=9, direction="in", limit=1) == ["b"]


def test_a_neighbour_tells_how_it_was_reached(memory: Memory) -> None:
    """The score is the best product of weights, halved for each step after the first; the path names the way."""
    memory.graph.add(
        user_id=ANA,
        edges=[
            {"source": "a", "target": "b", "weight": 0.8},
            {"source": "b", "target": "c", "weight": 7},
            {"source": "a", "target": "c", "weight": 0.1},
        ],
    )
    found = {item.entity.id: item for item in memory.graph.neighbors("a", user_id=ANA, hops=2)}
    assert (found["b"].score, found["b"].hop, found["b"].path) == (0.8, 1, ("a", "b"))
    assert (found["c"].score, found["c"].hop, found["c"].path) == (0.4, 1, ("a", "b", "c"))


def test_walks_keep_to_types_and_weights(memory: Memory) -> None:
    """Edges of other types or below the weight are not walked."""
    memory.graph.add(
        user_id=ANA,
        edges=[
            {"source": "a", "target": "b", "type": "KNOWS", "weight": 0.2},
            {"source": "a", "target": "c", "type": "uses"},
        ],
    )
    assert ids(memory, "a", types=["KNOWS"]) == ["b"]
    assert ids(memory, "a", types=["no such"]) == []
    assert ids(memory, "a", min_weight=0.5) == ["c"]


def test_the_newest_edges_of_a_busy_node_are_walked(memory: Memory) -> None:
    """`fan_out` caps how many edges of one node are followed, and keeps the newest."""
    memory.graph.add(user_id=ANA, edges=[{"source": "hub", "target": f"n{n}"} for n in range(20)])
    assert ids(memory, "hub", fan_out=3) == ["n17", "n18", "n19"]


@pytest.mark.parametrize(
    "walk",
    [
        {"hops": 0},
        {"hops": True},
        {"direction": "up"},
        {"types": "x"},
        {"min_weight": "1"},
        {"limit": 0},
        {"as_of": "x"},
    ],
)
def test_a_wrong_option_is_named(memory: Memory, walk: dict[str, Any]) -> None:
    """An option that cannot be used raises InvalidInput."""
    chain(memory, "ab")
    with pytest.raises(InvalidInput, match=next(iter(walk))):
        memory.graph.neighbors("a", user_id=ANA, **walk)


def test_an_unknown_option_is_named(memory: Memory) -> None:
    """A misspelt keyword is never swallowed."""
    with pytest.raises(TypeError, match="hops"):
        memory.graph.neighbors("a", user_id=ANA, hop=2)  # type: ignore[call-arg]


def test_an_unknown_node_raises(memory: Memory) -> None:
    """A question about nobody raises NotFound; `get` answers None."""
    with pytest.raises(NotFound, match="nobody"):
        memory.graph.neighbors("nobody", user_id=ANA)
    assert memory.graph.get("nobody", user_id=ANA) is None


def test_users_have_graphs_of_their_own(memory: Memory) -> None:
    """Nothing of one user's graph shows in another's."""
    chain(memory, "ab")
    assert memory.graph.nodes(user_id="bob") == []


def test_nodes_are_merged_and_split(memory: Memory) -> None:
    """Merged nodes are one with the edges of both, under the first's id; a split gives each its own back."""
    chain(memory, ["bob", "acme"], "works_at")
    chain(memory, ["robert", "oslo"], "lives_in")
    merged = memory.graph.merge("bob", "robert", user_id=ANA)
    assert (merged.id, merged.aliases) == ("bob", ("robert",))
    assert ids(memory, "robert") == ["acme", "oslo"] and "robert" not in nodes(memory)
    assert memory.graph.get("robert", user_id=ANA) == merged
    memory.graph.split("robert", user_id=ANA)
    assert ids(memory, "robert") == ["oslo"] and ids(memory, "bob") == ["acme"]
    assert memory.replay(user_id=ANA).same and ids(memory, "robert") == ["oslo"]


def test_merging_nobody_raises(memory: Memory) -> None:
    """Only nodes that are there are merged, and more than one."""
    chain(memory, "ab")
    with pytest.raises(NotFound, match="'c'"):
        memory.graph.merge("a", "c", user_id=ANA)
    with pytest.raises(InvalidInput):
        memory.graph.merge("a", user_id=ANA)
    with pytest.raises(NotFound, match="'c'"):
        memory.graph.split("c", user_id=ANA)


def test_what_is_removed_is_gone_until_it_is_told_again(memory: Memory) -> None:
    """A node goes with its edges; an edge alone; told again they are there again, without what was removed."""
    chain(memory, "abc")
    assert memory.graph.remove(user_id=ANA, edges=relation_key("a", "leads_to", "b")) == (0, 1)
    assert ids(memory, "b") == ["c"]
    memory.graph.remove(user_id=ANA, nodes=["c"])
    assert nodes(memory) == {"a", "b"} and ids(memory, "b") == []
    memory.graph.add(user_id=ANA, nodes=[{"id": "c"}])
    assert ids(memory, "c") == []
    chain(memory, "ab")
    assert ids(memory, "a") == ["b"]


def test_removing_what_is_not_there_raises(memory: Memory) -> None:
    """An unknown node or edge, or none at all, is an error, and nothing is removed."""
    chain(memory, "ab")
    with pytest.raises(NotFound):
        memory.graph.remove(user_id=ANA, nodes=["a", "c"])
    with pytest.raises(NotFound):
        memory.graph.remove(user_id=ANA, edges=["c"])
    with pytest.raises(InvalidInput):
        memory.graph.remove(user_id=ANA)
    assert ids(memory, "a") == ["b"]


def test_a_removed_entity_comes_back_with_a_later_mention(memory: Memory) -> None:
    """What entries said before the removal stays away; what they say later counts."""
    keep(memory, "Bob works at Acme Corp.")
    memory.graph.remove(user_id=ANA, nodes="person:bob")
    assert "person:bob" not in nodes(memory)
    keep(memory, "Bob lives in Oslo")
    assert ids(memory, "person:bob") == ["place:oslo"]


def test_nodes_are_found_by_their_words(memory: Memory) -> None:
    """`find` looks at names, aliases, ids and contents, the share of words found first; a whole name is 1."""
    memory.graph.add(
        user_id=ANA,
        nodes=[
            {"id": "n1", "type": "concept", "content": "Coding in Python"},
            {"id": "n2", "type": "concept", "name": "Python"},
            {"id": "n3", "type": "concept", "name": "Cooking"},
        ],
    )
    found = memory.graph.find("python", user_id=ANA)
    assert [(entity.id, score) for entity, score in found] == [("n2", 1.0), ("n1", 1.0)]
    assert memory.graph.find("python cooking", user_id=ANA)[0][1] == 0.5
    assert memory.graph.find("?!", user_id=ANA) == []


def test_a_text_names_whole_words_the_longest_first(memory: Memory) -> None:
    """Of `New York Times` the times are named, not the town; `Sam` is not in `Samsung`; Chinese needs no blanks."""
    memory.graph.add(user_id=ANA, nodes=[{"name": n} for n in ("New York", "New York Times", "Sam", "李雷", "C++")])
    named = [
        found.name for found in memory.graph.named("samsung in the new york times; 我和李雷 like c++", user_id=ANA)
    ]
    assert named == ["New York Times", "李雷", "C++"]


def test_a_walk_from_a_text_scores_entities_and_entries(memory: Memory) -> None:
    """An entity that is named counts 1, what it leads to by the walk's score; an entry by its best entity."""
    first, second = keep(memory, "Bob works at Acme Corp.", "Acme is based in Oslo")
    walked = memory.graph.walk("what about bob?", user_id=ANA)
    assert walked.named == ("person:bob",)
    assert walked.entities == {"person:bob": 1.0, "organization:acme": 1.0, "place:oslo": 0.5}
    assert walked.entries == {first: 1.0, second: 1.0}


def test_values_come_from_one_module() -> None:
    """Nodes and edges are frozen values."""
    with pytest.raises(AttributeError):
        Entity(id="a").name = "b"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Relation(source="a", target="b").weight = 2.0  # type: ignore[misc]
