"""A graph written for others to read."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from knowledge.graphs import ANA, chain, keep
from siltstone import Memory
from siltstone.errors import InvalidInput
from siltstone.knowledge import formats
from siltstone.knowledge.lens import Lens

EVIL = 'x"]\n## <b>&</b> \x07 #1'


def exported(memory: Memory, format: str) -> str:
    return memory.graph.export(user_id=ANA, format=format)


def test_json_can_be_put_back(memory: Memory) -> None:
    """The nodes and edges of a JSON export make the same graph for another user."""
    keep(memory, "Alice created a task to deploy v1.0")
    memory.graph.add(user_id=ANA, nodes=[{"id": "n", "name": EVIL, "attributes": {"a": 1}}])
    document = json.loads(exported(memory, "json"))
    memory.graph.add(user_id="bob", nodes=document["nodes"], edges=document["edges"])
    mine, theirs = (memory.graph.stats(user_id=user) for user in (ANA, "bob"))
    assert mine == theirs and document["statistics"] == {"node_count": 3, "edge_count": 1}


def test_graphml_is_well_formed(memory: Memory) -> None:
    """Every node and edge is there, whatever characters its name has."""
    chain(memory, ["a", EVIL.replace("\n", " ").replace("\x07", "")], "leads_to")
    memory.graph.add(user_id=ANA, nodes=[{"id": "e", "name": EVIL}])
    root = ElementTree.fromstring(exported(memory, "graphml"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert (len(root.findall(f".//{space}node")), len(root.findall(f".//{space}edge"))) == (3, 1)


def test_mermaid_keeps_a_name_on_its_line(memory: Memory) -> None:
    """No name ends its own quotes or line."""
    memory.graph.add(
        user_id=ANA, nodes=[{"id": "e", "name": EVIL}], edges=[{"source": "e", "target": "f", "type": "t"}]
    )
    lines = exported(memory, "mermaid").splitlines()
    assert lines[0] == "graph LR" and len(lines) == 4 and lines[3] == '  n0 -- "t" --> n1'
    assert lines[1].count('"') == 2


def test_a_picture_shows_nodes_and_edges(memory: Memory) -> None:
    """The picture is the same for the same graph, and well formed."""
    pytest.importorskip("rustworkx", reason="optional package not installed: rustworkx")
    chain(memory, "abc")
    memory.graph.add(user_id=ANA, nodes=[{"id": "e", "name": EVIL}])
    picture = exported(memory, "svg")
    root = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    assert (len(root.findall(f".//{space}circle")), len(root.findall(f"{space}line"))) == (4, 2)
    assert exported(memory, "svg") == picture


def test_an_empty_graph_has_every_form(memory: Memory) -> None:
    """Nothing is written as nothing, not as an error."""
    assert json.loads(exported(memory, "json"))["nodes"] == []
    assert exported(memory, "mermaid") == "graph LR\n"
    ElementTree.fromstring(exported(memory, "graphml"))


def test_an_unknown_format_is_named(memory: Memory) -> None:
    """The error names the formats that there are."""
    with pytest.raises(InvalidInput, match="graphml"):
        exported(memory, "pdf")


def test_a_format_of_your_own(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function entered in FORMATS writes the graph."""

    def names(lens: Lens) -> str:
        return ", ".join(lens.entity(number).name for number in lens.all_nodes())

    monkeypatch.setitem(formats.FORMATS, "names", names)
    chain(memory, "ab")
    assert exported(memory, "names") == "a, b"
