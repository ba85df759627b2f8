"""Undoing what upkeep did: which merged memories are taken back, and which forgotten ones come back."""

from __future__ import annotations

from collections.abc import Sequence

from siltstone.domain.events import ENTRIES_CONSOLIDATED, ENTRIES_FORGOTTEN
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY
from siltstone.errors import InvalidInput, NotFound
from siltstone.ports.stores import Partition
from siltstone.upkeep.deduplicate import DUPLICATE
from siltstone.upkeep.forgetting import ARCHIVED, RETENTION

BY_UPKEEP = frozenset({DUPLICATE, ARCHIVED, RETENTION})


def meant(target: str, partition: Partition) -> tuple[list[str], list[str]]:
    """(merged memories to take back, forgotten ones to bring back) that the id names."""
    record = partition.get(ENTRY, target)
    if record is not None:
        return _of_memory(record)
    merged: list[str] = []
    forgotten: list[str] = []
    seen = False
    for event in partition.events():
        if event.payload.get("run") == target:
            seen = True
            merged += [event.payload["id"]] if event.kind == ENTRIES_CONSOLIDATED else []
            forgotten += event.payload["ids"] if event.kind == ENTRIES_FORGOTTEN else []
    if not seen:
        raise NotFound(f"there is no memory and no run {target!r}; see the report of: siltstone maintain --json")
    entries = partition.get_many(ENTRY, [*merged, *forgotten])
    taken = [item for item in merged if item in entries and entries[item].live]
    return taken, [item for item in forgotten if item in entries and _was_forgotten(entries[item])]


def _of_memory(record: Record) -> tuple[list[str], list[str]]:
    if record.body.get("consolidated_into") and record.body.get("level"):
        raise InvalidInput(
            f"the memory {record.id!r} was merged again, into {record.body['consolidated_into']!r}; undo that one first"
        )
    if record.live and record.body.get("level"):
        return [record.id], []
    if _was_forgotten(record):
        return [], [record.id]
    raise InvalidInput(f"upkeep did nothing to {record.id!r} that could be undone; use revive, or name a merged memory")


def _was_forgotten(record: Record) -> bool:
    return not record.live and record.body.get("forgotten_reason") in BY_UPKEEP


def restored(merged: Sequence[str], forgotten: Sequence[str], partition: Partition) -> tuple[str, ...]:
    """The memories that can be recalled again."""
    taken = partition.get_many(ENTRY, list(merged)).values()
    sources = [source for record in taken for source in record.body["sources"]]
    found = partition.get_many(ENTRY, [*sources, *forgotten])
    return tuple(memory_id for memory_id, record in found.items() if record.live)
