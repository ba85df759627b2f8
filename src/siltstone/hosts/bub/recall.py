"""What memory has to say to a message: entities, relations and texts that have to do with it, and the last handoff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from siltstone.domain.graph import Entity, Relation, Walked
from siltstone.domain.values import Hit
from siltstone.hosts.bub.block import Contents, Link, Note, Thing
from siltstone.hosts.bub.turns import HANDOFF, TOOL
from siltstone.memory import Memory

WALK_HOPS = 2
NEAR = 0.2
"""The score from which an entity on a walk from one that the message names belongs to it."""
ENTITIES, RELATIONS, BEFORE = 12, 12, 6
ROOTS = 3
"""Entities whose relations are looked up: each look-up costs as much as the entity has relations."""
OWN_EVIDENCE = 0.2
"""Score of a text in its best channel, from which it is shown."""
FAN_OUT = 100
"""Edges of one entity that are looked at, the newest: a block shows a dozen."""
ABOUT = 3
"""Attributes of an entity that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A message that is about to go to the model: its words, and what the model sees besides.

    `seen` is all text of the conversation that the model is shown. `handoff` is the name and summary of the last anchor;
    `cut` says that the conversation before it is out of sight.
    """

    text: str
    session: str
    seen: str = ""
    handoff: tuple[str, str] | None = None
    cut: bool = False
    narrow: bool = False


def gather(memory: Memory, question: Question, *, user: str, limit: int) -> Contents:
    """The contents of the block for this message; empty where nothing in memory has to do with it."""
    seen = collapsed(question.seen)
    hits = [hit for hit in memory.retrieve(question.text, user_id=user, top_k=3 * limit) if _is_news(hit, seen)]
    hits = hits[:limit]
    walked = memory.graph.walk(question.text, user_id=user, hops=WALK_HOPS, fan_out=FAN_OUT)
    entities = _entities(memory, walked, hits, user)
    relations = _relations(memory, entities, walked.named[:ROOTS] or [*entities][:ROOTS], user)
    names = {entity.id: short(entity) for entity in entities.values()}
    return Contents(
        things=[thing(entity) for entity in entities.values()],
        links=[Link(source=names[r.source], type=r.type, target=names[r.target]) for r in relations],
        notes=[note(hit) for hit in hits],
        handoff=question.handoff,
        before=_before(memory, question, seen, {hit.id for hit in hits}, user) if question.cut else (),
    )


def only_handoff(question: Question) -> Contents:
    """The contents where there is no memory yet."""
    return Contents(handoff=question.handoff)


def short(entity: Entity) -> str:
    """The entity's short name: its id without the type, else its name in plain form."""
    kind, _, rest = entity.id.partition(":")
    return rest if kind == entity.type and rest else entity.name


def thing(entity: Entity) -> Thing:
    """The entity as a line of the block: what it is about from its content, attributes or other names."""
    told = ", ".join(f"{name}={value}" for name, value in islice(entity.attributes.items(), ABOUT))
    other = next((alias for alias in (entity.name, *entity.aliases) if alias.casefold() != short(entity)), "")
    other = "" if other.casefold().replace(" ", "_") == short(entity) else other
    return Thing(type=entity.type, name=short(entity), about=entity.content or told or other)


def note(hit: Hit) -> Note:
    """The hit as a line of the block."""
    return Note(text=hit.text, date=hit.occurred_at, speaker=hit.speaker or hit.agent_id, id=hit.id)


def collapsed(text: str) -> str:
    """The text with single blanks, as it is compared."""
    return " ".join(text.split())


def speaks(hit: Hit) -> bool:
    """Whether the text itself, not only what was said around it, has to do with what was asked."""
    return max(hit.channels.values(), default=0.0) >= OWN_EVIDENCE


def _is_news(hit: Hit, seen: str) -> bool:
    return speaks(hit) and not {TOOL, HANDOFF}.intersection(hit.tags) and collapsed(hit.text) not in seen


def _entities(memory: Memory, walked: Walked, hits: Sequence[Hit], user: str) -> Mapping[str, Entity]:
    """Entities that the message names or that are near those, then those of the texts that were found; by id."""
    scores = {entity: score for entity, score in walked.entities.items() if score >= NEAR}
    near = sorted(scores, key=lambda entity: -scores[entity])[:ENTITIES]
    found = {entity.id: entity for name in near if (entity := memory.graph.get(name, user_id=user)) is not None}
    for mentioned in memory.graph.mentioned([hit.id for hit in hits], user_id=user).values():
        for entity in mentioned:
            if len(found) < ENTITIES:
                found.setdefault(entity.id, entity)
    return found


def _relations(memory: Memory, entities: Mapping[str, Entity], roots: Sequence[str], user: str) -> list[Relation]:
    """The relations among these entities that one of the roots has, those of the first root first."""
    found: dict[str, Relation] = {}
    for root in roots:
        for relation in memory.graph.relations(root, user_id=user, fan_out=FAN_OUT):
            if relation.source in entities and relation.target in entities and relation.valid_until is None:
                found.setdefault(relation.id, relation)
    return list(found.values())[:RELATIONS]


def _before(memory: Memory, question: Question, seen: str, known: set[str], user: str) -> list[Note]:
    """The latest turns of this session that the model does not see any more, newest first."""
    hits = memory.retrieve(
        question.text, user_id=user, session_id=question.session, recent_session=question.session, top_k=2 * BEFORE
    )
    gone = [hit for hit in hits if hit.id not in known and _is_news(hit, seen)]
    newest = sorted(gone, key=lambda hit: hit.occurred_at, reverse=True)[:BEFORE]
    return [replace(note(hit), id="") for hit in newest]
