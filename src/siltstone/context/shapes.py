"""Nodes and edges as dicts: the many spellings that are read, the one that is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from siltstone.domain.graph import ANYTHING, RELATED, Entity, Neighbor, Relation
from siltstone.domain.values import format_time
from siltstone.errors import InvalidInput
from siltstone.knowledge.names import entity_key

ID = ("id", "node_id", "_id", "uri", "key", "entity_id")
TYPE = ("type", "node_type", "category")
NAME = ("name", "label", "title")
CONTENT = ("content", "text")
SOURCE = ("source_id", "source", "start", "from", "src")
TARGET = ("target_id", "target", "end", "to", "dst")
KIND = ("type", "edge_type", "relationship", "predicate", "relation")
TIMES = ("valid_from", "valid_until")
SHORT = 5
"""Words up to which a content is what the node is called by."""


def node(told: object) -> dict[str, Any]:
    """A node dict in any spelling, as the engine takes it. Raises InvalidInput where it has neither id nor content."""
    given, extra = _parts(told, "node")
    node_id, kind = _first(given, ID), _first(given, TYPE) or ANYTHING
    content = _text(_first(given, CONTENT) or _first(extra, CONTENT))
    name = _text(_first(given, NAME) or _first(extra, NAME)) or (content if len(content.split()) <= SHORT else "")
    if node_id is None and not content and not name:
        raise InvalidInput(f"the node {given!r} has neither id nor content; give one of them")
    result: dict[str, Any] = {"type": kind, "name": name or _text(node_id) or content[:80]}
    result |= {} if node_id is None else {"id": str(node_id)}
    result |= {"content": content} if content and content != result["name"] else {}
    for key in ("weight", "aliases", "sources", *TIMES):
        value = given.get(key, extra.get(key))
        result |= {} if value is None else {key: value}
    used = {*CONTENT, *NAME, "weight", "aliases", "sources", *TIMES}
    attributes = {key: value for key, value in extra.items() if key not in used}
    attributes |= {key: given[key] for key in given if key not in {*ID, *TYPE, *used, "properties", "metadata"}}
    return result | ({"attributes": attributes} if attributes else {})


def edge(told: object) -> dict[str, Any]:
    """An edge dict in any spelling, as the engine takes it. Raises InvalidInput where an end is missing."""
    if type(told) is dict and told.keys() <= _USUAL and "source_id" in told and "target_id" in told:
        plain = {"source": told["source_id"], "target": told["target_id"], "type": told.get("type") or RELATED}
        return plain | ({"weight": told["weight"]} if "weight" in told else {})
    given, extra = _parts(told, "edge")
    source, target = _first(given, SOURCE), _first(given, TARGET)
    if source is None or target is None:
        raise InvalidInput(f"the edge {given!r} lacks an end; give source_id and target_id")
    result: dict[str, Any] = {"source": str(source), "target": str(target), "type": _first(given, KIND) or RELATED}
    weight = given.get("weight", given.get("confidence", extra.get("weight")))
    result |= {} if weight is None else {"weight": weight}
    for key in ("sources", *TIMES):
        value = given.get(key, extra.get(key))
        result |= {} if value is None else {key: value}
    used = {
        *SOURCE,
        *TARGET,
        *KIND,
        "weight",
        "confidence",
        "sources",
        *TIMES,
        "id",
        "familyId",
        "properties",
        "metadata",
    }
    attributes = {key: value for key, value in {**extra, **given}.items() if key not in used}
    return result | ({"attributes": attributes} if attributes else {})


_USUAL = frozenset(("source_id", "target_id", "type", "weight"))


def node_dict(found: Entity) -> dict[str, Any]:
    """A node as the reading verbs answer it."""
    properties = {**found.attributes, "content": content_of(found), "name": found.name, "weight": found.weight}
    properties |= {"aliases": list(found.aliases)} if found.aliases else {}
    for key in TIMES:
        moment = format_time(getattr(found, key))
        properties |= {key: moment} if moment else {}
    return {
        "id": found.id,
        "type": found.type,
        "content": content_of(found),
        "properties": properties,
        "metadata": {"sources": list(found.sources), "recorded_at": format_time(found.recorded_at)},
    }


def edge_dict(found: Relation) -> dict[str, Any]:
    """An edge as the reading verbs answer it."""
    result: dict[str, Any] = {
        "id": found.id,
        "source": found.source,
        "target": found.target,
        "type": found.type,
        "weight": found.weight,
    }
    result |= {"metadata": dict(found.attributes)} if found.attributes else {}
    for key in TIMES:
        moment = format_time(getattr(found, key))
        result |= {key: moment} if moment else {}
    return result


def neighbor_dict(found: Neighbor, *, distance: bool) -> dict[str, Any]:
    """A neighbour as `get_neighbors` answers it; with `distance` also how far it is, and over which way."""
    result: dict[str, Any] = {
        "id": found.entity.id,
        "type": found.entity.type,
        "content": content_of(found.entity),
        "relationship": found.relation.type,
        "weight": found.relation.weight,
        "hop": found.hop,
        "score": found.score,
        "metadata": dict(found.entity.attributes),
    }
    if distance:
        band = {1: "direct", 2: "near"}.get(found.hop, "far")
        decay = found.score / 0.5 ** (found.hop - 1)
        result |= {"distance_band": band, "confidence_decay": decay, "path_to_anchor": list(found.path)}
    return result


Dicts = list[dict[str, Any]]


def told_graph(entities: Sequence[Mapping[str, Any]], relations: Sequence[Mapping[str, Any]]) -> tuple[Dicts, Dicts]:
    """The nodes and edges that `store` was told: an end is an id, or the text of one of the entities, or a new node."""
    found = []
    for told in entities:
        given = dict(told)
        name = given.pop("text", None) or given.pop("name", None) or given.get("label")
        kind = given.pop("type", None) or (given.get("label") if given.get("label") != name else None)
        given.pop("label", None)
        found.append(node({**given, "name": name, "type": kind or ANYTHING}))
    for item in found:
        item.setdefault("id", entity_key(item["type"], item["name"]))
    known = {item["id"] for item in found}
    called = {item["name"]: item["id"] for item in found}
    edges = list(map(edge, relations))
    for item in edges:
        for end in ("source", "target"):
            item[end] = item[end] if item[end] in known else called.get(item[end], item[end])
    ends = dict.fromkeys(item[end] for item in edges for end in ("source", "target"))
    return found + [node({"id": end}) for end in ends if end not in known], edges


def content_of(found: Entity) -> str:
    """What a node says: its content, else its name."""
    return found.content or found.name


def _parts(told: object, what: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The dict itself, and what its `properties` and `metadata` hold."""
    if not isinstance(told, Mapping):
        raise InvalidInput(f"{told!r} is no {what}; give a dict")
    given = dict(told)
    extra: dict[str, Any] = {}
    for key in ("metadata", "properties"):
        value = given.get(key)
        if value is not None and not isinstance(value, Mapping):
            raise InvalidInput(f"the {key} of a {what} cannot be {value!r}; give a dict")
        extra |= dict(value or {})
    return given, extra


def _first(given: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((given[name] for name in names if given.get(name) not in (None, "")), None)


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()
