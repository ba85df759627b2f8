"""How a question to the graph is narrowed: the keywords that its verbs share, and the one place that checks them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from siltstone.domain.options import Moment, checked
from siltstone.errors import InvalidInput
from siltstone.knowledge.names import relation_type
from siltstone.text import checks

FAN_OUT = 1000
MOST_HOPS = 20
DIRECTIONS = ("both", "out", "in")


class Walk(TypedDict, total=False):
    """How far and over what a question may walk.

    `hops`: steps from the start. `direction`: along edges ("out"), against them ("in") or "both". `types`: only edges of
    these types. `min_weight`: only edges of at least this weight. `limit`: at most so many answers. `fan_out`: of a node
    with more edges in one direction, only the newest so many are followed (default 1,000). `as_of`: the graph as it was
    true at that moment; without it, what has not ended by now. `known_at`: the graph as it was known at that moment.
    """

    hops: int
    direction: str
    types: Sequence[str]
    min_weight: float
    limit: int | None
    fan_out: int
    as_of: Moment | None
    known_at: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The checked options of one question."""

    hops: int = 1
    direction: str = "both"
    types: tuple[str, ...] = ()
    min_weight: float = 0.0
    limit: int | None = None
    fan_out: int = FAN_OUT
    as_of: datetime | None = None
    known_at: datetime | None = None


def way(verb: str, given: Mapping[str, Any], **usual: Any) -> Way:
    """The options as a value, `usual` in place of what is not given. Raises TypeError and InvalidInput."""
    checked(verb, Walk, given)
    told = {**usual, **{key: value for key, value in given.items() if value is not None}}
    for name, most in (("hops", MOST_HOPS), ("fan_out", math.inf), ("limit", math.inf)):
        if name in told:
            whole(name, told[name], most)
    if told.get("direction", "both") not in DIRECTIONS:
        raise InvalidInput(f"direction cannot be {told['direction']!r}; choose one of: {', '.join(DIRECTIONS)}")
    weight = told.get("min_weight", 0.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or math.isnan(weight):
        raise InvalidInput(f"min_weight cannot be {weight!r}; give a number")
    types = told.get("types", ())
    if isinstance(types, str) or not all(isinstance(kind, str) for kind in types):
        raise InvalidInput(f"types cannot be {types!r}; give a list of edge types, e.g. ['created']")
    told["types"] = tuple(types)
    for name in ("as_of", "known_at"):
        told[name] = checks.moment(name, told.get(name))
    return Way(**told)


def codes(types: Sequence[str], known: Mapping[str, int]) -> frozenset[int]:
    """The numbers of these types of edge, as they are spelled or in their plain form."""
    return frozenset(known[name] for kind in types for name in (kind, relation_type(kind)) if name in known)


def whole(name: str, value: object, most: float = math.inf) -> None:
    """Raise InvalidInput unless the value is a whole number from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        bound = "" if most == math.inf else f" to {most}"
        raise InvalidInput(f"{name} cannot be {value!r}; give a whole number from 1{bound}")
