"""What is not asked: small talk, short queries, patterns of the user; and what is paused."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from memories import ANA, BOB, texts
from moments import still
from siltstone import Memory
from siltstone.errors import InvalidInput, MemoryPaused
from siltstone.testing.clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def test_a_host_asks_no_small_talk_and_nothing_short(clock: ManualClock) -> None:
    """In the profile for hosts reactions and single letters are skipped, with the reason; one Chinese character is asked."""
    with still(clock, profile="host") as memory:
        memory.add(["ok x thanks 茶", "喜欢喝茶"], user_id=ANA)
        for query, reason in (("ok thanks", "small talk"), ("好的", "small talk"), ("x", "shorter than 2")):
            recall = memory.retrieve(query, user_id=ANA)
            assert not recall and reason in recall.trace["skipped"]
        assert "喜欢喝茶" in texts(memory, "茶")
    with still(clock) as memory:
        memory.add("ok x thanks", user_id=ANA)
        assert texts(memory, "ok") == texts(memory, "x") == ["ok x thanks"]


def test_patterns_skip_whole_queries(clock: ManualClock, tmp_path: Path) -> None:
    """A line skips the query that it is, whatever case, marks and width; * stands for any text; a change counts at once."""
    file = tmp_path / "skip.txt"
    file.write_text("# comments\nGo On\nrun *  # all of them\n继续吧\n", "utf-8")
    with still(clock, guard__patterns_file=str(file)) as memory:
        memory.add("go on run tests 继续吧 please", user_id=ANA)
        for query in ("go on", "GO  ON!", "run the tests", "继续吧。"):
            assert "pattern" in memory.retrieve(query, user_id=ANA).trace["skipped"]
        assert texts(memory, "go on please") and texts(memory, "rerun tests")
        file.write_text("please and nothing else\n", "utf-8")
        assert texts(memory, "go on")


def test_a_patterns_file_that_is_not_there_is_said(clock: ManualClock, tmp_path: Path) -> None:
    """The question is asked all the same, and the answer says what is wrong."""
    with still(clock, guard__patterns_file=str(tmp_path / "none.txt")) as memory:
        memory.add("likes tea", user_id=ANA)
        recall = memory.retrieve("tea", user_id=ANA)
        assert len(recall) == 1 and recall.degraded[0].part == "guard" and "none.txt" in recall.degraded[0].reason


def test_a_paused_recall_is_empty_and_says_so(clock: ManualClock) -> None:
    """Until the pause ends by itself or is ended, nothing is recalled; writes and other users go on."""
    with still(clock) as memory:
        for user_id in (ANA, BOB):
            memory.add("likes tea", user_id=user_id)
        end = memory.pause(user_id=ANA, seconds=60)
        assert end == clock.now() + timedelta(seconds=60)
        recall = memory.retrieve("tea", user_id=ANA)
        assert not recall and recall.degraded[0].part == "recall" and "resume" in recall.degraded[0].remedy
        assert texts(memory, "tea", BOB) and memory.add("likes mate", user_id=ANA).created
        clock.advance(timedelta(seconds=60))
        assert texts(memory, "tea") == ["likes tea"] and memory.upkeep.paused(user_id=ANA) == {}
        memory.pause(user_id=ANA, seconds=60)
        memory.resume(user_id=ANA)
        assert texts(memory, "tea") == ["likes tea"] and memory.replay(user_id=ANA).same


def test_paused_writes_are_refused_and_forgetting_is_not(clock: ManualClock) -> None:
    """No write is kept or lost unseen while writes are paused; a person can still have memories forgotten."""
    with still(clock) as memory:
        memory_id = memory.add("likes tea", user_id=ANA).id
        memory.pause(user_id=ANA, seconds=60, what="both")
        for write in (
            lambda: memory.add("x", user_id=ANA),
            lambda: memory.process("x", user_id=ANA),
            lambda: memory.update(memory_id, user_id=ANA, text="x"),
            lambda: memory.feedback(memory_id, user_id=ANA, useful=True),
            lambda: memory.used(memory_id, user_id=ANA),
            lambda: memory.upkeep.set_synonyms("x", "y", user_id=ANA),
        ):
            with pytest.raises(MemoryPaused, match="resume"):
                write()
        assert memory.upkeep.maintain(user_id=ANA).skipped and memory.upkeep.maintain(user_id=ANA, dry_run=True).steps
        assert memory.upkeep.paused(user_id=ANA).keys() == {"recall", "writes"}
        memory.forget(memory_id, user_id=ANA, purge=True)
        memory.resume(user_id=ANA, what="writes")
        assert memory.add("x", user_id=ANA).created and not memory.retrieve("x", user_id=ANA)


@pytest.mark.parametrize("seconds", [0, -1, 1e9, True, "60", float("nan")])
def test_a_pause_needs_an_end(memory: Memory, seconds: float) -> None:
    """A pause that never ends, or has no length, is an error; so is one of nothing known."""
    with pytest.raises(InvalidInput, match="seconds"):
        memory.pause(user_id=ANA, seconds=seconds)
    with pytest.raises(InvalidInput, match="did you mean 'writes'"):
        memory.pause(user_id=ANA, seconds=5, what="write")
