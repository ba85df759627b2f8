"""Claims that come from outside (a model, a host): checked, mended where that is safe, in the form that the journal keeps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from siltstone.domain.graph import ANYTHING, Claims
from siltstone.domain.values import format_time
from siltstone.errors import InvalidInput
from siltstone.knowledge.names import entity_type, name_key, relation_type
from siltstone.text import checks
from siltstone.text.normal import clean

NAME_LIMIT = 200
ALIASES = 12
ATTRIBUTES = 24
VALUE_LIMIT = 500


def checked_claims(entities: Sequence[Mapping[str, Any]], relations: Sequence[Mapping[str, Any]]) -> Claims:
    """The claims with whole items only: what has no name, no type or an end that nobody names is left out.

    Ends are places in `entities` or names; a name that is not in the list is taken for an entity that is known.
    """
    found: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    moved: dict[int, int] = {}
    for place, told in enumerate(entities):
        entity = _entity(told)
        if entity is not None:
            moved[place] = _enter(found, places, entity)
    kept = [_relation(told, found, places, moved) for told in relations]
    return Claims(entities=tuple(found), relations=tuple(told for told in kept if told is not None))


def _entity(told: object) -> dict[str, Any] | None:
    if not isinstance(told, Mapping):
        return None
    name = _line(told.get("name"))
    if not name:
        return None
    kind = told.get("type")
    entity: dict[str, Any] = {"type": entity_type(kind) if isinstance(kind, str) else ANYTHING, "name": name}
    aliases = told.get("aliases")
    if isinstance(aliases, list | tuple):
        spelled = [alias for alias in map(_line, aliases[:ALIASES]) if alias and alias != name]
        entity |= {"aliases": spelled} if spelled else {}
    attributes = _attributes(told.get("attributes"))
    return entity | ({"attributes": attributes} if attributes else {})


def _enter(found: list[dict[str, Any]], places: dict[str, int], entity: dict[str, Any]) -> int:
    """Enter an entity, once for each type and name; answers its place."""
    key = f"{entity['type']}:{name_key(entity['name'], entity['type'])}"
    if key not in places:
        places[key] = len(found)
        found.append(entity)
        places.setdefault(name_key(entity["name"]), places[key])
        for alias in entity.get("aliases", ()):
            places.setdefault(name_key(alias), places[key])
    return places[key]


def _relation(
    told: object, found: list[dict[str, Any]], places: dict[str, int], moved: Mapping[int, int]
) -> dict[str, Any] | None:
    if not isinstance(told, Mapping):
        return None
    kind = _line(told.get("type"))
    source = _end(told.get("source"), found, places, moved)
    target = _end(told.get("target"), found, places, moved)
    if not kind or source is None or target is None or source == target:
        return None
    relation: dict[str, Any] = {"source": source, "target": target, "type": relation_type(kind)}
    weight = told.get("weight")
    if isinstance(weight, int | float) and not isinstance(weight, bool) and 0 < weight <= 1:
        relation["weight"] = float(weight)
    attributes = _attributes(told.get("attributes"))
    relation |= {"attributes": attributes} if attributes else {}
    for name in ("valid_from", "valid_until"):
        moment = _moment(told.get(name))
        relation |= {name: moment} if moment else {}
    return relation | ({"ended": True} if told.get("ended") is True else {})


def _end(value: object, found: list[dict[str, Any]], places: dict[str, int], moved: Mapping[int, int]) -> int | None:
    """The place of a relation's end, given as a place or a name; a new name is entered without a type."""
    if isinstance(value, int) and not isinstance(value, bool):
        return moved.get(value)
    name = _line(value)
    if not name:
        return None
    kind, colon, rest = name.partition(":")
    if colon and rest and f"{entity_type(kind)}:{name_key(rest, entity_type(kind))}" in places:
        return places[f"{entity_type(kind)}:{name_key(rest, entity_type(kind))}"]
    if name_key(name) in places:
        return places[name_key(name)]
    told = (
        {"type": entity_type(kind), "name": rest}
        if colon and rest and kind.isidentifier()
        else {"type": ANYTHING, "name": name}
    )
    return _enter(found, places, told)


def _line(value: object) -> str:
    """A name as one clean line; "" for what is none."""
    if not isinstance(value, str):
        return ""
    line = " ".join(clean(value).split())
    return line if len(line) <= NAME_LIMIT else ""


def _attributes(value: object) -> dict[str, Any]:
    """Those attributes that are short plain values."""
    if not isinstance(value, Mapping):
        return {}
    kept = {}
    for name, item in list(value.items())[:ATTRIBUTES]:
        line = _line(name)
        if (
            line
            and isinstance(item, str | int | float | bool | list)
            and len(json.dumps(item, default=str)) <= VALUE_LIMIT
        ):
            kept[line] = clean(item) if isinstance(item, str) else item
    try:
        json.dumps(kept, allow_nan=False)
    except (TypeError, ValueError):
        return {}
    return kept


def _moment(value: object) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        return format_time(checks.moment("valid_from", value))
    except InvalidInput:
        return None
