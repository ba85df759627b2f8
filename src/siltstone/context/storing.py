"""One text on its way into an AgentMemory: checked, kept, read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from siltstone.context import items, shapes
from siltstone.context.options import flag
from siltstone.domain.graph import Claims
from siltstone.domain.values import Entry
from siltstone.errors import InvalidInput, NotFound
from siltstone.text import checks

if TYPE_CHECKING:
    from siltstone.context.working import AgentMemory

OWN_EXTRACTOR = "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What `store` was told, checked."""

    text: str
    user_id: str
    session: str | None = None
    memory_id: str | None = None
    at: datetime | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    entities: list[dict[str, Any]] = field(default_factory=list)
    relationships: list[dict[str, Any]] = field(default_factory=list)
    extract: bool = False
    relations: bool = True
    learn: bool = False


def request(text: str, metadata: object, told: Mapping[str, Any], user_id: str) -> Request:
    """The checked request. Raises InvalidInput."""
    whose = user_id if told.get("user_id") is None else checks.user(told["user_id"])
    session = checks.name("conversation_id", told.get("conversation_id"))
    entities = items.dicts("entities", told.get("entities"))
    relationships = items.dicts("relationships", told.get("relationships"))
    shapes.told_graph(entities, relationships)
    made = Request(
        text=checks.text(text),
        user_id=whose,
        session=session,
        memory_id=checks.name("memory_id", told.get("memory_id")),
        at=checks.moment("timestamp", told.get("timestamp")),
        metadata=items.plain(metadata, user_id=whose, conversation_id=session),
        entities=entities,
        relationships=relationships,
        extract=flag("extract_entities", told.get("extract_entities", told.get("auto_extract", False))),
        relations=flag("extract_relationships", told.get("extract_relationships", True)),
        learn=flag("learn", told.get("learn", False)),
    )
    if made.learn and made.memory_id is not None:
        raise InvalidInput(f"memory_id {made.memory_id!r} cannot be kept by learn=True; leave one of them out")
    return made


def keep(store: AgentMemory, asked: Request) -> str:
    """Write the text through: its vector where another store keeps vectors, then the entry; the id.

    Where the entry cannot be written, the vector is taken out again. Vectors of the caller's own stay with the text that
    they were made of: another text, or a memory that was forgotten, leaves them out.
    """
    clock = store.engine.parts.clock
    before = None if asked.memory_id is None else store.engine.get(asked.memory_id, user_id=asked.user_id)
    extra: dict[str, Any] = {}
    extra |= {"entities": asked.entities} if asked.entities else {}
    extra |= {"relationships": asked.relationships} if asked.relationships else {}
    memory_id = asked.memory_id
    if store.vectors is not None:
        memory_id = memory_id or clock.new_id()
        facts = {**asked.metadata, "memory_id": memory_id, "user_id": asked.user_id, "content": asked.text}
        extra["vector_id"] = store.vectors.put(asked.text, facts)
    held = [] if before is None else items.vector_ids(before)
    if before is not None and before.text == asked.text and before.forgotten_at is None:
        own = items.told(before).get("vector_ids", ())
        extra |= {"vector_ids": list(own)} if own else {}
    metadata = {**asked.metadata, items.OWN: extra} if extra else asked.metadata
    try:
        written = _written(store, asked, memory_id, metadata, before)
    except BaseException:
        if store.vectors is not None:
            store.drop_vectors([extra["vector_id"]])
        raise
    kept = extra.get("vector_ids", ())
    store.drop_vectors([name for name in held if name not in kept])
    return written


def add_vectors(store: AgentMemory, vectors: Sequence[Any], facts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Put vectors into the other store and record their ids with their memories, so that both are forgotten together.

    `facts` name the `memory_id` and the `user_id`. Where that cannot be recorded, those vectors are taken out again.
    """
    assert store.vectors is not None
    ids = store.vectors.put_vectors(vectors, facts)
    added: dict[tuple[str, str], list[str]] = {}
    for fact, name in zip(facts, ids, strict=True):
        added.setdefault((str(fact["memory_id"]), str(fact["user_id"])), []).append(name)
    left = list(ids)
    try:
        for (memory_id, user_id), names in added.items():
            entry = store.engine.get(memory_id, user_id=user_id)
            if entry is None or entry.forgotten_at is not None:
                raise NotFound(f"there is no memory {memory_id!r} any more; store its text first, then its vector")
            told = items.told(entry)
            extra = {**told, "vector_ids": list(dict.fromkeys([*told.get("vector_ids", ()), *names]))}
            store.engine.update(memory_id, user_id=user_id, metadata={**entry.metadata, items.OWN: extra})
            left = [name for name in left if name not in names]
    except BaseException:
        store.drop_vectors(left)
        raise
    return ids


def _written(
    store: AgentMemory, asked: Request, memory_id: str | None, metadata: Mapping[str, Any], before: Entry | None
) -> str:
    engine = store.engine
    told: dict[str, Any] = {"session_id": asked.session, "metadata": metadata}
    told |= {} if asked.at is None else {"occurred_at": asked.at}
    if before is not None:
        if before.forgotten_at is not None:
            engine.revive(before.id, user_id=asked.user_id)
        clear = [] if asked.session or before.session_id is None else ["session_id"]
        engine.update(before.id, user_id=asked.user_id, text=asked.text, clear=clear, **told)
        return before.id
    if asked.learn:
        return engine.process(asked.text, user_id=asked.user_id, **told).id
    return engine.add(asked.text, user_id=asked.user_id, memory_id=memory_id, **told).id


def extract(store: AgentMemory, memory_id: str, asked: Request) -> None:
    """Read entities and relationships out of the text and record them with the memory."""
    engine, reader = store.engine, store.choices.extractor
    if reader is None:
        from siltstone.knowledge import rules
        from siltstone.knowledge.extraction import RULES

        claims, name = rules.read(asked.text, at=asked.at or engine.parts.clock.now()), RULES
    else:
        claims, name = _claims(reader(asked.text)), OWN_EXTRACTOR
    relations = claims.relations if asked.relations else ()
    engine.graph.ingest(
        memory_id, user_id=asked.user_id, entities=list(claims.entities), relations=list(relations), extractor=name
    )


def _claims(told: object) -> Claims:
    """What an extractor of the caller's answered: {"entities": […], "relationships": […]}, or a list of entities."""
    if isinstance(told, Claims):
        return told
    given = told if isinstance(told, Mapping) else {"entities": told}
    entities = items.dicts("entities", given.get("entities"))
    relations = items.dicts("relationships", given.get("relationships", given.get("relations")))
    named = [{**entity, "name": entity.get("name") or entity.get("text") or entity.get("id")} for entity in entities]
    for entity in named:
        entity.setdefault("type", entity.get("label", "entity"))
    ends = [
        {
            **told,
            "source": told.get("source", told.get("source_id")),
            "target": told.get("target", told.get("target_id")),
        }
        for told in relations
    ]
    return Claims(entities=tuple(named), relations=tuple(ends))
