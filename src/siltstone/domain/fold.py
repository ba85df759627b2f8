"""The fold: one event and the records it touches → the records as they stand after it. Pure, and total on old journals.

An event about a memory that is not there (purged since) changes nothing: replay after a purge must still run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from siltstone.domain import belief_fold, graph_fold, upkeep_fold
from siltstone.domain import events as e
from siltstone.domain.events import Event
from siltstone.domain.records import Get, Gone, Record
from siltstone.domain.values import ENTRY, SOURCE, format_time

Changes = tuple[Record | Gone, ...]


def apply(event: Event, get: Get) -> Changes:
    """The records that `event` changes, as they are afterwards. `get` reads the state before it."""
    fold = FOLDS.get(event.kind)
    return () if fold is None or event.payload.get("purged") else fold(event, get)


def _entry_added(event: Event, get: Get) -> Changes:
    body = dict(event.payload) | {"recorded_at": format_time(event.at)}
    entry = Record(kind=ENTRY, id=body["id"], seq=event.seq, origin=event.seq, body=body)
    return (entry, *belief_fold.pending(event, get))


def _entry_updated(event: Event, get: Get) -> Changes:
    changes, memory_id = event.payload["changes"], event.payload["id"]
    formed = belief_fold.reopened(event, get, memory_id) if "text" in changes else ()
    return (*_revised(event, get, memory_id, changes), *formed, *graph_fold.revised(event, get, memory_id, changes))


def _entries_forgotten(event: Event, get: Get) -> Changes:
    forgotten = {"forgotten_at": format_time(event.at), "forgotten_reason": event.payload.get("reason")}
    forgotten = {key: value for key, value in forgotten.items() if value not in (None, "asked")}
    found = (get(ENTRY, memory_id) for memory_id in event.payload["ids"])
    entries = tuple(
        replace(record, seq=event.seq, live=False, body={**record.body, **forgotten})
        for record in found
        if record is not None
    )
    return (*entries, *_withdrawn(event, get, found=False))


def _entries_revived(event: Event, get: Get) -> Changes:
    entries = tuple(
        change
        for memory_id in event.payload["ids"]
        for change in _revised(event, get, memory_id, dict.fromkeys(upkeep_fold.HIDING))
    )
    return (*entries, *_withdrawn(event, get, found=True))


def _withdrawn(event: Event, get: Get, *, found: bool) -> Changes:
    """What follows from entries that are forgotten (`found` False) or revived."""
    ids = event.payload["ids"]
    return (*belief_fold.withdrawn(event, get, ids, found=found), *graph_fold.withdrawn(event, get, ids, found=found))


def _entries_purged(event: Event, get: Get) -> Changes:
    return tuple(Gone(kind=ENTRY, id=memory_id) for memory_id in event.payload["ids"])


def _feedback_given(event: Event, get: Get) -> Changes:
    record = get(ENTRY, event.payload["id"])
    if record is None:
        return ()
    given = record.body.get("feedback", 0.0) + event.payload["value"]
    turns = [*record.body.get("feedback_turns", ()), *filter(None, [event.payload.get("turn")])]
    return (replace(record, seq=event.seq, body={**record.body, "feedback": given, "feedback_turns": turns}),)


def _source_read(event: Event, get: Get) -> Changes:
    source, before = event.payload["source"], get(SOURCE, event.payload["source"])
    origin = event.seq if before is None else before.origin
    return (Record(kind=SOURCE, id=source, seq=event.seq, origin=origin, body={"mark": event.payload["mark"]}),)


def _revised(event: Event, get: Get, memory_id: str, changes: dict[str, Any]) -> Changes:
    record = get(ENTRY, memory_id)
    if record is None:
        return ()
    body = {key: value for key, value in {**record.body, **changes}.items() if value is not None}
    if "text" in changes:
        body["revision"] = record.body.get("revision", 1) + 1
    return (replace(record, seq=event.seq, live=upkeep_fold.is_live(body), body=body),)


FOLDS: dict[str, Callable[[Event, Get], Changes]] = {
    e.ENTRY_ADDED: _entry_added,
    e.ENTRY_UPDATED: _entry_updated,
    e.ENTRIES_FORGOTTEN: _entries_forgotten,
    e.ENTRIES_REVIVED: _entries_revived,
    e.ENTRIES_PURGED: _entries_purged,
    e.FEEDBACK_GIVEN: _feedback_given,
    e.SOURCE_READ: _source_read,
    **belief_fold.FOLDS,
    **upkeep_fold.FOLDS,
    **graph_fold.FOLDS,
}
