"""The definitions of the metrics, by examples worked out by hand."""

from __future__ import annotations

import metrics
import pytest

RANKING = ["a", "b", "c", "d", "e", "f"]


def test_the_cuts_see_the_first_k_only() -> None:
    """any, fraction and all look at the first k units, and the fraction's denominator is the whole gold set."""
    row = metrics.score(RANKING, {"b", "f", "x", "y"}, (1, 2, 5, 10))
    assert [row[f"any@{k}"] for k in (1, 2, 5, 10)] == [0, 1, 1, 1]
    assert [row[f"fraction@{k}"] for k in (1, 2, 5, 10)] == [0, 0.25, 0.25, 0.5]
    assert [row[f"all@{k}"] for k in (1, 2, 5, 10)] == [0, 0, 0, 0]


def test_the_fraction_never_divides_by_k() -> None:
    """Three gold units of which one is first make a third at k = 1, not a whole."""
    row = metrics.score(["a", "b", "c"], {"a", "b", "c"}, (1, 3))
    assert (row["fraction@1"], row["all@1"]) == (pytest.approx(1 / 3), 0)
    assert (row["fraction@3"], row["all@3"]) == (1, 1)


@pytest.mark.parametrize(("place", "expected"), [(0, 1.0), (3, 0.25), (49, 1 / 50), (50, 0.0)])
def test_mrr_looks_at_fifty(place: int, expected: float) -> None:
    """MRR is one over the rank of the first gold unit, and 0 from rank 51 on."""
    ranking = [f"u{n}" for n in range(60)]
    assert metrics.score(ranking, {f"u{place}", "u55"})["mrr"] == pytest.approx(expected)


def test_no_ranking_is_a_miss() -> None:
    """A question without a ranking scores 0 everywhere."""
    assert set(metrics.score([], {"a"}).values()) == {0.0}


def test_no_gold_is_refused() -> None:
    """A question without gold has no score."""
    with pytest.raises(ValueError, match="without gold"):
        metrics.score(RANKING, set())


def test_the_mean_is_over_questions() -> None:
    """The mean weighs every question alike and counts them."""
    assert metrics.mean([{"mrr": 1.0}, {"mrr": 0.5}, {"mrr": 0.0}]) == {"mrr": 0.5, "n": 3}


def test_the_bootstrap_is_paired() -> None:
    """Where every question gains the same, the interval has no width, however different the questions are."""
    theirs = [0.0, 0.25, 0.5, 0.75]
    assert metrics.bootstrap([score + 0.25 for score in theirs], theirs) == (0.25, 0.25, 0.25)


def test_the_bootstrap_covers_its_difference() -> None:
    """The interval holds the difference, and repeating it gives the same."""
    ours, theirs = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    difference, low, high = metrics.bootstrap(ours, theirs)
    assert difference == pytest.approx(1 / 6) and low < difference < high
    assert metrics.bootstrap(ours, theirs) == (difference, low, high)
