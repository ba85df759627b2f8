"""When a cluster becomes an episode."""

from __future__ import annotations

import pytest

from siltstone.formation import promote


@pytest.mark.parametrize(
    ("mean", "turns"), [(0.05, 55), (0.08, 13), (0.10, 8), (0.12, 6), (0.15, 4), (0.18, 4), (0.19, 3), (0.5, 3)]
)
def test_the_more_trivial_the_more_often(mean: float, turns: int) -> None:
    """Each mean intensity needs as many turns as the published formula says, and one fewer is not enough."""
    due = [count for count in range(1, turns + 1) if promote.is_due(count, mean, threshold=0.2, minimum=3)]
    assert due == [turns]


def test_one_statement_has_no_score() -> None:
    """Nothing is repeated by one, however strong it is."""
    assert promote.score(1, 1.0) == promote.score(0, 1.0) == 0.0


def test_the_threshold_itself_is_not_enough() -> None:
    """The score has to exceed the threshold."""
    score = promote.score(3, 0.25)
    assert not promote.is_due(3, 0.25, threshold=score, minimum=3)


@pytest.mark.parametrize(
    ("valences", "common"), [(["pos", "neg", "pos"], "pos"), (["pos", "neg"], "neu"), ([], "neu"), (["neg"], "neg")]
)
def test_the_valence_is_the_commonest(valences: list[str], common: str) -> None:
    """The valence of a cluster is what most of it has; a tie is neutral."""
    assert promote.valence(valences) == common
