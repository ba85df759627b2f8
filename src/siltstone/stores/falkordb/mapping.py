"""What a record looks like in a graph: a node with a label of its kind, and edges to what its body names. Pure.

| edge | from what |
|---|---|
| (Segment)-[:TAKEN_FROM]->(Entry) | the turn that a statement was taken from |
| (Segment)-[:GROUPED_IN]->(Cluster) | the cluster that it joined in the pool |
| (Segment)-[:REINFORCES]->(Chain) | the chain that it speaks for |
| (Cluster)-[:BECAME]->(Episode) | the episode that the cluster was promoted to |
| (Episode)-[:BASED_ON]->(Segment) | the evidence |
| (Episode)-[:SUPERSEDED_BY]->(Episode) | the later episode that contradicts it |
| (Chain)-[:HOLDS]->(Episode) | the episodes of a topic |
| (Episode)-[:FOLLOWED_BY]->(Episode) | their order |
| (Snapshot)-[:SUMMARIZES]->(Chain) | a chain's current state |
| (Cluster or Chain)-[:MERGED_INTO]->(same) | what two of them became |
| (Extracted or Unread)-[:READ_FROM]->(Entry) | what was read out of a turn for the knowledge graph |
| (any)-[:EMBEDDED_AS]->(Vector) | its vectors, one of each model |

Marks of work (which turns wait, which are done) are no memories, and have no node.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from siltstone.domain.beliefs import CHAIN, CLUSTER, EPISODE, FORMED, PENDING, SEGMENT, SNAPSHOT, STATE
from siltstone.domain.records import Record, canonical
from siltstone.domain.values import ENTRY

SCHEMA = 1
"""Another number means: the graph was made by another mapping, fill it anew."""

MEMORY, VECTOR, POSITION = "Memory", "Vector", "Position"
EMBEDDED_AS, HOLDS, FOLLOWED_BY = "EMBEDDED_AS", "HOLDS", "FOLLOWED_BY"
UNSHOWN = frozenset({PENDING, FORMED, STATE})

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LARGEST = 2**63 - 1


class Link(NamedTuple):
    """Records of `kind` lead by edges of `type` to the `target` records that `body[key]` names, one or a list."""

    kind: str
    key: str
    type: str
    target: str


class Edge(NamedTuple):
    """An edge between two nodes, by their `ref`."""

    source: str
    type: str
    target: str


LINKS = (
    Link(SEGMENT, "entry_id", "TAKEN_FROM", ENTRY),
    Link(SEGMENT, "cluster_id", "GROUPED_IN", CLUSTER),
    Link(SEGMENT, "chain_id", "REINFORCES", CHAIN),
    Link(CLUSTER, "episode_id", "BECAME", EPISODE),
    Link(CLUSTER, "merged_into", "MERGED_INTO", CLUSTER),
    Link(EPISODE, "segments", "BASED_ON", SEGMENT),
    Link(EPISODE, "superseded_by", "SUPERSEDED_BY", EPISODE),
    Link(CHAIN, "episodes", HOLDS, EPISODE),
    Link(CHAIN, "merged_into", "MERGED_INTO", CHAIN),
    Link("extracted", "id", "READ_FROM", ENTRY),
    Link("unread", "id", "READ_FROM", ENTRY),
)
TYPES = tuple(dict.fromkeys([*(link.type for link in LINKS), "SUMMARIZES", FOLLOWED_BY]))


def ref(kind: str, memory_id: str) -> str:
    """The name of a record's node, unique in its graph."""
    return f"{kind}/{memory_id}"


def is_shown(kind: str) -> bool:
    """Whether records of that kind have nodes."""
    return kind not in UNSHOWN


def label(kind: str) -> str:
    """The label of a kind's nodes: `pool_cluster` → `PoolCluster`; `Memory` where the kind makes no label."""
    return "".join(part[:1].upper() + part[1:] for part in kind.split("_")) if _NAME.fullmatch(kind) else MEMORY


def properties(record: Record) -> dict[str, Any]:
    """The properties of a record's node.

    The body's own values come as they are where a graph can hold them (text, numbers, lists of these), else as JSON text;
    keys that are no plain names are kept together under `more`.
    """
    plain = {key: _property(value) for key, value in record.body.items() if _NAME.fullmatch(key) and key != "more"}
    more = {key: value for key, value in record.body.items() if key not in plain}
    return {
        **plain,
        **({"more": canonical(more)} if more else {}),
        "id": record.id,
        "ref": ref(record.kind, record.id),
        "seq": record.seq,
        "origin": record.origin,
        "live": record.live,
        "vector": record.vector_key or None,
    }


def edges(record: Record) -> list[Edge]:
    """The edges that follow from the record; each leads from it, but `FOLLOWED_BY`, which a chain draws."""
    source = ref(record.kind, record.id)
    found = [
        Edge(source, link.type, ref(link.target, memory_id))
        for link in LINKS
        if link.kind == record.kind
        for memory_id in _named(record, link.key)
    ]
    if record.kind == SNAPSHOT:
        found.append(Edge(source, "SUMMARIZES", ref(CHAIN, record.id)))
    if record.kind == CHAIN:
        found += _order([edge.target for edge in found if edge.type == HOLDS])
    return found


def _order(episodes: Sequence[str]) -> list[Edge]:
    return [Edge(earlier, FOLLOWED_BY, later) for earlier, later in itertools.pairwise(episodes)]


def _named(record: Record, key: str) -> list[str]:
    value: Any = record.id if key == "id" else record.body.get(key)
    if isinstance(value, str):
        return [value]
    return list(dict.fromkeys(item for item in value if isinstance(item, str))) if isinstance(value, list) else []


def _property(value: Any) -> Any:
    """The value as a graph can hold it."""
    if isinstance(value, Mapping):
        return canonical(value)
    if isinstance(value, (list, tuple)):
        return list(value) if all(_is_scalar(item) for item in value) else canonical(value)
    return value if value is None or _is_scalar(value) else str(value)


def _is_scalar(value: Any) -> bool:
    """Whether a graph holds it as it is: whole numbers have 64 bits there."""
    return isinstance(value, (str, bool, float)) or (isinstance(value, int) and -_LARGEST <= value <= _LARGEST)
