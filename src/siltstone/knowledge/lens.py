"""A lens: one user's graph looked at in one way (moment, types, weights), as values and as steps from node to node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from siltstone.domain.graph import Entity, Relation, relation_key
from siltstone.domain.values import parse_time
from siltstone.knowledge.edges import Node, latest
from siltstone.knowledge.index import GraphIndex
from siltstone.knowledge.options import Way, codes
from siltstone.knowledge.periods import Spans, holds, periods


class Step(NamedTuple):
    """One edge as it leads on: to which root, with what weight. `edge` is its number, -1 for one to or from a belief."""

    other: int
    weight: float
    edge: int
    kind: str
    outward: bool


class Lens:
    """Made for one question and thrown away; it holds the lock of nobody and changes nothing."""

    def __init__(self, index: GraphIndex, way: Way, now: datetime) -> None:
        self.index, self.way, self.now = index, way, now
        self._spans: dict[tuple[int, int], Spans] = {}
        edges = index.edges
        self._codes = codes(way.types, {kind: code for code, kind in enumerate(edges.kinds)}) if way.types else None
        self._bridges = index.bridge()
        self._plain = not edges.claims and not index.edges.limited
        self._timed = index.identity.limited

    def visible(self, root: int) -> bool:
        """Whether the node is there, and holds at the moment looked at."""
        members = self.index.identity.members(root)
        return any(self._visible(self.index.nodes[member]) for member in members)

    def _visible(self, node: Node) -> bool:
        if node.gone:
            return False
        if node.entries or not node.told:
            return True
        sources = node.told.get("sources")
        if sources and not node.kept and self.index.dead.issuperset(sources):
            return False
        start, end = parse_time(node.told.get("valid_from")), parse_time(node.told.get("valid_until"))
        if self.way.as_of is None:
            return end is None or end > self.now
        return (start is None or start <= self.way.as_of) and (end is None or self.way.as_of < end)

    def steps(self, root: int, direction: str) -> Iterator[Step]:
        """The edges that lead on from this root, newest last."""
        edges, root_of = self.index.edges, self.index.identity.root
        for member in self.index.identity.members(root):
            node = self.index.nodes[member]
            if direction != "in" and node.out:
                for edge in node.out[-self.way.fan_out :]:
                    if self.passes(edge):
                        yield Step(root_of[edges.target[edge]], edges.weight[edge], edge, "", True)
            if direction != "out" and node.into:
                for edge in node.into[-self.way.fan_out :]:
                    if self.passes(edge):
                        yield Step(root_of[edges.source[edge]], edges.weight[edge], edge, "", False)
            if self._bridges:
                yield from self._bridged(member, direction)

    def _bridged(self, member: int, direction: str) -> Iterator[Step]:
        for other, kind, outward in self._bridges.get(member, ())[-self.way.fan_out :]:
            if direction in ("both", "out" if outward else "in") and (not self.way.types or kind in self.way.types):
                yield Step(self.index.identity.root[other], 1.0, -1, kind, outward)

    def passes(self, edge: int) -> bool:
        """Whether the edge is there, of a wanted type and weight, holds at the moment, and so do its ends."""
        edges = self.index.edges
        if not edges.live[edge] or edges.weight[edge] < self.way.min_weight:
            return False
        if self._codes is not None and edges.kind[edge] not in self._codes:
            return False
        if not self._plain and not holds(periods(self.index, edge, self._spans), self.way.as_of, self.now):
            return False
        return not self._timed or self._ends_hold(edge)

    def _ends_hold(self, edge: int) -> bool:
        root = self.index.identity.root
        ends = (root[self.index.edges.source[edge]], root[self.index.edges.target[edge]])
        return all(end not in self._timed or self.visible(end) for end in ends)

    def all_edges(self) -> Iterator[int]:
        """The numbers of all edges that pass, in order of arrival."""
        return (edge for edge in range(len(self.index.edges)) if self.passes(edge))

    def all_nodes(self) -> Iterator[int]:
        """The numbers of all roots that are visible, in order of arrival."""
        root = self.index.identity.root
        return (n for n in range(len(self.index.nodes)) if root[n] == n and self.visible(n))

    # values

    def entity(self, root: int) -> Entity:
        """The node as a value, with what all that are one with it say."""
        members = self.index.identity.members(root)
        node = self.index.nodes[root]
        if len(members) == 1 and not node.told and not node.entries and not node.aliases:
            return Entity(
                id=node.id, type=node.type, name=node.name, content=node.bridge, recorded_at=_moment(node.recorded)
            )
        told = self._told(members)
        entries = self._entries(members)
        return Entity(
            id=node.id,
            type=node.type,
            name=node.name,
            aliases=self._aliases(members, node.name),
            attributes=self._attributes(members),
            content=told.get("content", node.bridge),
            weight=told.get("weight", 1.0),
            sources=tuple(entries),
            mentions=len(entries),
            valid_from=parse_time(told.get("valid_from")),
            valid_until=parse_time(told.get("valid_until")),
            recorded_at=_moment(node.recorded),
        )

    def relation(self, step: Step, root: int) -> Relation:
        """The edge of a step from `root` as a value."""
        if step.edge >= 0:
            return self.edge(step.edge)
        source, target = (root, step.other) if step.outward else (step.other, root)
        ids = self.index.nodes[source].id, self.index.nodes[target].id
        return Relation(id=relation_key(ids[0], step.kind, ids[1]), source=ids[0], target=ids[1], type=step.kind)

    def edge(self, number: int) -> Relation:
        """The edge as a value; its period is the one looked at, or the last."""
        edges, root = self.index.edges, self.index.identity.root
        source = self.index.nodes[root[edges.source[number]]].id
        target = self.index.nodes[root[edges.target[number]]].id
        kind, told = edges.kinds[edges.kind[number]], edges.told.get(number, {})
        claims = edges.claims.get(number, ())
        if not claims and not told:
            return Relation(
                id=relation_key(source, kind, target),
                source=source,
                target=target,
                type=kind,
                weight=edges.weight[number],
                recorded_at=_moment(edges.times[edges.recorded[number]]),
            )
        attributes = {name: value for claim in claims for name, value in claim.attributes.items()}
        found = periods(self.index, number, self._spans)
        chosen = [span for span in found if holds((span,), self.way.as_of, self.now)] or found
        return Relation(
            id=relation_key(source, kind, target),
            source=source,
            target=target,
            type=kind,
            weight=edges.weight[number],
            attributes={**attributes, **told.get("attributes", {})},
            sources=tuple(dict.fromkeys([*told.get("sources", ()), *(claim.entry for claim in claims)])),
            valid_from=chosen[-1].start if chosen else None,
            valid_until=chosen[-1].end if chosen else None,
            recorded_at=_moment(edges.times[edges.recorded[number]]),
        )

    def entries(self, root: int) -> list[str]:
        """The entries that the root was read from, or that were named as its source."""
        return self._entries(self.index.identity.members(root))

    def _told(self, members: Sequence[int]) -> dict[str, Any]:
        return {key: value for member in reversed(members) for key, value in self.index.nodes[member].told.items()}

    def _entries(self, members: Sequence[int]) -> list[str]:
        nodes = [self.index.nodes[member] for member in members]
        told = [source for node in nodes for source in node.told.get("sources", ()) if source not in self.index.dead]
        return list(dict.fromkeys([*told, *(entry for node in nodes for entry in node.entries or ())]))

    def _aliases(self, members: Sequence[int], name: str) -> tuple[str, ...]:
        nodes = [self.index.nodes[member] for member in members]
        spelled = [text for node in nodes for text in (node.name, *(node.aliases or {}).values())]
        return tuple(dict.fromkeys(text for text in spelled if text != name))

    def _attributes(self, members: Sequence[int]) -> dict[str, Any]:
        nodes = [self.index.nodes[member] for member in members]
        facts = [fact for node in nodes for fact in node.facts or ()]
        if self.way.as_of is not None:
            facts = [fact for fact in facts if (parse_time(fact[2]) or self.now) <= self.way.as_of]
        told = [node.told.get("attributes", {}) for node in reversed(nodes)]
        return {**latest(facts), **{name: value for item in told for name, value in item.items()}}


@lru_cache(maxsize=4096)
def _moment(text: str) -> datetime | None:
    """A time of the journal; the nodes and edges of one change share it."""
    return parse_time(text)
