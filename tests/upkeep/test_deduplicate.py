"""Which notes are duplicates, and what becomes of them."""

from __future__ import annotations

from typing import Any

import pytest

from memories import ANA, texts
from moments import still
from siltstone import Memory
from siltstone.testing.clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def kept(memory: Memory) -> list[str]:
    """The texts that can be recalled, in order of arrival."""
    return [entry.text for entry in memory.list(user_id=ANA)]


def deduplicated(clock: ManualClock, first: str, second: str, **told: Any) -> list[str]:
    """What is left of two notes; what is told is told about the second."""
    with still(clock) as memory:
        memory.add(first, user_id=ANA)
        memory.add(second, user_id=ANA, **told)
        memory.upkeep.maintain(user_id=ANA, steps=["deduplicate"])
        return kept(memory)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Prefers TypeScript with Vite", "Prefers TypeScript with Vite"),
        ("Prefers TypeScript with Vite", "User prefers TypeScript with Vite."),
        ("the user prefers typescript with vite", "Prefers TypeScript with Vite!"),
        ("She doesn't eat meat", "She does not eat meat"),
        ("likes café crème", "Likes Cafe  Creme"),
        ("喜欢在上海工作", "喜欢在上海工作。"),
        ("用户喜欢喝茶", "喜欢喝茶"),
        ("The deploy key rotates weekly", "Deploy keys rotates weekly."),
    ],
)
def test_the_same_words_are_one_memory(clock: ManualClock, older: str, newer: str) -> None:
    """Case, accents, punctuation, width, contractions and words that carry nothing make no second memory; the newest stays."""
    assert deduplicated(clock, older, newer) == [newer]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("喜欢在上海工作", "不喜欢在上海工作"),
        ("She eats meat", "She does not eat meat"),
        ("The server listens on port 9077", "The server listens on port 9078"),
        ("Upgraded idx-svc to 2.4.1", "Upgraded idx-svc to 2.4.10"),
        ("The invoice of 2026-05-07 is paid", "The invoice of 2026-05-08 is paid"),
        ("Alice manages Bob", "Bob manages Alice"),
        ("Moved from Berlin to Munich", "Moved to Berlin from Munich"),
        ("Works at Google", "Worked at Google"),
        ("Ana likes tea", "Ana's sister likes tea"),
        ("likes C++", "likes C#"),
        ("it is -5 degrees", "it is 5 degrees"),
        ("喜欢喝三杯茶", "喜欢喝四杯茶"),
        ("Only Ana eats fish", "Ana eats fish"),
    ],
)
def test_any_other_difference_is_a_difference(clock: ManualClock, first: str, second: str) -> None:
    """A negation, a number, a date, a name, a tense, another order or another word is another memory."""
    assert deduplicated(clock, first, second) == [first, second]


@pytest.mark.parametrize(
    "told",
    [
        {"agent_id": "other"},
        {"session_id": "s"},
        {"speaker": "Bob"},
        {"tags": ["x"]},
        {"metadata": {"target": "user"}},
        {"invalid_at": "2030-01-01"},
        {"role": "user"},
    ],
)
def test_another_scope_is_another_memory(clock: ManualClock, told: dict[str, Any]) -> None:
    """The same words of another agent, session, speaker, with other tags, metadata or validity stay."""
    assert deduplicated(clock, "likes tea", "likes tea", **told) == ["likes tea", "likes tea"]


def test_turns_and_pinned_notes_stay(clock: ManualClock) -> None:
    """A conversation stays as it was said, and what is pinned is left alone."""
    with still(clock) as memory:
        memory.add([{"role": "user", "content": "good morning"}] * 2, user_id=ANA, session_id="s")
        for _ in range(2):
            memory.add("keep me", user_id=ANA, tags=["pinned"])
        assert memory.upkeep.maintain(user_id=ANA, steps=["deduplicate"]).steps[0].count == 0


def test_the_same_day_in_words_is_not_the_same_day(clock: ManualClock) -> None:
    """What happened "today" on two days happened twice."""
    with still(clock) as memory:
        for day in ("2026-01-01", "2026-01-02"):
            memory.add("ran five kilometres today", user_id=ANA, occurred_at=day)
        memory.upkeep.maintain(user_id=ANA, steps=["deduplicate"])
        assert len(kept(memory)) == 2


def test_synonyms_of_the_table_are_the_same_words(clock: ManualClock) -> None:
    """What the person declared to say the same says the same."""
    with still(clock) as memory:
        memory.add("we deploy the shop on Friday", user_id=ANA)
        memory.add("we release the shop on Friday", user_id=ANA)
        assert memory.upkeep.maintain(user_id=ANA, steps=["deduplicate"]).steps[0].count == 0
        memory.upkeep.set_synonyms("release", "deploy", user_id=ANA)
        assert memory.upkeep.maintain(user_id=ANA, steps=["deduplicate"]).steps[0].count == 1


def test_a_duplicate_can_come_back(clock: ManualClock) -> None:
    """It is forgotten with the reason, named in the report and its history, brought back by undo, and replay agrees."""
    with still(clock) as memory:
        older = memory.add("likes tea", user_id=ANA).id
        newer = memory.add("Likes tea!", user_id=ANA).id
        dry = memory.upkeep.maintain(user_id=ANA, dry_run=True)
        assert [a.ids for step in dry.steps for a in step.actions if step.name == "deduplicate"] == [(older,)]
        assert len(kept(memory)) == 2
        report = memory.upkeep.maintain(user_id=ANA)
        entry = memory.get(older, user_id=ANA)
        assert entry is not None and entry.forgotten_reason == "duplicate" and texts(memory, "tea") == ["Likes tea!"]
        assert memory.history(older, user_id=ANA)[-1].payload["kept"] == newer
        assert memory.upkeep.undo(report.run, user_id=ANA).restored == (older,)
        assert len(kept(memory)) == 2 and memory.replay(user_id=ANA).same
        memory.upkeep.maintain(user_id=ANA)
        assert memory.upkeep.undo(older, user_id=ANA).restored == (older,)


def test_what_is_told_again_is_found_again(clock: ManualClock) -> None:
    """A text that was forgotten, or no longer holds, is findable once it is told anew, and upkeep leaves it so."""
    with still(clock) as memory:
        first = memory.add("lives in Lisbon", user_id=ANA).id
        memory.forget(first, user_id=ANA)
        assert texts(memory, "Lisbon") == []
        memory.add("lives in Lisbon", user_id=ANA)
        memory.add("rents in Porto", user_id=ANA, invalid_at=clock.now())
        assert texts(memory, "Porto") == []
        memory.add("rents in Porto", user_id=ANA)
        memory.add("studies in Braga", user_id=ANA, invalid_at="2030-01-01")
        memory.upkeep.maintain(user_id=ANA)
        assert [texts(memory, place) for place in ("Lisbon", "Porto", "Braga")] == [
            ["lives in Lisbon"],
            ["rents in Porto"],
            ["studies in Braga"],
        ]
