"""The two functions that the first semantic memory of Bub documented, on lists, iterators and one-shot generators alike.

They stand on their own: no plugin, no host, no store but the one that is handed in. What they make is what the plugin
makes; the plugin itself reads in the background and asks for what a message has to do with.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from siltstone.domain.graph import Claims
from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelError, ModelUnavailable
from siltstone.hosts.bub.block import Contents, Formatter, Link, Thing, render
from siltstone.hosts.bub.snapshots import Entity, Relation, SemanticSnapshot, slug
from siltstone.hosts.bub.tapes import Line
from siltstone.hosts.bub.turns import TOOL, messages
from siltstone.knowledge.claims import checked_claims
from siltstone.knowledge.names import entity_key
from siltstone.ports.knowledge import KnowledgeModel, Text
from siltstone.ports.models import Completion

logger = logging.getLogger(__name__)
BUDGET = 800
WHOLE = 24_000
"""Characters of a conversation that one question shows, the newest."""


async def extract_semantics(
    entries: Iterable[Any], llm: Any, tape_id: str = "", anchor_id: str | None = None, max_tokens: int = 1000
) -> SemanticSnapshot:
    """The entities and relations in tape entries, as a snapshot; an empty one, and a warning in the log, on failure.

    `llm` is a `Completion`, a `KnowledgeModel`, a function, or any object with `chat_async` or `chat`, called with
    `prompt`, `system_prompt` and `max_tokens`; with None the rules read. Entries may be a one-shot generator.
    """
    texts = _texts(entries)
    empty = SemanticSnapshot(tape_id=tape_id, anchor_id=anchor_id)
    if not texts:
        return empty
    reader = _reader(llm, max_tokens)
    try:
        claims = await asyncio.to_thread(_read, reader, texts)
    except ModelError as error:
        logger.warning("semantics of tape %s were not extracted: %s", tape_id, error)
        return empty
    return snapshot_of(claims, tape_id=tape_id, anchor_id=anchor_id)


async def build_semantic_context(
    entries: Iterable[Any],
    context: Any,
    llm: Any = None,
    store: Any = None,
    *,
    formatter: Formatter | None = None,
    budget: int = BUDGET,
) -> list[dict[str, Any]]:
    """The conversation as messages, with what all snapshots of its tape say in front of the last user message.

    With `llm` the entries are read first, and the snapshot goes to `store` (`append` and `load`, plain or awaitable).
    Without a store nothing is added. The tape is named by `context.state["session_id"]`, else "default".
    """
    held = list(entries)
    base = _conversation([line for line in map(Line.of, held) if line is not None])
    if store is None:
        return base
    tape = str(getattr(context, "state", {}).get("session_id") or "default")
    anchor = _anchor(held)
    if llm is not None and (snapshot := await extract_semantics(held, llm, tape, anchor)):
        await _settled(store.append(tape, snapshot))
    snapshots = await _settled(store.load(tape))
    block = (formatter or render)(contents_of(snapshots), budget)
    return with_block(base, block) if block else base


def contents_of(snapshots: Iterable[SemanticSnapshot]) -> Contents:
    """The entities and relations of snapshots, each once, the newest first."""
    things: dict[str, Entity] = {}
    links: dict[tuple[str, str, str], Relation] = {}
    for snapshot in snapshots:
        for entity in snapshot.entities:
            things.pop(entity.id, None)
            things[entity.id] = entity
        for relation in snapshot.relations:
            key = (relation.from_id, relation.type, relation.to_id)
            links.pop(key, None)
            links[key] = relation
    short = {entity.id: _short(entity) for entity in things.values()}
    return Contents(
        things=[Thing(type=item.type, name=short[item.id], about=_about(item)) for item in reversed(things.values())],
        links=[
            Link(source=short[source], type=kind, target=short[target])
            for source, kind, target in reversed(links)
            if source in short and target in short
        ],
    )


def snapshot_of(
    claims: Sequence[Claims], *, tape_id: str, anchor_id: str | None, at: datetime | None = None
) -> SemanticSnapshot:
    """What was read out of some texts as one snapshot, each entity once."""
    entities: dict[str, Entity] = {}
    relations: dict[tuple[str, str, str], Relation] = {}
    for sheet in claims:
        ids = [_put(entities, claim) for claim in sheet.entities]
        named = {slug(str(claim["name"])): key for claim, key in zip(sheet.entities, ids, strict=True)}
        for claim in sheet.relations:
            source, target = (_resolved(claim[end], ids, named) for end in ("source", "target"))
            if source and target:
                told = dict(claim.get("attributes", {}))
                found = Relation(from_id=source, to_id=target, type=claim["type"], metadata=told)
                relations[source, claim["type"], target] = found
    return SemanticSnapshot(
        entities=tuple(entities.values()),
        relations=tuple(relations.values()),
        tape_id=tape_id,
        anchor_id=anchor_id,
        created_at=at or datetime.now(UTC),
    )


def with_block(base: Sequence[Mapping[str, Any]], block: str) -> list[dict[str, Any]]:
    """The messages with the block in front of the last user message, or as one of its own where there is none."""
    from siltstone.hosts.bub.block import in_front

    found = [dict(message) for message in base]
    for message in reversed(found):
        if message.get("role") == "user":
            message["content"] = in_front(block, message.get("content"))
            return found
    return [{"role": "user", "content": block}, *found]


def _conversation(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """The entries as the host shows them to a model: messages, tool calls with their results, anchors."""
    found, calls = list[dict[str, Any]](), list[Mapping[str, Any]]()
    for line in lines:
        payload = line.payload
        if line.kind == "message":
            found.append(dict(payload))
        elif line.kind == "anchor":
            told = json.dumps(payload.get("state"), ensure_ascii=False, default=str)
            found.append({"role": "assistant", "content": f"[Anchor created: {payload.get('name')}]: {told}"})
        elif line.kind == "tool_call" and isinstance(payload.get("calls"), list):
            calls = [call for call in payload["calls"] if isinstance(call, Mapping)]
            if calls:
                called = [dict(call) for call in calls]
                found.append({"role": "assistant", "content": payload.get("content") or "", "tool_calls": called})
        elif line.kind == "tool_result" and isinstance(payload.get("results"), list):
            found += [_result(result, calls, place) for place, result in enumerate(payload["results"])]
            calls = []
    return found


def _result(result: Any, calls: Sequence[Mapping[str, Any]], place: int) -> dict[str, Any]:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    call = calls[place] if place < len(calls) else {}
    named = {"tool_call_id": call.get("id"), "name": (call.get("function") or {}).get("name")}
    return {"role": "tool", "content": text} | {key: value for key, value in named.items() if value}


def _texts(entries: Iterable[Any]) -> list[Text]:
    """The newest texts of people and of the agent, as many as one question may show, in order."""
    lines = [line for line in map(Line.of, entries) if line is not None]
    told = [item for item in messages(lines, tape="", session=None) if TOOL not in item.get("tags", ())]
    found, length = list[Text](), 0
    for item in reversed(told):
        length += len(item["content"])
        if found and length > WHOLE:
            break
        at = datetime.fromisoformat(item["occurred_at"]) if "occurred_at" in item else datetime.now(UTC)
        found.append(Text(text=item["content"], speaker=item.get("speaker") or item["role"], at=at))
    return found[::-1]


def _read(reader: KnowledgeModel | None, texts: Sequence[Text]) -> Sequence[Claims]:
    if reader is not None:
        told = reader.read(texts, ())
        return [checked_claims(one.get("entities", ()), one.get("relations", ())) for one in told if one]
    from siltstone.knowledge import rules

    return [rules.read(text.text, speaker=text.speaker) for text in texts]


def _reader(llm: Any, max_tokens: int) -> KnowledgeModel | None:
    """What reads by that model. Raises InvalidInput where it cannot be asked."""
    from siltstone.assembly import asked
    from siltstone.hosts.bub.reader import SemanticReader

    if llm is None:
        return None
    if hasattr(llm, "read") and hasattr(llm, "name"):
        found: KnowledgeModel = llm
        return found
    if hasattr(llm, "complete_json"):
        completion: Completion = llm
    else:
        completion = asked(_asking(llm), model=type(llm).__name__, limit=max_tokens)
    return SemanticReader(completion)


def _asking(llm: Any) -> Callable[[str, str, int], tuple[str, bool]]:
    named = (getattr(llm, name, None) for name in ("chat_async", "chat"))
    call = next((method for method in named if callable(method)), llm)
    if not callable(call):
        raise InvalidInput(
            f"the llm {llm!r} cannot be asked; give a Completion, a function or an object with chat_async or chat"
        )
    loop = asyncio.get_running_loop()

    def ask(instructions: str, text: str, limit: int) -> tuple[str, bool]:
        try:
            answer = call(prompt=text, system_prompt=instructions, max_tokens=limit)
            if inspect.isawaitable(answer):
                answer = asyncio.run_coroutine_threadsafe(_settled(answer), loop).result()
        except Exception as error:
            raise ModelUnavailable(f"the model could not be asked: {error!r}; try again later") from error
        if not isinstance(answer, str):
            raise ModelAnswerInvalid(f"the model answered {type(answer).__name__}; give one that answers with text")
        return answer, False

    return ask


async def _settled(value: Any | Awaitable[Any]) -> Any:
    return await value if inspect.isawaitable(value) else value


def _anchor(entries: Sequence[Any]) -> str | None:
    """The name of the last anchor among the entries; None where there is none."""
    lines = [line for line in map(Line.of, entries) if line is not None]
    named = (line.payload.get("name") for line in reversed(lines) if line.kind == "anchor")
    return next((str(name) for name in named if name), None)


def _put(entities: dict[str, Entity], claim: Mapping[str, Any]) -> str:
    key = entity_key(str(claim["type"]), str(claim["name"]))
    told = dict(claim.get("attributes", {}))
    before = entities.get(key)
    metadata = {**before.metadata, **told} if before else told
    entities[key] = Entity(id=key, type=str(claim["type"]), name=str(claim["name"]), metadata=metadata)
    return key


def _resolved(end: Any, ids: Sequence[str], named: Mapping[str, str]) -> str | None:
    if isinstance(end, int):
        return ids[end] if 0 <= end < len(ids) else None
    return named.get(slug(str(end)))


def _short(entity: Entity) -> str:
    kind, _, rest = entity.id.partition(":")
    return rest if kind == entity.type and rest else entity.name


def _about(entity: Entity) -> str:
    return ", ".join(f"{name}={value}" for name, value in list(entity.metadata.items())[:3])
