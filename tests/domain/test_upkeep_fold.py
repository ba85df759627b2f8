"""What upkeep's events make of the records, and that they are total on journals in which memories are gone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from siltstone.domain import events as e
from siltstone.domain import fold
from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Gone, Record
from siltstone.domain.upkeep_fold import PAUSE, REMEMBERED_USES, SYNONYMS, UPKEEP
from siltstone.domain.values import ENTRY

AT = datetime(2026, 5, 7, tzinfo=UTC)
MERGED: dict[str, Any] = {
    "id": "m",
    "text": "a\nb",
    "kind": "note",
    "occurred_at": "2026-05-07T00:00:00Z",
    "level": 1,
    "sources": ["a", "b"],
    "entries": ["a", "b"],
    "written_by": "rules",
    "run": "r",
}


class Journal:
    """Events folded one after the other, with the records as they stand."""

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], Record] = {}
        self.seq = 0

    def happen(self, named: str, /, **payload: Any) -> None:
        """Fold one more event."""
        self.seq += 1
        event = Event.of(Draft(id=str(self.seq), kind=named, at=AT, payload=payload), user_id="u", seq=self.seq)
        for change in fold.apply(event, lambda kind, memory_id: self.records.get((kind, memory_id))):
            if isinstance(change, Gone):
                self.records.pop((change.kind, change.id), None)
            else:
                assert change.seq == self.seq
                self.records[change.kind, change.id] = change

    def entry(self, memory_id: str) -> Record:
        """That entry."""
        return self.records[ENTRY, memory_id]


@pytest.fixture
def journal() -> Journal:
    """Two entries."""
    made = Journal()
    for name in "ab":
        made.happen(e.ENTRY_ADDED, id=name, text=name, kind="note", occurred_at="2026-05-07T00:00:00Z")
    return made


def test_uses_are_counted_and_the_latest_remembered(journal: Journal) -> None:
    """All uses count; times and turns are kept of the latest alone."""
    for n in range(REMEMBERED_USES + 5):
        journal.happen(e.MEMORIES_USED, ids=["a", "gone"], turn=str(n))
    body = journal.entry("a").body
    assert body["uses"] == REMEMBERED_USES + 5 and len(body["used"]) == REMEMBERED_USES
    assert body["used_turns"][-1] == str(REMEMBERED_USES + 4) and journal.entry("b").body.get("uses") is None


def test_merging_hides_the_sources_and_undoing_shows_them(journal: Journal) -> None:
    """Sources point to the merged entry while it stands; what was forgotten meanwhile stays forgotten."""
    journal.happen(e.ENTRIES_CONSOLIDATED, **MERGED)
    assert [journal.entry(name).live for name in "abm"] == [False, False, True]
    assert journal.entry("a").body["consolidated_into"] == "m" and "run" not in journal.entry("m").body
    journal.happen(e.ENTRY_UPDATED, id="a", changes={"tags": ["x"]})
    assert not journal.entry("a").live
    journal.happen(e.ENTRIES_FORGOTTEN, ids=["b"], reason="asked")
    journal.happen(e.CONSOLIDATIONS_UNDONE, ids=["m", "gone"])
    assert [journal.entry(name).live for name in "abm"] == [True, False, False]
    assert journal.entry("m").body["forgotten_reason"] == "undone"


def test_a_source_that_was_revived_is_left_by_undoing(journal: Journal) -> None:
    """Revival takes a source out of the merged entry for good."""
    journal.happen(e.ENTRIES_CONSOLIDATED, **MERGED)
    journal.happen(e.ENTRIES_REVIVED, ids=["a"])
    assert journal.entry("a").live and "consolidated_into" not in journal.entry("a").body


@pytest.mark.parametrize("purged", ["a", "m"])
def test_redaction_reaches_what_was_merged(journal: Journal, purged: str) -> None:
    """An event that merged a purged entry keeps nothing of it, and folds to nothing."""
    event = Event.of(Draft(id="x", kind=e.ENTRIES_CONSOLIDATED, at=AT, payload=MERGED), user_id="u", seq=9)
    plain = e.redact(event, frozenset({purged}))
    assert plain.payload == {"id": "m", "purged": True} and fold.apply(plain, lambda kind, memory_id: None) == ()


def test_tables_pauses_and_runs_are_records(journal: Journal) -> None:
    """The newest word on a synonym, a pause and a step counts; what was taken away is not live."""
    journal.happen(e.SYNONYMS_CHANGED, word="w", words=["x"], source="told")
    journal.happen(e.MEMORY_PAUSED, what=["recall", "writes"], until="2026-05-08T00:00:00Z")
    journal.happen(e.UPKEEP_FINISHED, run="r", steps={"forget": 2})
    assert journal.records[SYNONYMS, "w"].body == {"words": ["x"], "source": "told"}
    assert journal.records[UPKEEP, "forget"].body["count"] == 2
    journal.happen(e.SYNONYMS_CHANGED, word="w", words=[], source="told")
    journal.happen(e.MEMORY_RESUMED, what=["writes"])
    assert not journal.records[SYNONYMS, "w"].live and journal.records[SYNONYMS, "w"].origin == 3
    assert journal.records[PAUSE, "recall"].live and not journal.records[PAUSE, "writes"].live


def test_the_reason_of_a_forgetting_is_kept_unless_it_was_asked_for(journal: Journal) -> None:
    """Only upkeep's own reasons show on an entry, and a revival takes them away."""
    journal.happen(e.ENTRIES_FORGOTTEN, ids=["a"], reason="archived", run="r")
    journal.happen(e.ENTRIES_FORGOTTEN, ids=["b"], reason="asked")
    assert (
        journal.entry("a").body["forgotten_reason"] == "archived" and "forgotten_reason" not in journal.entry("b").body
    )
    journal.happen(e.ENTRIES_REVIVED, ids=["a"])
    assert "forgotten_reason" not in journal.entry("a").body
