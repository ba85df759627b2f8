"""The run of upkeep as a whole: its report, its time, its schedule; and synonyms that it discovers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memories import ANA, BOB
from moments import still
from siltstone import Memory
from siltstone.errors import InvalidInput
from siltstone.testing.clock import ManualClock

STEPS = ("erase", "deduplicate", "consolidate", "forget", "retain", "synonyms")


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def test_a_run_reports_every_step(clock: ManualClock) -> None:
    """The steps come in their order with what they did; an unknown one is an error that names the nearest."""
    with still(clock) as memory:
        memory.add("likes tea", user_id=ANA)
        report = memory.upkeep.maintain(user_id=ANA)
        assert tuple(step.name for step in report.steps) == STEPS and report.unfinished == () and not report.dry_run
        named = memory.upkeep.maintain(user_id=ANA, steps=["forget", "erase"])
        assert [step.name for step in named.steps] == ["erase", "forget"]
        with pytest.raises(InvalidInput, match="did you mean 'forget'"):
            memory.upkeep.maintain(user_id=ANA, steps=["forgett"])
        with pytest.raises(InvalidInput, match="budget_seconds"):
            memory.upkeep.maintain(user_id=ANA, budget_seconds=-1)


def test_a_dry_run_changes_nothing(clock: ManualClock) -> None:
    """Neither memories nor the schedule change."""
    with still(clock) as memory:
        memory.add(["likes tea"] * 3, user_id=ANA)
        before = memory.fingerprint(user_id=ANA)
        assert memory.upkeep.maintain(user_id=ANA, dry_run=True).steps[1].count == 2
        assert memory.fingerprint(user_id=ANA) == before and memory.upkeep.due(user_id=ANA) == STEPS


def test_the_schedule_says_what_is_due(clock: ManualClock) -> None:
    """Each step is due after its own time, for each user by itself."""
    with still(clock) as memory:
        for user_id in (ANA, BOB):
            memory.add("likes tea", user_id=user_id)
        assert memory.upkeep.due(user_id=ANA) == STEPS
        memory.upkeep.maintain(user_id=ANA, steps=memory.upkeep.due(user_id=ANA))
        assert memory.upkeep.due(user_id=ANA) == () and memory.upkeep.due(user_id=BOB) == STEPS
        clock.advance(timedelta(hours=1))
        assert memory.upkeep.due(user_id=ANA) == ("deduplicate",)
        clock.advance(timedelta(hours=1))
        assert memory.upkeep.due(user_id=ANA) == STEPS[:-1]
        clock.advance(timedelta(hours=6))
        assert memory.upkeep.due(user_id=ANA) == STEPS and memory.replay(user_id=ANA).same


def test_without_time_nothing_is_begun(clock: ManualClock) -> None:
    """A run whose time is up says which steps are left, and they stay due."""
    with still(clock) as memory:
        memory.add(["likes tea"] * 3, user_id=ANA)
        report = memory.upkeep.maintain(user_id=ANA, budget_seconds=0)
        assert report.steps == () and report.unfinished == STEPS and memory.upkeep.due(user_id=ANA) == STEPS
        assert memory.upkeep.maintain(user_id=ANA, budget_seconds=600).unfinished == ()


def talk(memory: Memory) -> None:
    """Words in and out of each other's company: car and automobile say the same, month and birthday only meet."""
    for n in range(16):
        part = ("engine", "tyres", "garage", "brakes")[n % 4]
        memory.add(f"the car {part} needs repair, the automobile {part} is old", user_id=ANA)
        memory.add(f"my birthday is in this month, guest {n} comes", user_id=ANA)
    for n in range(6):
        part = ("engine", "tyres", "garage", "brakes")[n % 4]
        memory.add(f"the car {part} makes noise", user_id=ANA)
        memory.add(f"the automobile {part} makes noise", user_id=ANA)
        memory.add(f"a birthday cake with candle {n}", user_id=ANA)
        memory.add(f"the rent of the month is paid {n}", user_id=ANA)


def test_words_that_only_meet_are_no_synonyms(clock: ManualClock) -> None:
    """A pair is suggested for what it says apart, with its evidence; the person decides."""
    with still(clock) as memory:
        talk(memory)
        pairs = {frozenset((item.word, item.other)): item for item in memory.upkeep.discover_synonyms(user_id=ANA)}
        found = pairs[frozenset(("car", "automobile"))]
        assert found.kind == "together" and found.jaccard >= 0.5 and found.together >= 3 and found.likeness >= 0.5
        assert frozenset(("month", "birthday")) not in pairs and memory.upkeep.synonyms(user_id=ANA) == {}
        memory.upkeep.accept_synonyms("car", "automobile", user_id=ANA)
        again = {frozenset((item.word, item.other)) for item in memory.upkeep.discover_synonyms(user_id=ANA)}
        assert frozenset(("car", "automobile")) not in again


@pytest.mark.parametrize(
    "settings", [{"synonyms__min_frequency": 40}, {"synonyms__min_jaccard": 0.9}, {"synonyms__min_together": 30}]
)
def test_each_threshold_of_discovery_counts(clock: ManualClock, settings: dict[str, float]) -> None:
    """Raising the least frequency, Jaccard or company takes the suggestion away."""
    with still(clock, **settings) as memory:
        talk(memory)
        pairs = {frozenset((item.word, item.other)) for item in memory.upkeep.discover_synonyms(user_id=ANA)}
        assert frozenset(("car", "automobile")) not in pairs


@pytest.mark.parametrize("automatic", [True, False])
def test_only_the_automatic_mode_accepts(clock: ManualClock, automatic: bool) -> None:
    """A run suggests; with the automatic mode it also accepts the surest pairs."""
    with still(clock, synonyms__automatic=automatic) as memory:
        talk(memory)
        report = memory.upkeep.maintain(user_id=ANA, steps=["synonyms"])
        assert any("car" in action.text and "automobile" in action.text for action in report.steps[0].actions)
        table = memory.upkeep.synonyms(user_id=ANA)
        assert bool(table) is automatic and ("birthday" not in str(table))
