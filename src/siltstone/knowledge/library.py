"""The graph library that does the algorithms, loaded when one is first needed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from siltstone.errors import MissingDependency


def rustworkx() -> Any:
    """The package `rustworkx`. Raises MissingDependency, which names the extra."""
    try:
        return import_module("rustworkx")
    except ImportError as error:
        raise MissingDependency("rustworkx", "graph") from error


def digraph(nodes: Iterable[int], edges: Iterable[tuple[int, int, float]]) -> tuple[Any, list[int]]:
    """A directed graph of these numbered nodes and weighted edges, and the number of the node at each of its places."""
    numbers = list(nodes)
    places = {number: place for place, number in enumerate(numbers)}
    graph = rustworkx().PyDiGraph(multigraph=True)
    graph.add_nodes_from(numbers)
    graph.add_edges_from(
        [
            (places[source], places[target], weight)
            for source, target, weight in edges
            if source in places and target in places
        ]
    )
    return graph, numbers
