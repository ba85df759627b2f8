"""The graph beside the memories, whoever keeps it: what a query reaches in it, and what it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from siltstone.context import networks, shapes
from siltstone.context.graph import ContextGraph
from siltstone.domain.beliefs import CHAIN, EPISODE, SNAPSHOT
from siltstone.errors import InvalidInput
from siltstone.text.normal import fold

if TYPE_CHECKING:
    from siltstone.memory import Memory

MOST_NODES = 500
"""Nodes that a query may lead to, the nearest and strongest."""
LONG_NAME = 8
"""Words beyond which a name is a text, which no memory mentions."""
BELIEFS = (EPISODE, SNAPSHOT, CHAIN)
NEEDED = ("add_nodes", "add_edges", "query", "get_neighbors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A node that a query leads to: how far it is and how strongly, its names, and the memories that it is known from."""

    id: str
    type: str
    content: str
    names: tuple[str, ...]
    hop: int
    score: float
    entries: tuple[str, ...] = ()


class World(Protocol):
    """What a context needs of a graph."""

    def reached(self, query: str, user_id: str, hops: int) -> list[Place]:
        """The nodes that the query names (hop 0, score 1) and all within `hops` steps, nearest first."""
        ...

    def empty(self, user_id: str) -> bool:
        """Whether the user has no node at all."""
        ...

    def learn(self, entities: Sequence[Mapping[str, Any]], relations: Sequence[Mapping[str, Any]], **of: str) -> None:
        """Put the entities and relationships of one memory (`user_id`, `memory_id`)."""
        ...


class OwnWorld:
    """The knowledge graph of a Memory, as a ContextGraph shows it."""

    def __init__(self, graph: ContextGraph, memory: Memory) -> None:
        self.graph, self._owned = graph, graph.memory is memory

    def reached(self, query: str, user_id: str, hops: int) -> list[Place]:
        """See `World`."""
        found = self.graph.memory.graph.reached(query, user_id=user_id, hops=hops, limit=MOST_NODES)
        return [
            Place(
                id=item.entity.id,
                type=item.entity.type,
                content=shapes.content_of(item.entity),
                names=_names(item.entity.id, (item.entity.name, *item.entity.aliases), item.entity.type),
                hop=item.hop,
                score=item.score,
                entries=item.entity.sources if self._owned else (),
            )
            for item in found
        ]

    def empty(self, user_id: str) -> bool:
        """See `World`."""
        return not self.graph.memory.graph.nodes(user_id=user_id, limit=1)

    def learn(self, entities: Sequence[Mapping[str, Any]], relations: Sequence[Mapping[str, Any]], **of: str) -> None:
        """See `World`."""
        source = {"sources": [of["memory_id"]]} if self._owned else {}
        nodes, edges = shapes.told_graph(entities, relations)
        told = [{**item, **source} for item in nodes], [{**item, **source} for item in edges]
        self.graph.memory.graph.add(user_id=of["user_id"], nodes=told[0], edges=told[1])


class OtherWorld:
    """Somebody's graph with add_nodes, add_edges, query and get_neighbors. It knows no users: it is shared by all."""

    def __init__(self, graph: Any) -> None:
        missing = [name for name in NEEDED if not callable(getattr(graph, name, None))]
        if missing:
            raise InvalidInput(
                f"a {type(graph).__name__} is no knowledge graph: it lacks {', '.join(missing)}; "
                "give a ContextGraph, a networkx graph, or an object with these methods"
            )
        self.graph = graph

    def reached(self, query: str, user_id: str, hops: int) -> list[Place]:
        """See `World`."""
        starts = [place for place in self._hits(query) if _mentions(query, place.names)]
        best = {place.id: place for place in starts}
        frontier = starts
        for hop in range(1, hops + 1):
            arrived: dict[str, Place] = {}
            for start in frontier:
                for place in self._next(start, hop):
                    known = arrived.get(place.id) or best.get(place.id)
                    if known is None or place.score > known.score:
                        arrived[place.id] = place
            best |= arrived
            frontier = list(arrived.values())
        return sorted(best.values(), key=lambda place: (place.hop, -place.score, place.id))[:MOST_NODES]

    def _hits(self, query: str) -> Iterator[Place]:
        for hit in self.graph.query(query):
            yield _place(hit.get("node", hit), 0, 1.0)

    def _next(self, start: Place, hop: int) -> Iterator[Place]:
        """The neighbours of a place: its own score without the decay, times the edge's weight, with the decay of `hop`."""
        carried = start.score / (0.5 ** max(hop - 2, 0))
        for told in self.graph.get_neighbors(start.id, hops=1):
            weight = min(max(float(told.get("weight", 1.0)), 0.0), 1.0)
            yield _place(told, hop, carried * weight * 0.5 ** (hop - 1))

    def empty(self, user_id: str) -> bool:
        """See `World`."""
        return False

    def learn(self, entities: Sequence[Mapping[str, Any]], relations: Sequence[Mapping[str, Any]], **of: str) -> None:
        """See `World`."""
        nodes, edges = shapes.told_graph(entities, relations)
        self.graph.add_nodes(
            [
                {"id": item["id"], "type": item["type"], "properties": {"content": item.get("content") or item["name"]}}
                for item in nodes
            ]
        )
        self.graph.add_edges(
            [
                {
                    "source_id": item["source"],
                    "target_id": item["target"],
                    "type": item["type"],
                    "weight": item.get("weight", 1.0),
                }
                for item in edges
            ]
        )


def world(told: Any, memory: Memory, user_id: str) -> World:
    """The graph that a context was given: none (the memory's own), ours, a networkx graph, or somebody's."""
    if told is None:
        return OwnWorld(ContextGraph(memory, user_id=user_id), memory)
    if networks.is_network(told):
        return OwnWorld(ContextGraph.from_networkx(told, memory, user_id=user_id), memory)
    if isinstance(told, ContextGraph):
        if told.standalone:
            told.join(memory, user_id)
        return OwnWorld(told, memory)
    return OtherWorld(told)


def _place(node: Mapping[str, Any], hop: int, score: float) -> Place:
    node_id, properties = str(node["id"]), node.get("properties") or {}
    content = str(node.get("content") or properties.get("content") or node_id)
    names = _names(node_id, (content,), "")
    return Place(id=node_id, type=str(node.get("type", "")), content=content, names=names, hop=hop, score=score)


def _names(node_id: str, names: Sequence[str], kind: str) -> tuple[str, ...]:
    """What a memory may call a node by: its short names, and its id where that is a name."""
    if kind in BELIEFS:
        return ()
    called = [name for name in names if name and len(name.split()) <= LONG_NAME]
    return tuple(dict.fromkeys([*called, *([] if ":" in node_id else [node_id.replace("_", " ")])]))


def _mentions(query: str, names: Sequence[str]) -> bool:
    words = f" {' '.join(''.join(c if c.isalnum() else ' ' for c in fold(query)).split())} "
    return any(f" {' '.join(fold(name).replace('-', ' ').split())} " in words for name in names)
