"""The fold of graph events: each becomes one record, and follows its entry where that is forgotten, revived or reworded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from siltstone.domain import events as e
from siltstone.domain.events import Event
from siltstone.domain.graph import EXTRACTED, GRAPH, UNREAD
from siltstone.domain.records import Get, Gone, Record
from siltstone.domain.values import ENTRY, format_time

Changes = tuple[Record | Gone, ...]
TIMED = ("occurred_at", "valid_from", "invalid_at")


def withdrawn(event: Event, get: Get, entry_ids: Iterable[str], *, found: bool) -> Changes:
    """What was read out of entries follows them when they are forgotten (`found` False) or revived."""
    records = (get(EXTRACTED, entry_id) for entry_id in entry_ids)
    return tuple(replace(record, seq=event.seq, live=found) for record in records if record is not None)


def revised(event: Event, get: Get, entry_id: str, changes: Mapping[str, Any]) -> Changes:
    """New words of an entry make it unread; new times move what was read out of it."""
    record = get(EXTRACTED, entry_id)
    if "text" in changes:
        kinds = [EXTRACTED] if record is not None else []
        kinds += [UNREAD] if get(UNREAD, entry_id) is not None else []
        return tuple(Gone(kind=kind, id=entry_id) for kind in kinds)
    entry = get(ENTRY, entry_id)
    if record is None or entry is None or not any(name in changes for name in TIMED):
        return ()
    return (replace(record, seq=event.seq, body={**record.body, **_times({**entry.body, **changes})}),)


def _graph_extracted(event: Event, get: Get) -> Changes:
    payload, entry_id = event.payload, event.payload["id"]
    entry = get(ENTRY, entry_id)
    if entry is None:
        return ()
    body = {key: payload[key] for key in ("extractor", "entities", "relations") if payload.get(key)}
    revision = entry.body.get("revision", 1)
    body |= {"recorded_at": format_time(event.at), "revision": revision, **_times(entry.body)}
    record = Record(kind=EXTRACTED, id=entry_id, seq=event.seq, origin=event.seq, body=body, live=entry.live)
    waited = (Gone(kind=UNREAD, id=entry_id),) if get(UNREAD, entry_id) is not None else ()
    return (record, *waited)


def _extraction_failed(event: Event, get: Get) -> Changes:
    entry_id = event.payload["id"]
    if get(ENTRY, entry_id) is None:
        return ()
    before = get(UNREAD, entry_id)
    attempts = 1 if before is None else before.body["attempts"] + 1
    body = {"reason": event.payload["reason"], "extractor": event.payload["extractor"], "attempts": attempts}
    origin = event.seq if before is None else before.origin
    return (Record(kind=UNREAD, id=entry_id, seq=event.seq, origin=origin, body=body, live=False),)


def _kept(event: Event, get: Get) -> Changes:
    body = {**event.payload, "event": event.kind, "recorded_at": format_time(event.at)}
    return (Record(kind=GRAPH, id=event.id, seq=event.seq, origin=event.seq, body=body, live=False),)


def _times(entry: Mapping[str, Any]) -> dict[str, Any]:
    """When what an entry says began to hold, and until when; None takes the second away."""
    return {"at": entry.get("valid_from") or entry["occurred_at"], "until": entry.get("invalid_at")}


FOLDS: dict[str, Callable[[Event, Get], Changes]] = {
    e.GRAPH_EXTRACTED: _graph_extracted,
    e.EXTRACTION_FAILED: _extraction_failed,
    e.GRAPH_CHANGED: _kept,
    e.ENTITIES_MERGED: _kept,
    e.ENTITIES_SPLIT: _kept,
}
