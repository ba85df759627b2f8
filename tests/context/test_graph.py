"""ContextGraph: plain dicts in, plain dicts out, over the engine's knowledge graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from siltstone import Memory
from siltstone.context import AgentContext, ContextGraph
from siltstone.errors import FormatError, InvalidInput, NotFound

CODING = {"id": "coding", "type": "concept", "properties": {"content": "Coding", "weight": 1.0}}
PYTHON = {"id": "python", "type": "language", "properties": {"content": "Python", "weight": 1.0}}
EDGE = {"source_id": "coding", "target_id": "python", "type": "related_to", "weight": 0.8}


@pytest.fixture
def graph() -> ContextGraph:
    """A graph of its own with two nodes and an edge."""
    made = ContextGraph()
    made.add_nodes([CODING, PYTHON])
    made.add_edges([EDGE])
    return made


def test_adding_again_adds_nothing(graph: ContextGraph) -> None:
    """The same nodes and edges count 0 the second time; another weight is the same edge, changed."""
    assert (graph.add_nodes([CODING, PYTHON]), graph.add_edges([EDGE]), graph.add_edges([{**EDGE, "weight": 0.5}])) == (
        0,
        0,
        0,
    )
    edge = graph.find_edges()[0]
    assert (edge["weight"], len(graph.find_edges()), len(edge["id"])) == (0.5, 1, 32)


@pytest.mark.parametrize(
    "ends", [("source_id", "target_id"), ("source", "target"), ("start", "end"), ("from", "to"), ("src", "dst")]
)
@pytest.mark.parametrize("kind", ["type", "edge_type", "relationship", "predicate", "relation"])
@pytest.mark.parametrize("node_id", ["id", "node_id", "_id", "uri", "key"])
def test_dicts_are_read_in_any_spelling(ends: tuple[str, str], kind: str, node_id: str) -> None:
    """Nodes and edges may spell their parts as other systems do."""
    made = ContextGraph()
    assert made.add_nodes([{node_id: "a", "category": "person", "text": "Ann", "metadata": {"age": 4}}]) == 1
    assert made.add_edges([{ends[0]: "a", ends[1]: "b", kind: "KNOWS", "confidence": 0.5}]) == 1
    found = made.find_node("a")
    assert found is not None and (found["type"], found["content"], found["properties"]["age"]) == ("person", "Ann", 4)
    neighbor = made.get_neighbors("a")[0]
    assert (neighbor["id"], neighbor["relationship"], neighbor["weight"]) == ("b", "KNOWS", 0.5)


def test_a_walk_says_how_far_and_over_what(graph: ContextGraph) -> None:
    """Neighbours come nearest first, with the product of weights and the way; types, weights and pages narrow them."""
    graph.add_edges([{"source_id": "python", "target_id": "pip", "type": "HAS", "weight": 0.5}])
    found = graph.get_neighbors("coding", hops=2, include_distance_metadata=True)
    assert [(item["id"], item["hop"], item["confidence_decay"], item["score"]) for item in found] == [
        ("python", 1, 0.8, 0.8),
        ("pip", 2, pytest.approx(0.4), pytest.approx(0.2)),
    ]
    assert found[1]["path_to_anchor"] == ["coding", "python", "pip"] and found[0]["distance_band"] == "direct"
    assert graph.get_neighbors("python", relationship_types=["HAS"])[0]["id"] == "pip"
    assert graph.get_neighbors("python", min_weight=0.6)[0]["id"] == "coding"
    assert [item["id"] for item in graph.get_neighbors("coding", hops=2, skip=1, limit=1)] == ["pip"]
    with pytest.raises(NotFound):
        graph.get_neighbors("nobody")
    with pytest.raises(TypeError):
        graph.get_neighbors("coding", hop=2)


def test_a_query_matches_whole_words(graph: ContextGraph) -> None:
    """`query` scores the share of words that a node holds; a part of a word is no match."""
    graph.add_nodes([{"id": "n1", "type": "doc", "properties": {"content": "a language for scripts"}}])
    assert [hit["node"]["id"] for hit in graph.query("scripts language")] == ["n1"]
    assert graph.query("script zebra")[0]["score"] == 0.5 and graph.query("lang") == []
    assert graph.query("scripts", type="person") == []


def test_nodes_and_edges_hold_for_a_time() -> None:
    """A node or edge with validity is there in its time alone."""
    made = ContextGraph()
    made.add_nodes([{"id": "old", "valid_from": "2001-01-01", "valid_until": "2002-01-01"}])
    made.add_edges([{"source_id": "a", "target_id": "b", "valid_until": "2002-01-01"}])
    assert made.is_active("old") is False and made.is_active("old", at="2001-06-01") is True
    assert made.get_neighbors("a") == [] and made.get_neighbors("a", as_of="2001-06-01")[0]["id"] == "b"


def test_a_graph_is_saved_and_read(graph: ContextGraph, tmp_path: Path) -> None:
    """What `save` writes, `load` gives back; what is no graph raises."""
    graph.add_nodes(
        [{"id": "x", "type": "t", "aliases": ["ex"], "properties": {"content": "long text " * 20, "n": [1]}}]
    )
    graph.save_to_file(tmp_path / "graph.json")
    other = ContextGraph()
    assert other.load_from_file(tmp_path / "graph.json") == (3, 1)
    told, again = graph.to_dict(), other.to_dict()
    assert [node["properties"] for node in told["nodes"]] == [node["properties"] for node in again["nodes"]]
    assert [edge["id"] for edge in told["edges"]] == [edge["id"] for edge in again["edges"]]
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(FormatError):
        other.load(tmp_path / "bad.json")
    with pytest.raises(FormatError):
        other.from_dict({"nodes": 5})


def test_nodes_and_edges_can_be_taken_out(graph: ContextGraph) -> None:
    """A removed node goes with its edges; an unknown one raises."""
    assert graph.remove_edges(graph.find_edges()[0]["id"]) == 1
    assert graph.remove_nodes("python") == 1 and graph.find_node("python") is None
    with pytest.raises(NotFound):
        graph.remove_nodes("python")


@pytest.mark.parametrize("bad", [{}, {"properties": 5, "id": "a"}, "text"])
def test_what_is_no_node_raises(bad: object) -> None:
    """A node without id and content, or of another form, raises and nothing is put."""
    made = ContextGraph()
    with pytest.raises(InvalidInput):
        made.add_nodes([CODING, bad])  # type: ignore[list-item]
    with pytest.raises(InvalidInput):
        made.add_edges([{"source_id": "a"}])
    assert made.stats()["node_count"] == 0


def test_coding_finds_python_and_python_finds_coding(graph: ContextGraph) -> None:
    """The reference's own example works in both directions, and in the retrieval of a context."""
    with AgentContext("memory://", graph) as agent:
        for query, other in (("Coding", "python"), ("Python", "coding")):
            assert other in [hit["id"] for hit in agent.retrieve(query)]


def test_a_graph_of_its_own_becomes_the_memorys(graph: ContextGraph) -> None:
    """A context takes the graph in: its nodes are the memory's, and what is put later is an event there."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        AgentContext(memory=memory, knowledge_graph=graph)
        graph.add_nodes([{"id": "later"}])
        assert {node.id for node in memory.graph.nodes(user_id="default")} == {"coding", "python", "later"}
        with pytest.raises(InvalidInput):
            graph.join(memory, "default")


class OtherGraph:
    """Somebody's graph: four methods over a dict."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, object]] = {}
        self.links: list[tuple[str, str, float]] = []

    def add_nodes(self, nodes: list[dict[str, object]]) -> int:
        """Put nodes."""
        self.nodes |= {str(node["id"]): node for node in nodes}
        return len(nodes)

    def add_edges(self, edges: list[dict[str, object]]) -> int:
        """Put edges."""
        self.links += [(str(e["source_id"]), str(e["target_id"]), float(str(e["weight"]))) for e in edges]
        return len(edges)

    def query(self, query: str) -> list[dict[str, object]]:
        """All nodes: its matching is as loose as can be."""
        return [{"node": node, "score": 1.0} for node in self.nodes.values()]

    def get_neighbors(self, node_id: str, hops: int = 1) -> list[dict[str, object]]:
        """What a node leads to."""
        return [{"id": b, "content": b, "weight": w} for a, b, w in self.links if a == node_id]


def test_somebody_elses_graph_takes_part() -> None:
    """A graph with the four methods is walked by the same formula, and learns what a memory was told."""
    other = OtherGraph()
    with AgentContext("memory://", other, hybrid_alpha=1.0) as agent:
        stored = agent.store(
            "The interpreter is slow",
            entities=[{"id": "coding"}, {"id": "python"}],
            relationships=[{"source_id": "coding", "target_id": "python", "confidence": 0.8}],
        )
        other.add_edges([{"source_id": "python", "target_id": "interpreter", "weight": 0.5}])
        hits = {hit["id"]: hit["graph_score"] for hit in agent.retrieve("coding")}
        assert hits == {stored: pytest.approx(0.2), "python": pytest.approx(0.8)}
        with pytest.raises(InvalidInput):
            agent.link("x")
    with pytest.raises(InvalidInput, match="add_edges"):
        AgentContext("memory://", object())


def test_networkx_in_and_out(graph: ContextGraph) -> None:
    """A networkx graph is read, given to a context as it is, and written, with types and weights."""
    networkx = pytest.importorskip("networkx", reason="optional package not installed: networkx")
    made = graph.to_networkx()
    assert made.nodes["python"]["type"] == "language" and made.edges["coding", "python", "related_to"]["weight"] == 0.8
    again = ContextGraph.from_networkx(made)
    assert [edge["id"] for edge in again.find_edges()] == [edge["id"] for edge in graph.find_edges()]
    plain = networkx.Graph()
    plain.add_edge("coding", "python", weight=0.7)
    with AgentContext("memory://", plain) as agent:
        assert agent.graph.get_neighbors("python")[0]["id"] == "coding"
        assert [hit["id"] for hit in agent.retrieve("Coding")] == ["python"]
