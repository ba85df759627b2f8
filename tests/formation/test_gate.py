"""The gate between what is an episode at once and what waits."""

from __future__ import annotations

import pytest

from siltstone import Memory
from siltstone.formation.gate import is_vivid


@pytest.mark.parametrize(("intensity", "vivid"), [(0.59, False), (0.6, True), (1.0, True), (0.0, False)])
def test_the_threshold_is_vivid(intensity: float, vivid: bool) -> None:
    """The threshold belongs to the vivid side."""
    assert is_vivid(intensity, 0.6) is vivid


def test_the_threshold_is_a_setting() -> None:
    """With a threshold of 0 every statement is an episode at once."""
    with Memory.open("memory://", formation__threshold=0.0) as memory:
        memory.process("The metro was late", user_id="ana")
        assert [episode.vivid for episode in memory.beliefs.episodes(user_id="ana")] == [True]
