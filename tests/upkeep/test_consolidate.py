"""Older notes about one topic become one memory; nothing is lost, and it can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memories import ANA, texts
from moments import still
from siltstone import Memory
from siltstone.errors import InvalidInput, ModelUnavailable, NotFound
from siltstone.testing.clock import ManualClock

NOTES = [
    "The billing service runs on port 9077",
    "The billing service is deployed with Helm",
    "Ana waters the ficus on Mondays",
    "Invoices of the billing service go to Tom",
]


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def noted(clock: ManualClock, **settings: Any) -> Memory:
    """Four notes, one a day, three of them about the billing service, three days and more ago."""
    memory = still(clock, **settings)
    for text in NOTES:
        memory.add(text, user_id=ANA)
        clock.advance(timedelta(days=1))
    clock.advance(timedelta(hours=72))
    return memory


def merged(memory: Memory) -> Any:
    """Run consolidation and answer the one merged entry."""
    memory.upkeep.maintain(user_id=ANA, steps=["consolidate"])
    (entry,) = [entry for entry in memory.list(user_id=ANA) if entry.level]
    return entry


def test_notes_on_one_topic_are_merged_whole(clock: ManualClock) -> None:
    """The merged memory is a level higher, holds every word with its date, and stands in place of its sources."""
    with noted(clock) as memory:
        entry = merged(memory)
        assert entry.text.splitlines() == [
            "2026-01-01: The billing service runs on port 9077",
            "2026-01-02: The billing service is deployed with Helm",
            "2026-01-04: Invoices of the billing service go to Tom",
        ]
        assert entry.level == 1 and len(entry.sources) == 3
        assert texts(memory, "which port does the billing service use?") == [entry.text]
        assert [item.text for item in memory.list(user_id=ANA)] == [NOTES[2], entry.text]
        sources = [memory.get(source, user_id=ANA) for source in entry.sources]
        assert all(item is not None and item.consolidated_into == entry.id for item in sources)
        assert memory.replay(user_id=ANA).same


def test_it_waits_for_age_company_and_use(clock: ManualClock) -> None:
    """What is younger than the age, has too little company, or was used lately is not merged yet."""
    with noted(clock, upkeep__consolidate_min_group=4) as memory:
        assert memory.upkeep.maintain(user_id=ANA, steps=["consolidate"]).steps[0].count == 0
    with noted(clock, upkeep__consolidate_min_age_hours=200) as memory:
        assert memory.upkeep.maintain(user_id=ANA, steps=["consolidate"]).steps[0].count == 0
        clock.advance(timedelta(hours=100))
        memory.used([entry.id for entry in memory.list(user_id=ANA)][:2], user_id=ANA)
        assert memory.upkeep.maintain(user_id=ANA, steps=["consolidate"]).steps[0].count == 0
        clock.advance(timedelta(hours=200))
        assert memory.upkeep.maintain(user_id=ANA, steps=["consolidate"]).steps[0].count == 3


@pytest.mark.parametrize(
    "told", [{"agent_id": "b"}, {"session_id": "s"}, {"tags": ["x"]}, {"speaker": "Tom"}, {"invalid_at": "2030-01-01"}]
)
def test_scopes_are_never_merged(clock: ManualClock, told: dict[str, Any]) -> None:
    """A note of another agent, session, speaker, with other tags or an end is not merged with the rest."""
    with noted(clock) as memory:
        memory.update(memory.list(user_id=ANA)[0].id, user_id=ANA, **told)
        entry = merged(memory)
        assert len(entry.sources) == 2 and "9077" not in entry.text


def test_levels_grow_and_are_undone_from_the_top(clock: ManualClock) -> None:
    """A merged memory is merged again with later notes; undoing takes the top away first, and is not merged the same again."""
    with noted(clock) as memory:
        first = merged(memory)
        memory.add("The billing service moved to Frankfurt", user_id=ANA)
        clock.advance(timedelta(hours=80))
        second = merged(memory)
        assert second.level == 2 and first.id in second.sources and "9077" in second.text and "Frankfurt" in second.text
        with pytest.raises(InvalidInput, match="merged again"):
            memory.upkeep.undo(first.id, user_id=ANA)
        assert memory.upkeep.undo(second.id, user_id=ANA).removed == (second.id,)
        undone = memory.upkeep.undo(first.id, user_id=ANA)
        assert set(undone.restored) == set(first.sources)
        assert texts(memory, "billing port 9077")[0] == NOTES[0] and memory.replay(user_id=ANA).same
        with pytest.raises(NotFound):
            memory.upkeep.undo("no such thing", user_id=ANA)
        with pytest.raises(InvalidInput, match="nothing"):
            memory.upkeep.undo(first.sources[0], user_id=ANA)


@pytest.mark.parametrize("whole", [True, False])
def test_purging_reaches_what_was_merged(clock: ManualClock, whole: bool) -> None:
    """A purged note takes the merged text along and sets the others free; a purged merged one takes its sources along."""
    with noted(clock) as memory:
        entry = merged(memory)
        memory.forget(entry.id if whole else entry.sources[0], user_id=ANA, purge=True)
        left = [item.text for item in memory.list(user_id=ANA)]
        assert left == ([NOTES[2]] if whole else NOTES[1:])
        lines = "".join(memory.export(user_id=ANA))  # type: ignore[arg-type]
        assert "9077" not in lines and memory.replay(user_id=ANA).same


class Model:
    """A completion model that answers what it was given, or fails."""

    fingerprint = "model/1"

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def complete_text(self, instructions: str, text: str, limit: int) -> str:
        self.asked.append(text)
        if self.answer is None:
            raise ModelUnavailable("the model is down; try again")
        return self.answer

    def complete_json(self, instructions: str, text: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        raise NotImplementedError


GOOD = "Since 2026-01-01 billing listens on 9077; 2026-01-02: Helm deploys it; 2026-01-04: Tom gets its invoices."


@pytest.mark.parametrize(
    ("answer", "writer", "note"),
    [(GOOD, "model/1", ""), (GOOD.replace("9077", "9078"), "rules", "numbers"), (None, "rules", "the model is down")],
)
def test_a_model_words_it_and_may_lose_no_number(
    clock: ManualClock, answer: str | None, writer: str, note: str
) -> None:
    """A model's text is kept, with its name, where every number stands; else the rules' text, and the report says why."""
    with noted(clock) as memory:
        model = Model(answer)
        wordy = Memory(replace(memory.parts, completion=model))
        report = wordy.upkeep.maintain(user_id=ANA, steps=["consolidate"])
        (action,) = report.steps[0].actions
        assert action.reason.endswith(f"by {writer}") and note in report.steps[0].note and len(model.asked) == 1
        assert (action.text == answer) is (writer == "model/1")
        assert wordy.replay(user_id=ANA).same and len(model.asked) == 1


def test_a_dry_run_asks_no_model(clock: ManualClock) -> None:
    """What would be merged is told without asking or writing anything."""
    with noted(clock) as memory:
        model = Model(GOOD)
        wordy = Memory(replace(memory.parts, completion=model))
        before = wordy.fingerprint(user_id=ANA)
        assert wordy.upkeep.maintain(user_id=ANA, dry_run=True).steps[2].count == 3
        assert model.asked == [] and wordy.fingerprint(user_id=ANA) == before
