"""Moving a context's memories: as dicts, and whole (journal, vectors, graph) in one file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from siltstone.context import items
from siltstone.context.items import MemoryItem
from siltstone.context.options import Scoped, Storing, scope
from siltstone.domain.values import format_time
from siltstone.errors import FormatError

if TYPE_CHECKING:
    from siltstone.context.working import AgentMemory

FILE = "context.jsonl"
VECTORS = "context.vectors"


def export(store: AgentMemory, scoped: Scoped) -> dict[str, Any]:
    """Every memory that the filters let through, with ids and timestamps."""
    whose, narrow = scope("export", scoped, store.choices.user_id)
    found = [items.item(entry, whose).to_dict() for entry in store.entries(whose, narrow)]
    return {"exported_at": format_time(datetime.now(UTC)), "count": len(found), "memories": found}


def import_data(store: AgentMemory, data: Mapping[str, Any] | str, user_id: str) -> int:
    """Keep what `export` wrote under its ids and times; how many were new. One that is there is left as it is."""
    told = _parsed(data)
    new = 0
    for item in [MemoryItem.from_dict(given) for given in told["memories"]]:
        if item.memory_id is not None and store.entry(item.memory_id, user_id) is not None:
            continue
        told_metadata = {key: value for key, value in item.metadata.items() if key != "user_id"}
        given: Storing = {
            "user_id": user_id,
            "memory_id": item.memory_id,
            "timestamp": item.timestamp,
            "conversation_id": told_metadata.get("conversation_id"),
            "entities": item.entities,
            "relationships": item.relationships,
        }
        store.store(item.content, told_metadata, **given)
        new += 1
    return new


def save(store: AgentMemory, path: str | Path) -> Path:
    """Write every user's journal and vectors, and with them the graph, into one file of a folder; the file."""
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"{FILE}.new"
    with fresh.open("w", encoding="utf-8") as out:
        for user_id in store.engine.users():
            lines = store.engine.export(user_id=user_id)
            assert not isinstance(lines, int)
            for line in lines:
                out.write(json.dumps({"user": user_id, "line": line.rstrip("\n")}, ensure_ascii=False) + "\n")
    fresh.replace(folder / FILE)
    if store.vectors is not None:
        store.vectors.save(str(folder / VECTORS))
    return folder / FILE


def load(store: AgentMemory, path: str | Path) -> int:
    """Take in what `save` wrote; how many lines of journal and vectors were read. What is there already is not doubled."""
    file, lines = Path(path) / FILE, dict[str, list[str]]()
    try:
        for row in file.read_text(encoding="utf-8").splitlines():
            told = json.loads(row)
            lines.setdefault(told["user"], []).append(told["line"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{file} cannot be read: {error!r}; give the folder that save() wrote") from error
    for user_id, own in lines.items():
        with NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as part:
            part.write("\n".join(own) + "\n")
            part.flush()
            store.engine.import_(part.name, user_id=user_id)
    if store.vectors is not None and (Path(path) / VECTORS).exists():
        store.vectors.load(str(Path(path) / VECTORS))
    return sum(map(len, lines.values()))


def _parsed(data: Mapping[str, Any] | str) -> Mapping[str, Any]:
    try:
        told = json.loads(data) if isinstance(data, str) else data
    except ValueError as error:
        raise FormatError(f"{str(data)[:60]!r} is no JSON: {error}; give what export() wrote") from error
    if not isinstance(told, Mapping) or not isinstance(told.get("memories"), list):
        raise FormatError(f"{str(told)[:60]!r} has no list of memories; give what export() wrote")
    return told
