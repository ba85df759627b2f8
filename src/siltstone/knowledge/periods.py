"""When an edge holds: what entries say of it, put in order of time.

A statement opens a period; the same statement again lets it go on; "no longer" closes it. Of a predicate that has one
value at a time (`SINGLE`) a later statement about the same subject closes the earlier one: that alone supersedes, and only
with an entry as evidence. An edge put by hand without a source holds as it was told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from siltstone.domain.values import parse_time
from siltstone.knowledge.index import GraphIndex

SINGLE = frozenset(
    "lives_in works_at works_as reports_to married_to engaged_to born_in born_on studies_at located_in based_in aged"
    " has_status costs scheduled_for assigned_to led_by owned_by version_is favorite_is stays_in".split()
)
"""Predicates of which a subject has one value at a time."""


class Period(NamedTuple):
    """[start, end); None is without bound."""

    start: datetime | None
    end: datetime | None


class Said(NamedTuple):
    """One statement about an edge."""

    at: datetime
    order: int
    target: int
    ended: bool
    until: datetime | None


Spans = dict[int, list[Period]]
ALWAYS = (Period(None, None),)


def periods(index: GraphIndex, edge: int, cache: dict[tuple[int, int], Spans]) -> Sequence[Period]:
    """The periods in which the edge holds, in order; () where nothing supports it any more."""
    edges, root = index.edges, index.identity.root
    told = edges.told.get(edge)
    if told is not None and "sources" in told and index.dead.issuperset(told["sources"]) and edge not in edges.claims:
        return ()
    if told is not None and "sources" not in told and edge not in edges.claims:
        return (Period(parse_time(told.get("valid_from")), parse_time(told.get("valid_until"))),)
    if told is None and edge not in edges.claims:
        return ALWAYS
    source, target, kind = root[edges.source[edge]], root[edges.target[edge]], edges.kind[edge]
    name = (source, kind)
    if name not in cache:
        cache[name] = spans(statements(index, source, kind), single=edges.kinds[kind] in SINGLE)
    return cache[name].get(target, ())


def statements(index: GraphIndex, source: int, kind: int) -> list[Said]:
    """What entries say about the edges of that type from that root, by time."""
    edges, found = index.edges, list[Said]()
    numbers = [edge for member in index.identity.members(source) for edge in index.nodes[member].out or ()]
    for edge in numbers:
        if edges.kind[edge] != kind or not edges.live[edge]:
            continue
        target = index.identity.root[edges.target[edge]]
        told = edges.told.get(edge)
        if told is not None and not index.dead.issuperset(told.get("sources", ())):
            found.append(_by_hand(told, target, edges.times[edges.recorded[edge]]))
        for claim in edges.claims.get(edge, ()):
            until = parse_time(claim.until)
            found.append(Said(_moment(claim.at), len(found), target, claim.ended, until))
    found.sort()
    return found


def spans(said: Sequence[Said], *, single: bool) -> Spans:
    """The periods of each target. `single`: a statement about one closes that about another."""
    found: Spans = {}
    open_: dict[int, tuple[datetime, datetime | None]] = {}

    def close(target: int, at: datetime) -> None:
        start, until = open_.pop(target)
        found.setdefault(target, []).append(Period(start, at if until is None else min(until, at)))

    for item in said:
        current = open_.get(item.target)
        if current is not None and current[1] is not None and current[1] <= item.at:
            close(item.target, item.at)
            current = None
        if item.ended:
            if current is not None:
                close(item.target, item.at)
            elif item.target not in found:
                found[item.target] = [Period(None, item.at)]
            continue
        if single:
            for other in [target for target in open_ if target != item.target]:
                close(other, item.at)
        if current is None or item.until is not None:
            open_[item.target] = (item.at if current is None else current[0], item.until)
    for target, (start, until) in open_.items():
        found.setdefault(target, []).append(Period(start, until))
    return found


def holds(spans: Sequence[Period], at: datetime | None, now: datetime) -> bool:
    """Whether one of the periods holds at that moment; without one, whether one has not ended by now."""
    if at is None:
        return any(end is None or end > now for _, end in spans)
    return any((start is None or start <= at) and (end is None or at < end) for start, end in spans)


def _by_hand(told: Mapping[str, object], target: int, recorded: str) -> Said:
    start = told.get("valid_from") or recorded
    until = told.get("valid_until")
    return Said(_moment(str(start)), -1, target, False, parse_time(None if until is None else str(until)))


def _moment(text: str) -> datetime:
    found = parse_time(text)
    assert found is not None
    return found
