"""NetworkX graphs in and out. The package is loaded for writing alone; a graph that is read brings its own methods."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from siltstone.domain.graph import ANYTHING, RELATED
from siltstone.errors import MissingDependency


def is_network(graph: object) -> bool:
    """Whether the object has the methods of a networkx graph."""
    return all(hasattr(graph, name) for name in ("add_nodes_from", "add_edges_from", "nodes", "edges", "is_directed"))


def read(graph: Any) -> dict[str, Any]:
    """The nodes and edges of a networkx graph as dicts. An edge's type is its `type`, or the key of a multigraph."""
    nodes = [_node(name, facts) for name, facts in graph.nodes(data=True)]
    if graph.is_multigraph():
        listed = [(source, target, key, facts) for source, target, key, facts in graph.edges(keys=True, data=True)]
    else:
        listed = [(source, target, None, facts) for source, target, facts in graph.edges(data=True)]
    return {"nodes": nodes, "edges": [_edge(*item) for item in listed]}


def written(told: Mapping[str, Any]) -> Any:
    """A networkx.MultiDiGraph of these dicts."""
    try:
        made = import_module("networkx").MultiDiGraph()
    except ImportError as error:
        raise MissingDependency("networkx", "networks") from error
    for node in told["nodes"]:
        made.add_node(node["id"], type=node["type"], **node["properties"])
    for edge in told["edges"]:
        facts = {"type": edge["type"], "weight": edge["weight"], **edge.get("metadata", {})}
        made.add_edge(edge["source"], edge["target"], key=edge["type"], **facts)
    return made


def _node(name: object, facts: Mapping[str, Any]) -> dict[str, Any]:
    extra = {key: value for key, value in facts.items() if key not in ("type", "id")}
    return {"id": str(name), "type": facts.get("type") or ANYTHING, "properties": extra}


def _edge(source: object, target: object, key: object, facts: Mapping[str, Any]) -> dict[str, Any]:
    kind = facts.get("type") or facts.get("relation") or (key if isinstance(key, str) else None) or RELATED
    extra = {name: value for name, value in facts.items() if name not in ("type", "relation", "weight")}
    told = {"source_id": str(source), "target_id": str(target), "type": kind, "weight": facts.get("weight", 1.0)}
    return {**told, "properties": extra}
