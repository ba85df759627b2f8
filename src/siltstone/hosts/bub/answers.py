"""What the tools and commands answer, as text. Each text of a memory is one quoted line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from siltstone.domain.values import Entry, Hit
from siltstone.errors import NotFound
from siltstone.hosts.bub.block import Note, quoted
from siltstone.hosts.bub.engine import Engine, Scope
from siltstone.hosts.bub.recall import speaks
from siltstone.hosts.bub.snapshots import SemanticStore
from siltstone.hosts.bub.turns import AGENT, TOOL, name_of
from siltstone.memory import Memory

MARK = "[memory]"
"""How every answer begins, so that it is not taken for something new when the tape is read."""
COUNTED = ("semantic_snapshots", "semantic_entities", "semantic_relations")
MOST = 50


def search(engine: Engine, scope: Scope, query: str, limit: int) -> str:
    """Hits and entities for the query, best first."""
    if not engine.is_there:
        return f"{MARK} nothing is remembered in this workspace yet"
    memory = engine.memory()
    hits = list(filter(speaks, memory.retrieve(query, user_id=scope.user, top_k=max(1, min(limit, MOST)))))
    found = memory.graph.find(query, user_id=scope.user, limit=max(1, min(limit, MOST)))
    lines = [note_line(Note(text=hit.text, date=hit.occurred_at, speaker=_speaker(hit), id=hit.id)) for hit in hits]
    lines += [f"- entity {quoted(entity.id)}: {quoted(entity.name)}" for entity, _ in found]
    title = f"{MARK} {len(hits)} memories, {len(found)} entities for {quoted(query)}, quoted as data"
    return "\n".join([title, *lines]) if lines else f"{MARK} nothing found for {quoted(query)}"


def remember(engine: Engine, scope: Scope, text: str) -> str:
    """The id under which the text is kept."""
    session = name_of(scope.session) if scope.session else None
    receipt = engine.memory().add(text, user_id=scope.user, session_id=session, agent_id=AGENT, tags=["note"])
    engine.catch_up(scope.user)
    return f"{MARK} kept as {receipt.id}"


def forget(engine: Engine, scope: Scope, memory_id: str, *, purge: bool = False) -> str:
    """What was forgotten: a memory, or an entity with its relations. Raises NotFound for an id that nothing has."""
    missing = f"there is no memory and no entity {memory_id!r} in this workspace; look with memory.search"
    if not engine.is_there:
        raise NotFound(missing)
    memory = engine.memory()
    if memory.get(memory_id, user_id=scope.user) is not None:
        memory.forget(memory_id, user_id=scope.user, purge=purge)
        return f"{MARK} forgotten: {memory_id}"
    entity = memory.graph.get(memory_id, user_id=scope.user)
    if entity is None:
        raise NotFound(missing)
    memory.graph.remove(nodes=[entity.id], user_id=scope.user)
    return f"{MARK} forgotten: entity {entity.id} and its relations"


def forget_many(engine: Engine, scope: Scope, *, session: str | None, purge: bool) -> str:
    """How many memories of the workspace, or of one of its sessions, were forgotten; with all of them the whole graph."""
    if not engine.is_there:
        return f"{MARK} nothing is remembered in this workspace yet"
    memory = engine.memory()
    if session is not None:
        gone = memory.forget(user_id=scope.user, session_id=name_of(session), purge=purge)
        return f"{MARK} forgotten: {gone.count} memories of session {quoted(session)}"
    gone = memory.forget(user_id=scope.user, all=True, purge=purge)
    left = [entity.id for entity in memory.graph.nodes(user_id=scope.user)]
    if left:
        memory.graph.remove(nodes=left, user_id=scope.user)
    return f"{MARK} forgotten: {gone.count} memories and {len(left)} entities"


def status(engine: Engine, scope: Scope) -> str:
    """What the memory of a workspace holds, in lines."""
    return "\n".join(f"{name}: {value}" for name, value in facts(engine, scope).items())


def counts(engine: Engine, scope: Scope) -> dict[str, Any]:
    """The numbers that `tape.info` shows for a tape."""
    store = SemanticStore(engine.tapes / "semantic")
    told = [store.count(scope.tape) if scope.tape else 0, 0, 0]
    if engine.is_there:
        graph = engine.memory().graph.status(user_id=scope.user)
        told[1:] = [graph.entities, graph.relations]
    return dict(zip(COUNTED, told, strict=True))


def facts(engine: Engine, scope: Scope) -> dict[str, Any]:
    """The state of a workspace's memory by name."""
    told: dict[str, Any] = {
        "workspace": scope.user,
        "store": str(engine.database),
        "extraction": engine.options.extraction,
    }
    if scope.tape:
        told["tape"] = scope.tape
    if not engine.is_there:
        return told | {"memories": 0, **counts(engine, scope), **_trouble(engine)}
    memory = engine.memory()
    stats, graph = memory.stats(user_id=scope.user), memory.graph.status(user_id=scope.user)
    told |= {"memories": stats.records.get("entry", 0), **counts(engine, scope)}
    told |= {"not read yet": graph.unread, **{f"read by {name}": count for name, count in graph.read.items()}}
    if graph.failed:
        told["could not be read"] = f"{len(graph.failed)}, e.g. {next(iter(graph.failed.values()))}"
    return told | _trouble(engine)


def listing(engine: Engine, scope: Scope, limit: int) -> Iterator[str]:
    """The newest memories, then entities and relations, as lines."""
    memory = engine.memory()
    kept = [entry for entry in _entries(memory, scope.user) if TOOL not in entry.tags]
    for entry in kept[-limit:]:
        yield note_line(Note(text=entry.text, date=entry.occurred_at, speaker=_speaker(entry), id=entry.id))
    for entity in memory.graph.nodes(user_id=scope.user)[:limit]:
        yield f"- entity {quoted(entity.id)}: {quoted(entity.name)}"
    for relation in memory.graph.edges(user_id=scope.user)[:limit]:
        yield f"- relation {quoted(relation.source)} --{quoted(relation.type)[1:-1]}--> {quoted(relation.target)}"


def note_line(note: Note) -> str:
    """One memory as a line."""
    speaker = f"{quoted(note.speaker)[1:-1]}: " if note.speaker else ""
    date = f"[{note.date:%Y-%m-%d}] " if note.date else ""
    return f"- {date}{speaker}{quoted(note.text, 1_000)} ({note.id})"


def _entries(memory: Memory, user: str) -> Iterator[Entry]:
    after = None
    while page := memory.list(user_id=user, limit=1_000, after=after):
        yield from page
        after = page[-1].id


def _speaker(item: Entry | Hit) -> str | None:
    return item.speaker or item.agent_id


def _trouble(engine: Engine) -> dict[str, str]:
    return {f"failing: {what}": why for what, why in engine.reports.open.items()}
