"""What a chain says, and how sure it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.formation import snapshot


def test_a_summary_is_the_newest_statements_as_sentences() -> None:
    """Without a model the summary joins what holds, oldest first, each once, each closed like a sentence."""
    assert snapshot.summary(["has a dog", "loves it!", "has a dog", "我养狗"]) == "has a dog. loves it! 我养狗。"
    assert snapshot.summary([str(count) for count in range(9)]) == "4. 5. 6. 7. 8."


@given(st.floats(0, 1), st.integers(1, 50))
def test_more_evidence_is_never_less_sure(intensity: float, turns: int) -> None:
    """Confidence starts at the intensity, rises with each turn and stays within [0, 1]."""
    sure = [snapshot.confidence(intensity, count) for count in range(1, turns + 2)]
    assert sure == sorted(sure) and sure[0] == pytest.approx(intensity, abs=1e-4) and sure[-1] <= 1


@pytest.mark.parametrize(
    ("vivid", "sure", "turns", "contested", "words"),
    [
        (True, 0.9, 1, False, snapshot.VIVID),
        (True, 0.9, 2, False, snapshot.ESTABLISHED),
        (False, 0.2, 3, False, snapshot.UNCERTAIN),
        (False, 0.5, 3, False, snapshot.LIKELY),
        (True, 0.9, 1, True, snapshot.CONTESTED),
    ],
)
def test_a_label_means_what_it_says(vivid: bool, sure: float, turns: int, contested: bool, words: str) -> None:
    """A trivial habit is uncertain, not contested; only a contradiction contests."""
    assert snapshot.label(vivid=vivid, sure=sure, turns=turns, contested=contested) == words
