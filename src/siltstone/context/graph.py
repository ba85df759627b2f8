"""ContextGraph: the knowledge graph in plain dicts, by itself or over a Memory's own graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from siltstone.context import networks, shapes
from siltstone.context.options import USER
from siltstone.domain.graph import Entity
from siltstone.errors import FormatError, InvalidInput
from siltstone.knowledge.options import Walk
from siltstone.text import checks

if TYPE_CHECKING:
    from siltstone.memory import Memory


class ContextGraph:
    """Nodes and edges as dicts, walked in both directions. Every call may name its `user_id`.

    Without a `memory` it is a graph of its own in the process, until a context takes it into its memory. Over one it is
    that memory's knowledge graph: beliefs and extracted entities are nodes of it, and what is put here is an event there.
    """

    def __init__(self, memory: Memory | None = None, *, user_id: str = USER) -> None:
        self.standalone = memory is None
        if memory is None:
            from siltstone.memory import Memory

            memory = Memory.open("memory://", embedding__provider="none")
        self.memory = memory
        self.user_id = checks.user(user_id)

    def join(self, memory: Memory, user_id: str) -> None:
        """Move what this graph of its own holds into a memory's graph, and stand for that from now on."""
        if not self.standalone:
            raise InvalidInput("this graph belongs to a memory already; make a ContextGraph over the other memory")
        own = self.to_dict()
        self.memory, self.user_id, self.standalone = memory, user_id, False
        if own["nodes"]:
            self.from_dict(own)

    # changing

    def add_nodes(self, nodes: Iterable[Mapping[str, Any]], *, user_id: str | None = None) -> int:
        """Put nodes, in one durable step; how many were new. A node given again adds to what it was told."""
        told = [shapes.node(given) for given in nodes]
        return self.memory.graph.add(user_id=self._user(user_id), nodes=told).new_nodes

    def add_edges(self, edges: Iterable[Mapping[str, Any]], *, user_id: str | None = None) -> int:
        """Put edges, in one durable step; how many were new. An end that is no node becomes one of type "entity".

        The id of an edge follows from its ends and type: given again, with another weight, it is the same edge.
        """
        told = [shapes.edge(given) for given in edges]
        return self.memory.graph.add(user_id=self._user(user_id), edges=told).new_edges

    def add_node(self, node_id: str, node_type: str = "entity", content: str | None = None, **properties: Any) -> bool:
        """Put one node; True where it was new."""
        told = {"id": node_id, "type": node_type, "content": content, "properties": properties}
        return self.add_nodes([told]) == 1

    def add_edge(
        self, source_id: str, target_id: str, edge_type: str = "related_to", weight: float = 1.0, **properties: Any
    ) -> bool:
        """Put one edge; True where it was new."""
        told = {"source_id": source_id, "target_id": target_id, "type": edge_type, "weight": weight}
        return self.add_edges([{**told, "properties": properties}]) == 1

    def remove_nodes(self, node_ids: str | Sequence[str], *, user_id: str | None = None) -> int:
        """Take out nodes with their edges; how many. Raises NotFound for an unknown id."""
        return self.memory.graph.remove(user_id=self._user(user_id), nodes=node_ids)[0]

    def remove_edges(self, edge_ids: str | Sequence[str], *, user_id: str | None = None) -> int:
        """Take out edges by id; how many. Raises NotFound for an unknown id."""
        return self.memory.graph.remove(user_id=self._user(user_id), edges=edge_ids)[1]

    # asking

    def get_neighbors(
        self,
        node_id: str,
        hops: int = 1,
        direction: str = "both",
        *,
        user_id: str | None = None,
        include_distance_metadata: bool = False,
        **walk: Any,
    ) -> list[dict[str, Any]]:
        """The nodes within that many steps, nearest first, then by score: along edges ("out"), against ("in") or "both".

        `relationship_types`, `min_weight`, `skip`, `limit` and `as_of` narrow it. Raises NotFound for an unknown node.
        """
        skip = walk.pop("skip", 0)
        if "relationship_types" in walk:
            walk["types"] = walk.pop("relationship_types") or ()
        limit = walk.pop("limit", None)
        given: Walk = {"hops": hops, "direction": direction, **walk}  # type: ignore[typeddict-item]
        if limit is not None:
            given["limit"] = limit + skip
        found = self.memory.graph.neighbors(node_id, user_id=self._user(user_id), **given)
        return [shapes.neighbor_dict(item, distance=include_distance_metadata) for item in found[skip:]]

    get_related = get_neighbors

    def query(
        self,
        query: str,
        skip: int = 0,
        limit: int | None = None,
        *,
        type: str | None = None,
        user_id: str | None = None,
    ) -> list[dict[str, Any]]:
        """Nodes by the words of their ids, names and contents: {"node", "score", "content"}, best first.

        The score is the share of the query's words that the node holds, as whole words.
        """
        most = skip + (1000 if limit is None else limit)
        found = self.memory.graph.find(query, user_id=self._user(user_id), type=type, limit=most)
        return [
            {"node": shapes.node_dict(node), "score": score, "content": shapes.content_of(node)}
            for node, score in found[skip:]
        ]

    def find_node(self, node_id: str, *, user_id: str | None = None, **walk: Unpack[Walk]) -> dict[str, Any] | None:
        """The node of that id, or None."""
        found = self.memory.graph.get(node_id, user_id=self._user(user_id), **walk)
        return None if found is None else shapes.node_dict(found)

    def find_nodes(self, type: str | None = None, *, user_id: str | None = None) -> list[dict[str, Any]]:
        """All nodes, or those of a type, in order of arrival."""
        return [shapes.node_dict(found) for found in self.memory.graph.nodes(user_id=self._user(user_id), type=type)]

    def find_edges(self, type: str | None = None, *, user_id: str | None = None) -> list[dict[str, Any]]:
        """All edges, or those of a type, in order of arrival."""
        walk: Walk = {"types": (type,)} if type else {}
        return [shapes.edge_dict(found) for found in self.memory.graph.edges(user_id=self._user(user_id), **walk)]

    def path(self, source_id: str, target_id: str, *, user_id: str | None = None, max_hops: int = 6) -> list[str]:
        """The ids on the best way from one node to another, both included; [] where none leads there."""
        graph, whose = self.memory.graph, self._user(user_id)
        start, goal = graph.neighbors(source_id, user_id=whose, hops=max_hops), graph.get(target_id, user_id=whose)
        if goal is None:
            goal = graph.neighbors(target_id, user_id=whose, limit=1)[0].entity
        return next((list(found.path) for found in start if found.entity.id == goal.id), [])

    get_path = path

    def is_active(self, node_id: str, at: Any = None, *, user_id: str | None = None) -> bool:
        """Whether the node is there and holds at that moment (default: now)."""
        return self.find_node(node_id, user_id=user_id, **({} if at is None else {"as_of": at})) is not None

    def stats(self, *, user_id: str | None = None) -> dict[str, Any]:
        """node_count, edge_count, node_types, edge_types and density."""
        return self.memory.graph.stats(user_id=self._user(user_id))

    # moving

    def to_dict(self, *, user_id: str | None = None) -> dict[str, Any]:
        """The whole graph: nodes, edges, statistics."""
        return {
            "nodes": self.find_nodes(user_id=user_id),
            "edges": self.find_edges(user_id=user_id),
            "statistics": self.stats(user_id=user_id),
        }

    def from_dict(self, told: Mapping[str, Any], *, user_id: str | None = None) -> tuple[int, int]:
        """Put what `to_dict` wrote; how many nodes and edges were new. Raises FormatError."""
        given: object = told
        if not isinstance(given, Mapping) or not all(isinstance(told.get(key, []), list) for key in ("nodes", "edges")):
            raise FormatError(f"{str(told)[:80]!r} is no graph; give a dict with nodes and edges as lists")
        nodes = [{key: value for key, value in node.items() if key != "metadata"} for node in told.get("nodes", ())]
        return self.add_nodes(nodes, user_id=user_id), self.add_edges(told.get("edges", ()), user_id=user_id)

    def save(self, path: str | Path, *, user_id: str | None = None) -> None:
        """Write the graph to one JSON file."""
        Path(path).write_text(json.dumps(self.to_dict(user_id=user_id), ensure_ascii=False), encoding="utf-8")

    save_to_file = save

    def load(self, path: str | Path, *, user_id: str | None = None) -> tuple[int, int]:
        """Put what `save` wrote; how many nodes and edges were new. Raises FormatError."""
        try:
            told = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise FormatError(f"{path} is no graph in JSON: {error}; give a file that save() wrote") from error
        return self.from_dict(told, user_id=user_id)

    load_from_file = load

    def to_networkx(self, *, user_id: str | None = None) -> Any:
        """The graph as a networkx.MultiDiGraph, edges keyed by type. Raises MissingDependency without networkx."""
        return networks.written(self.to_dict(user_id=user_id))

    @classmethod
    def from_networkx(cls, graph: Any, memory: Memory | None = None, *, user_id: str = USER) -> ContextGraph:
        """A graph with the nodes and edges of a networkx graph; an undirected edge is one edge, walked both ways."""
        made = cls(memory, user_id=user_id)
        made.from_dict(networks.read(graph))
        return made

    def _user(self, user_id: str | None) -> str:
        return self.user_id if user_id is None else checks.user(user_id)

    def entities(self, ids: Iterable[str], *, user_id: str | None = None) -> list[Entity]:
        """The nodes of these ids as values; unknown ones are left out."""
        found = (self.memory.graph.get(node_id, user_id=self._user(user_id)) for node_id in ids)
        return [node for node in found if node is not None]
