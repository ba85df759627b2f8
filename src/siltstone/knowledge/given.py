"""What callers put into the graph by hand: checked, in one form, as the payloads of `graph_changed`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from siltstone.domain.graph import ANYTHING, RELATED, Entity, Relation
from siltstone.domain.values import format_time
from siltstone.errors import InvalidInput, nearest
from siltstone.knowledge.names import entity_key
from siltstone.text import checks
from siltstone.text.normal import clean

NODE = frozenset("id type name content aliases attributes weight valid_from valid_until sources".split())
EDGE = frozenset("id source target type weight attributes valid_from valid_until sources".split())
DERIVED = frozenset(("mentions", "recorded_at"))
"""What a value carries and the graph finds for itself."""
LABEL_LIMIT = 80
ID_LIMIT = 512


def node(told: Entity | Mapping[str, Any]) -> dict[str, Any]:
    """The payload of a node: absent values left out, id and name filled in. Raises InvalidInput."""
    given = _plain(told, NODE, "node")
    content, kind = given.get("content"), _label("type", given.get("type") or ANYTHING)
    short = content if isinstance(content, str) and len(content) <= LABEL_LIMIT else None
    name = given.get("name") or short or given.get("id")
    if not name:
        raise InvalidInput(f"the node {dict(given)!r} has neither id nor name; give one of them")
    result = {"id": given.get("id") or entity_key(kind, str(name)), "type": kind, "name": checks.text(name)}
    _label("id", result["id"])
    if content:
        result["content"] = checks.text(content)
    if given.get("aliases"):
        result["aliases"] = [checks.text(alias) for alias in given["aliases"]]
    return result | _shared(given)


def edge(told: Relation | Mapping[str, Any]) -> dict[str, Any]:
    """The payload of an edge; its ends are ids. Raises InvalidInput."""
    given = told if type(told) is dict and told.keys() <= EDGE else _plain(told, EDGE, "edge")
    source, target, kind = given.get("source"), given.get("target"), given.get("type") or RELATED
    if not (
        type(source) is type(target) is type(kind) is str and 0 < len(source) < ID_LIMIT and 0 < len(target) < ID_LIMIT
    ):
        raise InvalidInput(f"the edge {dict(given)!r} needs the ids of its source and target, and a type as text")
    result = {"source": _clean(source), "target": _clean(target), "type": _clean(kind)}
    if len(given) > 2 + ("type" in given):
        result |= _shared(given)
    return result


def _shared(given: Mapping[str, Any]) -> dict[str, Any]:
    """What nodes and edges have in common."""
    result: dict[str, Any] = {}
    weight = given.get("weight")
    if weight is not None and weight != 1.0:
        result["weight"] = _weight(weight)
    if given.get("attributes"):
        result["attributes"] = _attributes(given["attributes"])
    for name in ("valid_from", "valid_until"):
        if given.get(name) is not None:
            result[name] = checks.time_text(name, given[name])
    if given.get("sources"):
        result["sources"] = [_label("sources", source) for source in given["sources"]]
    return result


def _attributes(value: object) -> dict[str, Any]:
    """The attributes as plain JSON."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"attributes cannot be {value!r}; give a dict")
    try:
        return dict(json.loads(clean(json.dumps(dict(value), ensure_ascii=False, allow_nan=False))))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the attributes {str(value)[:80]} are no plain JSON: {error}; use JSON types") from error


def _plain(told: object, known: frozenset[str], what: str) -> Mapping[str, Any]:
    if is_dataclass(told) and not isinstance(told, type):
        return {item.name: _value(getattr(told, item.name)) for item in fields(told) if item.name in known}
    if not isinstance(told, Mapping):
        raise InvalidInput(f"{told!r} is no {what}; give a dict or a value of siltstone.domain.graph")
    for name in told:
        if name not in known and name not in DERIVED:
            raise InvalidInput(f"a {what} has no {name!r}; {nearest(str(name), known)} (others go into attributes)")
    return told


def _value(value: Any) -> Any:
    return format_time(value) if hasattr(value, "isoformat") else value


def _weight(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise InvalidInput(f"weight cannot be {value!r}; give a finite number from 0 on")
    return float(value)


def _label(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > ID_LIMIT:
        raise InvalidInput(f"{name} cannot be {value!r}; give a text of 1 to {ID_LIMIT} characters")
    return _clean(value)


def _clean(text: str) -> str:
    """The text as it is kept; most ids are plain as they come."""
    return text if text.isascii() and text.isprintable() and not text.isspace() else checks.text(text)


def batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """The items in groups of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))


def ids(names: str | Iterable[str]) -> tuple[str, ...]:
    """One id or several, as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)
