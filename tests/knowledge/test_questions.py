"""Ways, dependencies, causes, centrality."""

from __future__ import annotations

from itertools import pairwise

import pytest

from knowledge.graphs import ANA, chain, keep
from siltstone import Memory
from siltstone.errors import InvalidInput

pytest.importorskip("rustworkx", reason="optional package not installed: rustworkx")


def test_the_best_way_comes_first(memory: Memory) -> None:
    """Ways are ordered by score; a detour over full weights is better than a step over a weak edge."""
    chain(memory, ["a", "b", "c"], weight=1.0)
    memory.graph.add(user_id=ANA, edges=[{"source": "c", "target": "a", "type": "weak", "weight": 0.1}])
    found = memory.graph.paths("a", "c", user_id=ANA)
    assert [(way.nodes, way.score) for way in found] == [(("a", "b", "c"), 0.5), (("a", "c"), 0.1)]
    assert [edge.type for edge in found[0].relations] == ["leads_to", "leads_to"]


def test_a_way_keeps_to_its_bounds(memory: Memory) -> None:
    """No way is longer than `hops` or goes against a direction; there are no more than `limit`."""
    chain(memory, "abcd")
    assert memory.graph.paths("a", "d", user_id=ANA, hops=2) == []
    assert memory.graph.paths("d", "a", user_id=ANA, direction="out") == []
    assert len(memory.graph.paths("d", "a", user_id=ANA)) == 1
    assert memory.graph.paths("a", "a", user_id=ANA)[0].nodes == ("a",)
    memory.graph.add(user_id=ANA, edges=[{"source": "a", "target": f"m{n}"} for n in range(5)])
    memory.graph.add(user_id=ANA, edges=[{"source": f"m{n}", "target": "z"} for n in range(5)])
    assert len(memory.graph.paths("a", "z", user_id=ANA, limit=3)) == 3


def test_who_depends_on_what(memory: Memory) -> None:
    """Dependencies are followed as far as they go, over all words for them, in their own direction."""
    keep(memory, "The api gateway depends on the auth service", "The auth service runs on Kubernetes")
    found = memory.graph.dependencies("component:auth_service", user_id=ANA)
    assert [item.entity.id for item in found.needs] == ["product:kubernetes"]
    assert [item.entity.id for item in found.needed_by] == ["component:api_gateway"]
    memory.graph.add(user_id=ANA, edges=[{"source": "net", "target": "product:kubernetes", "type": "blocks"}])
    far = memory.graph.dependencies("component:api_gateway", user_id=ANA).needs
    assert [(item.entity.id, item.hop) for item in far][-1] == ("net", 3)


def test_what_led_to_what(memory: Memory) -> None:
    """Causes are what led to a node; effects what it led to; other edges play no part."""
    keep(memory, "The config change caused the outage", "Dana lives in Oslo")
    memory.graph.add(user_id=ANA, edges=[{"source": "refund", "target": "event:outage", "type": "due_to"}])
    (cause,) = memory.graph.causes("event:outage", user_id=ANA)
    assert cause.entity.id == "event:config_change"
    effects = memory.graph.causes("event:config_change", user_id=ANA, direction="out")
    assert [item.entity.id for item in effects] == ["event:outage", "refund"]


def test_other_edges_may_mean_the_same(memory: Memory) -> None:
    """`types` names the edges that count as causes or dependencies."""
    chain(memory, ["seed", "tree"], "grows_into")
    assert memory.graph.causes("tree", user_id=ANA) == []
    assert [item.entity.id for item in memory.graph.causes("tree", user_id=ANA, types=["grows_into"])] == ["seed"]


@pytest.mark.parametrize("by", ["degree", "pagerank"])
def test_the_hub_is_central(memory: Memory, by: str) -> None:
    """The node that all point to comes first by either measure."""
    memory.graph.add(user_id=ANA, edges=[{"source": f"n{n}", "target": "hub"} for n in range(4)])
    (hub, score), (_, second) = memory.graph.central(user_id=ANA, by=by, limit=2)
    assert hub.id == "hub" and score > second
    assert by != "degree" or (score, second) == (4, 1)


def test_a_wrong_measure_is_named(memory: Memory) -> None:
    """Only known measures are taken; an empty graph has nobody."""
    assert memory.graph.central(user_id=ANA, by="pagerank") == []
    with pytest.raises(InvalidInput, match="degree, pagerank"):
        memory.graph.central(user_id=ANA, by="beauty")


def test_stats_count_what_holds(memory: Memory) -> None:
    """Counts are by type; the density is the share of possible edges."""
    chain(memory, "abc")
    found = memory.graph.stats(user_id=ANA)
    assert (found["node_count"], found["edge_count"], found["density"]) == (3, 2, 2 / 6)
    assert (found["node_types"], found["edge_types"]) == ({"entity": 3}, {"leads_to": 2})


def test_among_very_many_ways_the_best_is_found(memory: Memory) -> None:
    """Where layers of nodes make millions of ways, one answer comes at once, and it is the best."""
    layers = [["s"], *([f"{layer}.{n}" for n in range(30)] for layer in range(5)), ["t"]]
    edges = [
        {"source": a, "target": b, "weight": 0.9 if a[-2:] == b[-2:] == ".7" or {a, b} & {"s", "t"} else 0.5}
        for here, there in pairwise(layers)
        for a in here
        for b in there
    ]
    memory.graph.add(user_id=ANA, edges=edges)
    (way,) = memory.graph.paths("s", "t", user_id=ANA)
    assert way.nodes == ("s", "0.7", "1.7", "2.7", "3.7", "4.7", "t")
