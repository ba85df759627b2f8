"""The commands of the knowledge graph."""

from __future__ import annotations

import json

import pytest

from cli.started import Siltstone

TOLD = (
    "Alice created a task to deploy v1.0",
    "deploy v1.0 depends on the payment module",
    "The config change caused the outage",
)


@pytest.fixture
def told(siltstone: Siltstone) -> Siltstone:
    """A memory of three notes that were read."""
    for text in TOLD:
        siltstone.run("add", text, "-u", "ana")
    assert siltstone.run("graph", "extract", "-u", "ana", "--json").json["status"]["relations"] == 3
    return siltstone


def test_neighbours_are_shown_nearest_first(told: Siltstone) -> None:
    """Each with its distance, score and edge; by id, name or alias."""
    shown = told.run("graph", "neighbors", "alice", "--hops", "2", "-u", "ana")
    assert [line.split("\t")[0] for line in shown.out.splitlines()] == ["task:deploy_v1", "component:payment_module"]
    assert told.run("graph", "neighbors", "deploy v1.0", "--type", "created", "-u", "ana", "--json").json["neighbors"]
    assert told.run("graph", "neighbors", "alice", "--as-of", "2001-01-01", "-u", "ana").code == 1


def test_a_path_is_one_line(told: Siltstone) -> None:
    """Edges are arrows in their own direction; no path is exit code 1."""
    pytest.importorskip("rustworkx", reason="optional package not installed: rustworkx")
    line = told.run("graph", "path", "payment module", "alice", "-u", "ana").out.strip()
    assert line == "component:payment_module <--depends_on-- task:deploy_v1 <--created-- person:alice"
    assert told.run("graph", "path", "alice", "outage", "-u", "ana").code == 1


def test_causes_dependencies_and_centres(told: Siltstone) -> None:
    """What led to what, who depends on what, what is important."""
    assert "event:config_change" in told.run("graph", "causes", "outage", "-u", "ana").out
    assert "event:outage" in told.run("graph", "causes", "config change", "--effects", "-u", "ana").out
    assert "component:payment_module" in told.run("graph", "dependencies", "deploy_v1", "-u", "ana").out
    assert told.run("graph", "central", "-u", "ana", "--json").json["central"][0]["id"] == "task:deploy_v1"


def test_the_graph_is_exported(told: Siltstone) -> None:
    """As JSON by default, or in the format asked for."""
    assert len(json.loads(told.run("graph", "export", "-u", "ana").out)["nodes"]) == 5
    assert told.run("graph", "export", "--format", "mermaid", "-u", "ana").out.startswith("graph LR\n")
    assert told.run("graph", "export", "--format", "pdf", "-u", "ana").code == 2


def test_nodes_are_merged(told: Siltstone) -> None:
    """The first keeps its id; an unknown one is exit code 3."""
    assert told.run("graph", "merge", "event:outage", "event:config_change", "-u", "ana").out.startswith("event:outage")
    assert told.run("graph", "merge", "event:outage", "nobody", "-u", "ana").code == 3
    assert told.run("graph", "neighbors", "nobody", "-u", "ana").code == 3


def test_reading_by_a_model_needs_one(told: Siltstone) -> None:
    """Without a model there is only the rules."""
    assert told.run("graph", "extract", "--by", "model", "-u", "ana").code == 2
