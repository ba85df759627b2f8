"""The knowledge graph as values: entities, relations, what a walk finds, and the names of their records.

The graph of a user is made from three kinds of record. "extracted" holds what was read out of one entry; "unread" why an
entry could not be read; "graph" one change made by hand. Who is whom is decided when they are read (`knowledge`), so
that taking a turn back takes back exactly what followed from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

EXTRACTED, UNREAD, GRAPH = "extracted", "unread", "graph"
ENTITY, RELATION = "entity", "relation"
GRAPH_KINDS = (EXTRACTED, UNREAD, GRAPH)
ANYTHING = "entity"
"""The type of a node of which nothing is known but its name."""
RELATED = "related_to"
"""The type of an edge that names none."""
KEY_LENGTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node of the knowledge graph.

    `sources` are the ids of the entries that it was read from, oldest first; `mentions` counts them. It holds in
    [`valid_from`, `valid_until`); `recorded_at` is when it was first written down.
    """

    id: str
    type: str = ANYTHING
    name: str = ""
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    content: str = ""
    weight: float = 1.0
    sources: tuple[str, ...] = ()
    mentions: int = 0
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A typed, directed, dated edge. `id` follows from `source`, `type` and `target`, so that the same edge is one edge.

    `valid_until` is set where a later statement about the same subject and predicate took its place, or where its end
    was told.
    """

    source: str
    target: str
    type: str = RELATED
    id: str = ""
    weight: float = 1.0
    attributes: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbor:
    """An entity that a walk reached: after `hop` steps, over `path` (ids from the start on), last over `relation`.

    `score` on [0, 1] is the best product of edge weights, each clipped to [0, 1], times 0.5 for each hop after the first.
    """

    entity: Entity
    hop: int
    score: float
    relation: Relation
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A way through the graph. `score` is that of its last node as a `Neighbor` of its first."""

    nodes: tuple[str, ...]
    relations: tuple[Relation, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """What an entity depends on (`needs`) and who depends on it (`needed_by`), nearest first."""

    needs: tuple[Neighbor, ...] = ()
    needed_by: tuple[Neighbor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What a text leads to: the entities that it names, all within reach with their scores, and their entries."""

    named: tuple[str, ...] = ()
    entities: Mapping[str, float] = field(default_factory=dict)
    entries: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node that a text leads to: `hop` 0 with score 1 for one that it names, else as in `Neighbor`."""

    entity: Entity
    hop: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReceipt:
    """The answer to `add`: the ids of the nodes and edges given, in order, and how many of them were new."""

    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    new_nodes: int = 0
    new_edges: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What one run of extraction did: entries read, entries that wait and why, entries given up and why."""

    read: tuple[str, ...] = ()
    waiting: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStatus:
    """How far extraction has come: nodes and edges now, entries read by whom, entries not read yet, failures."""

    entities: int = 0
    relations: int = 0
    read: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What was read out of one text, as plain JSON.

    An entity is {"type", "name", "aliases"?, "attributes"?}. A relation is {"source", "target", "type", "weight"?,
    "attributes"?, "valid_from"?, "valid_until"?, "ended"?}; its ends are places in `entities`; `ended` says that it holds
    no longer.
    """

    entities: tuple[Mapping[str, Any], ...] = ()
    relations: tuple[Mapping[str, Any], ...] = ()


def relation_key(source: str, kind: str, target: str) -> str:
    """The id of the edge of that type between these two nodes: 32 hex digits that follow from the three."""
    text = f"{source}\x1f{kind}\x1f{target}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_LENGTH]
