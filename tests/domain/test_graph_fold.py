"""The fold of graph events is total: what is about entries that are gone changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from siltstone.domain import events as e
from siltstone.domain import fold
from siltstone.domain.events import Event, redact
from siltstone.domain.graph import EXTRACTED, GRAPH, UNREAD, relation_key
from siltstone.domain.records import Gone, Record

NOW = datetime(2026, 5, 7, tzinfo=UTC)


def event(kind: str, seq: int = 1, /, **payload: Any) -> Event:
    return Event(user_id="ana", seq=seq, id=f"e{seq}", kind=kind, version=1, at=NOW, payload=payload)


def folded(*events: Event) -> dict[tuple[str, str], Record]:
    """The records that these events make."""
    found: dict[tuple[str, str], Record] = {}
    for each in events:
        for change in fold.apply(each, lambda kind, memory_id: found.get((kind, memory_id))):
            if isinstance(change, Gone):
                found.pop((change.kind, change.id), None)
            else:
                found[change.kind, change.id] = change
    return found


ADDED = event(e.ENTRY_ADDED, 1, id="m", text="Bob", kind="note", occurred_at="2026-05-01T00:00:00Z")
READ = event(e.GRAPH_EXTRACTED, 2, id="m", extractor="x", entities=[{"type": "person", "name": "Bob"}])
FAILED = event(e.EXTRACTION_FAILED, 3, id="m", extractor="x", reason="no JSON")


def test_readings_of_nothing_change_nothing() -> None:
    """A reading or a failure of an entry that was purged makes no record."""
    assert folded(READ, FAILED) == {}


def test_a_reading_follows_its_entry() -> None:
    """Forgotten and revived with it, gone with new words, moved with new times."""
    forgotten = event(e.ENTRIES_FORGOTTEN, 4, ids=["m"], reason="asked")
    assert not folded(ADDED, READ, forgotten)[EXTRACTED, "m"].live
    assert folded(ADDED, READ, forgotten, event(e.ENTRIES_REVIVED, 5, ids=["m"]))[EXTRACTED, "m"].live
    moved = event(e.ENTRY_UPDATED, 4, id="m", changes={"occurred_at": "2020-01-01T00:00:00Z"})
    assert folded(ADDED, READ, moved)[EXTRACTED, "m"].body["at"] == "2020-01-01T00:00:00Z"
    assert (EXTRACTED, "m") not in folded(ADDED, READ, event(e.ENTRY_UPDATED, 4, id="m", changes={"text": "Al"}))


def test_failures_are_counted_until_one_reads() -> None:
    """The record of a failure counts attempts and goes with the reading."""
    assert folded(ADDED, FAILED, event(e.EXTRACTION_FAILED, 4, **FAILED.payload))[UNREAD, "m"].body["attempts"] == 2
    assert (UNREAD, "m") not in folded(ADDED, FAILED, event(e.GRAPH_EXTRACTED, 4, id="m", extractor="x"))


def test_a_change_by_hand_is_one_record() -> None:
    """Whatever it holds, it is kept as it is."""
    changed = event(e.GRAPH_CHANGED, 1, nodes=[{"id": "a"}])
    assert folded(changed)[GRAPH, "e1"].body["nodes"] == [{"id": "a"}]


def test_a_purge_takes_what_the_entry_alone_supports() -> None:
    """Readings lose their content; of what is put by hand, only what names no other source goes."""
    assert redact(READ, frozenset({"m"})).payload == {"id": "m", "purged": True}
    nodes = [{"id": "a", "sources": ["m"]}, {"id": "b", "sources": ["m", "k"]}, {"id": "c"}]
    changed = event(e.GRAPH_CHANGED, 1, nodes=nodes)
    assert redact(changed, frozenset({"m"})).payload["nodes"] == [{"id": "b", "sources": ["k"]}, {"id": "c"}]
    assert redact(changed, frozenset({"z"})) is changed


def test_an_edge_has_the_key_of_its_parts() -> None:
    """No two edges share a key by how their parts are put together."""
    assert relation_key("a", "b", "c") != relation_key("ab", "", "c")
    assert len(relation_key("a", "b", "c")) == 32
