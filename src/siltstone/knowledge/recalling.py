"""The graph's part in a recall: the entries that a query's entities lead to, and entities and relations as hits."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from siltstone.domain.filters import Filter
from siltstone.domain.graph import ENTITY, RELATION, Entity, Relation
from siltstone.domain.values import Hit
from siltstone.knowledge.lens import Lens
from siltstone.knowledge.reading import named, search, spoken_of
from siltstone.knowledge.walk import reach


class HasHits(Protocol):
    """A recall, as far as this module knows it."""

    @property
    def hits(self) -> tuple[Hit, ...]:
        """What was found, best first."""
        ...


class Asked(Protocol):
    """A request, as far as this module knows it."""

    @property
    def text(self) -> str:
        """The query."""
        ...

    @property
    def top_k(self) -> int:
        """How many hits are wanted."""
        ...

    @property
    def wanted(self) -> Filter:
        """What narrows it."""
        ...


Answer = TypeVar("Answer", bound=HasHits)
Request = TypeVar("Request", bound=Asked)
MOST = 500
"""Entries that the graph channel gives at most, the best ones."""
BY_WORD = 0.5
"""What finding a node by a word of it counts, beside being named."""
SHOWN = 8


def linked(lens: Lens, text: str, hops: int) -> dict[str, float]:
    """Entry id → the best, over the entities it speaks of, of the walk's score times the entity's rarity.

    Rarity = ln(1 + N / n) / ln(1 + N) for an entity that n of N read entries speak of: who is in everything leads nowhere.
    """
    starts = named(lens, text)
    if not starts:
        return {}
    scores = dict.fromkeys(starts, 1.0)
    scores |= {root: reached.score for root, reached in reach(lens, starts, hops, "both").items()}
    total = max(len(lens.index.read), 1)
    found: dict[str, float] = {}
    for root, score in scores.items():
        entries = lens.entries(root)
        worth = score * math.log1p(total / max(len(entries), 1)) / math.log1p(total)
        for entry_id in entries:
            if worth > found.get(entry_id, 0.0):
                found[entry_id] = worth
    if len(found) > MOST:
        best = sorted(found, key=lambda entry_id: (-found[entry_id], entry_id))[:MOST]
        return {entry_id: found[entry_id] for entry_id in best}
    return found


def hits(lens: Lens, text: str, kinds: Collection[str], hops: int) -> list[Hit]:
    """Entities and relations that answer a query: those it names, what they lead to, and nodes that hold a word of it."""
    starts = named(lens, text)
    scores = dict.fromkeys(starts, 1.0)
    scores |= {root: reached.score for root, reached in reach(lens, starts, hops, "both").items()}
    for entity, share in search(lens, text, None, 50):
        root = lens.index.identity.number(entity.id)
        scores[root] = max(scores.get(root, 0.0), BY_WORD * share)
    found = [_entity_hit(lens, root, score) for root, score in scores.items()] if ENTITY in kinds else []
    if RELATION in kinds:
        edges: dict[str, tuple[Relation, float]] = {}
        for root, score in scores.items():
            for step in lens.steps(root, "both"):
                if step.other in scores:
                    relation = lens.relation(step, root)
                    worth = max(score, scores[step.other]) * min(max(step.weight, 0.0), 1.0)
                    edges[relation.id] = (relation, max(worth, edges.get(relation.id, (relation, 0.0))[1]))
        found += [_relation_hit(lens, relation, score) for relation, score in edges.values()]
    return sorted(found, key=lambda hit: (-hit.score, hit.kind, hit.id))


def with_links(request: Request, found: Mapping[str, float]) -> Request:
    """The request with these entries and their scores."""
    return replace(request, linked=found)  # type: ignore[type-var]


def with_hits(answer: Answer, found: Sequence[Hit], limit: int) -> Answer:
    """The recall with these hits among its own, best first, cut to `limit`."""
    merged = sorted((*answer.hits, *found), key=lambda hit: -hit.score)
    return replace(answer, hits=tuple(merged[:limit]))  # type: ignore[type-var]


def _entity_hit(lens: Lens, root: int, score: float) -> Hit:
    entity = lens.entity(root)
    return Hit(
        id=entity.id,
        kind=ENTITY,
        text=_told(lens, root, entity),
        score=round(score, 6),
        occurred_at=entity.valid_from or _recorded(lens, entity.recorded_at),
        recorded_at=_recorded(lens, entity.recorded_at),
        metadata=dict(entity.attributes),
        channels={"graph": round(score, 6)},
        provenance={"sources": list(entity.sources), "mentions": entity.mentions, "edges": spoken_of(lens, root)},
    )


def _relation_hit(lens: Lens, relation: Relation, score: float) -> Hit:
    ends = [lens.index.nodes[lens.index.identity.number(end)].name for end in (relation.source, relation.target)]
    return Hit(
        id=relation.id,
        kind=RELATION,
        text=f"{ends[0]} --{relation.type}--> {ends[1]}",
        score=round(score, 6),
        occurred_at=relation.valid_from or _recorded(lens, relation.recorded_at),
        recorded_at=_recorded(lens, relation.recorded_at),
        metadata=dict(relation.attributes),
        channels={"graph": round(score, 6)},
        provenance={"sources": list(relation.sources), "source": relation.source, "target": relation.target},
    )


def _told(lens: Lens, root: int, entity: Entity) -> str:
    """One line about an entity: its name and type, and its first edges."""
    nodes = lens.index.nodes
    said = []
    for step in list(lens.steps(root, "out"))[:SHOWN]:
        said.append(f"{lens.relation(step, root).type} {nodes[step.other].name}")
    return f"{entity.name} ({entity.type})" + (f": {'; '.join(said)}" if said else "")


def _recorded(lens: Lens, moment: datetime | None) -> datetime:
    return moment or lens.now
