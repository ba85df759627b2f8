"""The fold of what keeps a memory in order: uses, synonyms, pauses, merged entries, the runs of upkeep.

A synonym or pause that was taken away stays as a record that is not live, so that indexes in use see it go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from siltstone.domain import events as e
from siltstone.domain.events import Event
from siltstone.domain.records import Get, Gone, Record
from siltstone.domain.values import ENTRY, format_time

Changes = tuple[Record | Gone, ...]

SYNONYMS, PAUSE, UPKEEP = "synonyms", "pause", "upkeep"
RECALL, WRITES = "recall", "writes"
REMEMBERED_USES = 20
"""The latest uses of a memory that are known by time and turn; `uses` counts all."""
HIDING = ("forgotten_at", "forgotten_reason", "consolidated_into")
"""What a revival takes away from an entry."""


def is_live(body: Mapping[str, Any]) -> bool:
    """Whether an entry may be recalled: neither forgotten nor merged into another."""
    return "forgotten_at" not in body and "consolidated_into" not in body


def _memories_used(event: Event, get: Get) -> Changes:
    found = (get(ENTRY, memory_id) for memory_id in event.payload["ids"])
    return tuple(_used(record, event) for record in found if record is not None)


def _used(record: Record, event: Event) -> Record:
    turn, body = event.payload.get("turn"), record.body
    times = [*body.get("used", ()), format_time(event.at)][-REMEMBERED_USES:]
    turns = [*body.get("used_turns", ()), *([] if turn is None else [turn])][-REMEMBERED_USES:]
    return replace(
        record, seq=event.seq, body={**body, "uses": body.get("uses", 0) + 1, "used": times, "used_turns": turns}
    )


def _synonyms_changed(event: Event, get: Get) -> Changes:
    word, words = event.payload["word"], list(event.payload["words"])
    record = _put(event, get, SYNONYMS, word, {"words": words, "source": event.payload["source"]})
    return (replace(record, live=bool(words)),)


def _memory_paused(event: Event, get: Get) -> Changes:
    return tuple(_put(event, get, PAUSE, what, {"until": event.payload["until"]}) for what in event.payload["what"])


def _memory_resumed(event: Event, get: Get) -> Changes:
    found = (get(PAUSE, what) for what in event.payload["what"])
    return tuple(replace(record, seq=event.seq, live=False) for record in found if record is not None)


def _entries_consolidated(event: Event, get: Get) -> Changes:
    payload = event.payload
    body = {key: value for key, value in payload.items() if key != "run"} | {"recorded_at": format_time(event.at)}
    merged = Record(kind=ENTRY, id=payload["id"], seq=event.seq, origin=event.seq, body=body)
    return (merged, *_changed(event, get, payload["sources"], {"consolidated_into": payload["id"]}))


def _consolidations_undone(event: Event, get: Get) -> Changes:
    changes: list[Record | Gone] = []
    for memory_id in event.payload["ids"]:
        merged = get(ENTRY, memory_id)
        if merged is not None:
            undone = {"forgotten_at": format_time(event.at), "forgotten_reason": "undone"}
            changes += _changed(event, get, [memory_id], undone)
            held = [source for source in merged.body["sources"] if _is_in(get(ENTRY, source), memory_id)]
            changes += _changed(event, get, held, {"consolidated_into": None})
    return tuple(changes)


def _upkeep_finished(event: Event, get: Get) -> Changes:
    at = format_time(event.at)
    steps: Mapping[str, int] = event.payload["steps"]
    return tuple(_put(event, get, UPKEEP, name, {"at": at, "count": count}) for name, count in steps.items())


def _is_in(record: Record | None, merged_id: str) -> bool:
    return record is not None and record.body.get("consolidated_into") == merged_id


def _changed(event: Event, get: Get, ids: list[str], changes: Mapping[str, Any]) -> Changes:
    """The entries with some keys of their bodies changed; None takes a key away."""
    found = []
    for record in (get(ENTRY, memory_id) for memory_id in ids):
        if record is not None:
            body = {key: value for key, value in {**record.body, **changes}.items() if value is not None}
            found.append(replace(record, seq=event.seq, body=body, live=is_live(body)))
    return tuple(found)


def _put(event: Event, get: Get, kind: str, memory_id: str, body: Mapping[str, Any]) -> Record:
    old = get(kind, memory_id)
    return Record(kind=kind, id=memory_id, seq=event.seq, origin=event.seq if old is None else old.origin, body=body)


FOLDS: dict[str, Callable[[Event, Get], Changes]] = {
    e.MEMORIES_USED: _memories_used,
    e.SYNONYMS_CHANGED: _synonyms_changed,
    e.MEMORY_PAUSED: _memory_paused,
    e.MEMORY_RESUMED: _memory_resumed,
    e.ENTRIES_CONSOLIDATED: _entries_consolidated,
    e.CONSOLIDATIONS_UNDONE: _consolidations_undone,
    e.UPKEEP_FINISHED: _upkeep_finished,
}
