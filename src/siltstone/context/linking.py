"""EntityLinker: which nodes of the graph a text means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any
from urllib.parse import quote

from siltstone.context import items
from siltstone.context.graph import ContextGraph
from siltstone.context.options import share
from siltstone.domain.graph import Entity
from siltstone.knowledge.names import words_of

CANDIDATES = 20
LOOKED_AT = 2000
"""Nodes whose spelling is compared where none shares a word."""
BASE = "urn:siltstone:entity/"


@dataclass(slots=True)
class LinkedEntity:
    """A mention with the node that it means. `confidence` is 1 for its id, name or alias, else how alike the names are.

    A mention that means no node has itself as `entity_id` and confidence 0.
    """

    entity_id: str
    uri: str
    text: str
    type: str
    linked_entities: list[dict[str, Any]] = field(default_factory=list)
    context: dict[str, Any] = field(default_factory=dict)
    confidence: float = 1.0


class EntityLinker:
    """Links mentions to the nodes of a ContextGraph; nothing is written."""

    def __init__(
        self, knowledge_graph: ContextGraph | None = None, *, similarity_threshold: float = 0.8, base_uri: str = BASE
    ) -> None:
        self.graph = ContextGraph() if knowledge_graph is None else knowledge_graph
        self.threshold = share("similarity_threshold", similarity_threshold)
        self.base_uri = base_uri

    def link(
        self, text: str, entities: Sequence[Mapping[str, Any] | str] | None = None, *, user_id: str | None = None
    ) -> list[LinkedEntity]:
        """The nodes that `entities` mean, in order; without `entities`, those that the text names as whole words."""
        whose = self.graph.user_id if user_id is None else user_id
        if entities is None:
            return [
                self._linked(node, node.name, 1.0, whose) for node in self.graph.memory.graph.named(text, user_id=whose)
            ]
        return [self._resolve(told, whose) for told in items.dicts("entities", list(entities))]

    def assign_uri(self, entity_id: str, text: str = "", type: str = "") -> str:
        """The URI of an entity: the base, its id, and its type as the fragment."""
        return f"{self.base_uri}{quote(entity_id or text, safe=':')}" + (f"#{quote(type)}" if type else "")

    def _resolve(self, told: Mapping[str, Any], user_id: str) -> LinkedEntity:
        graph, node_id = self.graph.memory.graph, told.get("id") or told.get("entity_id")
        name = str(told.get("text") or told.get("name") or told.get("label") or node_id or "")
        found = None if node_id is None else graph.get(str(node_id), user_id=user_id)
        found = found or (graph.resolve(name, user_id=user_id) if name else None)
        if found is not None:
            return self._linked(found, name, 1.0, user_id)
        found_by_words = [node for node, _ in graph.find(name, user_id=user_id, limit=CANDIDATES)] if name else []
        looked_at = found_by_words or graph.nodes(user_id=user_id, limit=LOOKED_AT)
        near = [(alike(name, node), node) for node in looked_at]
        score, best = max(near, key=lambda pair: pair[0], default=(0.0, None))
        if best is not None and score >= self.threshold:
            return self._linked(best, name, score, user_id)
        kind = str(told.get("type") or "entity")
        own = str(node_id or name)
        return LinkedEntity(own, self.assign_uri(own, name, kind), name, kind, confidence=0.0)

    def _linked(self, node: Entity, text: str, confidence: float, user_id: str) -> LinkedEntity:
        near = self.graph.memory.graph.neighbors(node.id, user_id=user_id, limit=10)
        others = [
            {"id": n.entity.id, "type": n.entity.type, "link_type": n.relation.type, "score": n.score} for n in near
        ]
        uri = self.assign_uri(node.id, text, node.type)
        return LinkedEntity(node.id, uri, text, node.type, others, {"content": node.content}, round(confidence, 6))


def alike(name: str, node: Entity) -> float:
    """How alike a name is to the best of a node's names: shared words (Jaccard), or spelling (Ratcliff/Obershelp)."""
    return max(_alike(words_of(name), words_of(other)) for other in (node.name, *node.aliases))


def _alike(one: str, other: str) -> float:
    words, others = set(one.split()), set(other.split())
    shared = len(words & others) / max(len(words | others), 1)
    return max(shared, SequenceMatcher(None, one, other).ratio())
