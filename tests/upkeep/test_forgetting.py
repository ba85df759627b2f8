"""What upkeep forgets by itself, what it never does, and the grace in between."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memories import ANA, texts
from moments import still
from siltstone import Memory
from siltstone.testing.clock import ManualClock

FORGET = {"upkeep__forget_dry_run": False}


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def forgotten(memory: Memory, **more: Any) -> set[str]:
    """Run forgetting and answer the texts that it is about."""
    report = memory.upkeep.maintain(user_id=ANA, steps=["forget"], **more)
    return {
        entry.text
        for step in report.steps
        for action in step.actions
        for entry in [memory.get(memory_id, user_id=ANA) for memory_id in action.ids]
        if entry is not None
    }


def test_only_what_nobody_needs_is_forgotten(clock: ManualClock) -> None:
    """Old, calm, without good feedback, unused and off every topic: all of it must hold."""
    with still(clock, **FORGET) as memory:
        memory.add("the printer is on the third floor", user_id=ANA)
        memory.add("my daughter was born, absolutely wonderful!!", user_id=ANA)
        useful = memory.add("the alarm is behind the door", user_id=ANA).id
        memory.add("the safe is under the stairs", user_id=ANA, tags=["pinned"])
        used = memory.add("the spare key hangs in the shed", user_id=ANA).id
        memory.feedback(useful, user_id=ANA, useful=True)
        clock.advance(timedelta(days=29))
        assert forgotten(memory) == set()
        memory.used(used, user_id=ANA)
        clock.advance(timedelta(days=2))
        memory.add("the cable is new", user_id=ANA)
        assert forgotten(memory) == {"the printer is on the third floor"}
        assert texts(memory, "printer floor") == []


def test_a_topic_of_the_day_keeps_what_belongs_to_it(clock: ManualClock) -> None:
    """What is old stays while people keep coming back to what it is about."""
    with still(clock, **FORGET) as memory:
        memory.add("the sailing boat is called Wanda", user_id=ANA)
        clock.advance(timedelta(days=40))
        memory.add(["sailing boat paint", "sailing boat engine", "sailing boat race"], user_id=ANA)
        assert forgotten(memory) == set()


def test_evidence_of_beliefs_stays(clock: ManualClock) -> None:
    """A turn that a belief was formed from is not forgotten under it."""
    with still(clock, **FORGET) as memory:
        memory.process("I quit smoking", user_id=ANA)
        clock.advance(timedelta(days=400))
        assert forgotten(memory) == set()


def test_forgetting_only_tells_until_it_is_told_to(clock: ManualClock) -> None:
    """By default forgetting says what it would do and does nothing, in a run that does the rest."""
    with still(clock) as memory:
        memory.add("the printer is on the third floor", user_id=ANA)
        clock.advance(timedelta(days=31))
        before = memory.stats(user_id=ANA).events
        assert forgotten(memory) == {"the printer is on the third floor"} and texts(memory, "printer")
        report = memory.upkeep.maintain(user_id=ANA, steps=["forget"])
        assert not report.steps[0].done and memory.stats(user_id=ANA).events <= before + 2


def test_archive_grace_and_erasure(clock: ManualClock) -> None:
    """What is archived comes back until the grace is over; then its bytes are gone. What a person forgot is not touched."""
    with still(clock, **FORGET, upkeep__grace_days=10) as memory:
        mine = memory.add("zanzibar trip notes", user_id=ANA).id
        memory.add("the printer is on the third floor", user_id=ANA)
        memory.forget(mine, user_id=ANA)
        clock.advance(timedelta(days=31))
        report = memory.upkeep.maintain(user_id=ANA)
        (archived,) = report.steps[3].actions[0].ids
        clock.advance(timedelta(days=9))
        assert memory.upkeep.maintain(user_id=ANA).steps[0].count == 0
        assert memory.upkeep.undo(report.run, user_id=ANA).restored == (archived,)
        memory.upkeep.maintain(user_id=ANA)
        clock.advance(timedelta(days=10))
        assert memory.upkeep.maintain(user_id=ANA, dry_run=True).steps[0].count == 1
        assert memory.get(archived, user_id=ANA) is not None
        assert memory.upkeep.maintain(user_id=ANA).steps[0].count == 1
        lines = "".join(memory.export(user_id=ANA))  # type: ignore[arg-type]
        assert "printer" not in lines and "zanzibar" in lines and memory.replay(user_id=ANA).same


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({}, ["note 0", "note 1", "note 2", "note 3"]),
        ({"upkeep__retention_days": 25}, ["note 0", "note 2", "note 3"]),
        ({"upkeep__max_memories": 2}, ["note 0", "note 3"]),
        ({"upkeep__retention_days": 25, "upkeep__max_memories": 3}, ["note 0", "note 2", "note 3"]),
    ],
)
def test_retention_by_age_and_by_count(clock: ManualClock, settings: dict[str, Any], left: list[str]) -> None:
    """Off by default; the oldest go first, what is pinned stays, and all of it can be undone."""
    with still(clock, **settings) as memory:
        for n in range(4):
            memory.add(f"note {n}", user_id=ANA, tags=["pinned"] if n == 0 else [])
            clock.advance(timedelta(days=10))
        report = memory.upkeep.maintain(user_id=ANA, steps=["retain"])
        assert [entry.text for entry in memory.list(user_id=ANA)] == left
        assert {entry.forgotten_reason for entry in memory.list(user_id=ANA, forgotten=True)} <= {None, "retention"}
        if len(left) < 4:
            memory.upkeep.undo(report.run, user_id=ANA)
        assert len(memory.list(user_id=ANA)) == 4 and memory.replay(user_id=ANA).same
