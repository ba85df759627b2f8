"""Who is asked what, and what is counted, when questions go to the wrong conversation."""

from __future__ import annotations

import argparse
from pathlib import Path

import abstention
import pytest
from abstention import Asking
from locomo_data import Question, Sample, load

GOLD = frozenset({"D1:1"})


def sample(name: str) -> Sample:
    """A conversation with one question."""
    question = Question(key=f"{name}/0", text="?", category=1, gold=GOLD)
    return Sample(id=name, turns=(), dates={}, questions=(question,))


def asking(half: str, gold: frozenset[str], sure: float, *hits: str) -> Asking:
    """An asking with that confidence and these hits."""
    return Asking(half=half, gold=gold, hits=hits, sure=sure)


ASKED = [
    asking("tuning", GOLD, 0.8, "D1:2", "D1:1"),
    asking("tuning", frozenset(), 0.4, "D9:9"),
    asking("held", GOLD, 0.0),
    asking("held", frozenset(), 0.0),
    asking("held", GOLD, 0.3, "D1:1"),
    asking("held", frozenset(), 0.6, "D9:1", "D9:2"),
]


def test_the_next_conversation_is_asked_too() -> None:
    """A question goes to its own conversation and to the next one in id order, the last one's to the first."""
    samples = [sample(name) for name in ("c", "a", "b")]
    asked = [(question.key, name) for _, question, name in abstention.pairs(samples, False)]
    assert asked == [("c/0", "c"), ("c/0", "a"), ("a/0", "a"), ("a/0", "b"), ("b/0", "b"), ("b/0", "c")]


def test_all_others_are_asked_on_demand() -> None:
    """With all conversations asked, a question goes to each exactly once."""
    samples = [sample(name) for name in ("a", "b", "c")]
    asked = [name for _, question, name in abstention.pairs(samples, True) if question.key == "b/0"]
    assert asked == ["b", "c", "a"]


def test_only_the_own_conversation_has_gold() -> None:
    """Turn ids repeat between conversations, and a hit in a wrong one finds nothing."""
    asked = abstention.askings([sample("a"), sample("b")], lambda question, name: (["D1:1"], 1.0), False)
    assert [(a.right, a.found()) for a in asked] == [(True, True), (False, False)] * 2


@pytest.mark.parametrize(
    ("floor", "wrong", "right", "found"),
    [(0.0, 2 / 3, 1 / 3, 2 / 3), (0.45, 1 / 3, 2 / 3, 1 / 3), (0.7, 0.0, 2 / 3, 1 / 3), (0.9, 0.0, 1.0, 0.0)],
)
def test_shares_are_counted_by_hand(floor: float, wrong: float, right: float, found: float) -> None:
    """A floor silences askings below it; wrong ones count when they have hits, right ones when they have none."""
    row = abstention.shares(ASKED, floor)
    assert (row["n"], row["n_wrong"]) == (3, 3)
    assert (row["wrong_answered"], row["right_unanswered"]) == (pytest.approx(wrong), pytest.approx(right))
    assert row["any@10"] == pytest.approx(found)


def test_the_summary_subtracts_the_floor_from_the_open_run() -> None:
    """The loss is the open run's recall less that with the floor, in each half."""
    floored = [asking(a.half, a.gold, a.sure, *(a.hits if a.sure >= 0.45 else ())) for a in ASKED]
    result = abstention.summary(floored, ASKED, ASKED)
    assert result["ours"]["all"]["loss"] == pytest.approx(1 / 3)
    assert (result["ours"]["tuning"]["loss"], result["ours"]["held"]["loss"]) == (0, pytest.approx(1 / 2))
    assert result["bm25"]["all"]["wrong_answered"] == pytest.approx(2 / 3)
    assert result["reached"] is False


def test_the_curve_reads_its_floors_off_the_tuning_half() -> None:
    """Each floor lets at most its share of the tuning half's wrong askings through, whatever the held half does."""
    wrong = [asking("tuning", frozenset(), n / 100, "x") for n in range(100)]
    right = [asking("tuning", GOLD, n / 100, "D1:1") for n in range(100)]
    held = [asking("held", gold, 1.0, "x") for gold in (GOLD, frozenset())]
    points = abstention.curve([*wrong, *right, *held])
    for share, point in zip(abstention.SHARES, points, strict=True):
        assert point["tuning"]["wrong_answered"] <= share and point["held"]["wrong_answered"] == 1
        assert point["tuning"]["loss"] == pytest.approx(1 - point["tuning"]["any@10"])
    assert [round(point["tuning"]["wrong_answered"], 2) for point in points[:4]] == [0.5, 0.3, 0.2, 0.1]


def test_a_run_asks_the_engine_with_and_without_its_floor(small_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The script's run through the public API counts every question once as right and once as wrong."""
    samples = load(small_data)
    args = argparse.Namespace(all=False, curve=True, setting=["embedding__provider=none"])
    result = abstention.measure(samples, args)
    abstention.show("small", result)
    assert {(row["n"], row["n_wrong"]) for row in (result["ours"]["all"], result["bm25"]["all"])} == {(3, 3)}
    assert len(result["curve"]) == len(abstention.SHARES) and "held loss" in capsys.readouterr().out
