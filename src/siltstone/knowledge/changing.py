"""Changing a graph by hand: what of it is new, as drafts of events. Nothing is written for what is there already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siltstone.domain.events import ENTITIES_MERGED, ENTITIES_SPLIT, GRAPH_CHANGED
from siltstone.domain.graph import relation_key
from siltstone.errors import InvalidInput, NotFound
from siltstone.knowledge.given import batches
from siltstone.knowledge.identity import NAMING, naming
from siltstone.knowledge.index import GraphIndex

BATCH = 5000

Payload = dict[str, Any]
Drafted = Callable[[str, Mapping[str, Any]], Any]


def new_nodes(index: GraphIndex, nodes: Sequence[Payload]) -> list[Payload]:
    """Those nodes that say something that the graph does not hold; of several with one id the last."""
    by_id = {told["id"]: told for told in nodes}
    return [told for told in by_id.values() if not _holds_node(index, told)]


def new_edges(index: GraphIndex, edges: Sequence[Payload]) -> list[Payload]:
    """Those edges that are not there as they are told; of several with one id the last."""
    by_name = {(told["source"], told["type"], told["target"]): told for told in edges}
    if not len(index.edges):
        return list(by_name.values())
    return [told for name, told in by_name.items() if not _holds_edge(index, name, told)]


def payloads(nodes: Sequence[Payload], edges: Sequence[Payload]) -> list[Payload]:
    """The payloads of `graph_changed` for these, nodes first."""
    return [
        *({"nodes": list(batch)} for batch in batches(nodes, BATCH)),
        *({"edges": list(batch)} for batch in batches(edges, BATCH)),
    ]


def known_edges(index: GraphIndex, edges: Sequence[Payload]) -> int:
    """How many of these edges are there, whatever is told of them."""
    if not len(index.edges):
        return 0
    return sum(_number(index, (told["source"], told["type"], told["target"])) >= 0 for told in edges)


def removal(index: GraphIndex, nodes: Sequence[str], edges: Sequence[str]) -> Payload:
    """The payload that takes these nodes, with their edges, and these edges out. Raises NotFound for an unknown id."""
    for node_id in nodes:
        if index.identity.number(node_id) < 0:
            raise NotFound(f"the graph has no node {node_id!r}; look for it with find()")
    wanted, found = set(edges), list[tuple[str, str, str]]()
    if wanted:
        for number in range(len(index.edges)):
            if index.edges.live[number]:
                names = edge_names(index, number)
                if relation_key(*names) in wanted:
                    wanted.discard(relation_key(*names))
                    found.append(names)
    if wanted:
        raise NotFound(f"the graph has no edge {sorted(wanted)[0]!r}; list them with relations()")
    told: Payload = {"removed_nodes": list(nodes), "removed_edges": [list(names) for names in found]}
    return {name: value for name, value in told.items() if value}


def edge_names(index: GraphIndex, number: int) -> tuple[str, str, str]:
    """(source, type, target) of an edge, between the roots of its ends."""
    edges, root, nodes = index.edges, index.identity.root, index.nodes
    source, target = nodes[root[edges.source[number]]].id, nodes[root[edges.target[number]]].id
    return source, edges.kinds[edges.kind[number]], target


def merging(index: GraphIndex, into: str, others: Sequence[str]) -> tuple[str, Payload] | None:
    """The event that makes these ids one with `into`; None where they are. Raises NotFound and InvalidInput."""
    if not others:
        raise InvalidInput("nothing was named to merge; give the ids of the nodes that are the same")
    for node_id in (into, *others):
        if index.identity.number(node_id) < 0:
            raise NotFound(f"the graph has no node {node_id!r}; look for it with find()")
    root = index.identity.number(into)
    apart = [other for other in dict.fromkeys(others) if index.identity.number(other) != root]
    return (ENTITIES_MERGED, {"into": into, "from": apart}) if apart else None


def splitting(index: GraphIndex, ids: Sequence[str]) -> tuple[str, Payload]:
    """The event that makes these ids stand for themselves again, whatever had joined them. Raises NotFound."""
    for node_id in ids:
        if index.identity.number(node_id) < 0 and not index.identity.spelled(node_id):
            raise NotFound(f"the graph has no node {node_id!r}; look for it with find()")
    return ENTITIES_SPLIT, {"ids": list(ids)}


def removing(index: GraphIndex, nodes: Sequence[str], edges: Sequence[str]) -> tuple[str, Payload]:
    """The event that takes these nodes and edges out."""
    if not nodes and not edges:
        raise InvalidInput("nothing was named to remove; give ids of nodes or edges")
    return GRAPH_CHANGED, removal(index, nodes, edges)


def _number(index: GraphIndex, name: tuple[str, str, str]) -> int:
    source, kind, target = name
    ids, code = index.identity.ids, index.edges.known(kind)
    start, end = ids.get(source, -1), ids.get(target, -1)
    number = index.edges.find(start, code, end) if code >= 0 and start >= 0 and end >= 0 else -1
    return number if number >= 0 and index.edges.live[number] else -1


def _holds_edge(index: GraphIndex, name: tuple[str, str, str], told: Payload) -> bool:
    number = _number(index, name)
    if number < 0 or (number in index.edges.claims and number not in index.edges.told):
        return False
    before = index.edges.told.get(number)
    if before is None:
        return len(told) == 3 + ("weight" in told) and index.edges.weight[number] == told.get("weight", 1.0)
    return dict(before) == told


def _holds_node(index: GraphIndex, told: Payload) -> bool:
    number = index.identity.ids.get(told["id"], -1)
    if number < 0:
        return False
    node = index.nodes[number]
    extra = {key: value for key, value in told.items() if key not in NAMING}
    attributes = extra.pop("attributes", {})
    before, known = node.told, node.told.get("attributes", {})
    spelled = {node.name, *(node.aliases or {}).values()}
    return (
        node.given
        and (node.type, node.name) == naming(node, told)
        and spelled.issuperset(told.get("aliases", ()))
        and all(_covers(before.get(key), value) for key, value in extra.items())
        and all(known.get(key) == value for key, value in attributes.items())
    )


def _covers(have: object, want: object) -> bool:
    """Whether a told value says what is wanted: an equal one, or a list with all of its items."""
    return set(want) <= set(have) if isinstance(have, list) and isinstance(want, list) else have == want
