"""An embedder that remembers asks its model once for a repeated query, and only for a while."""

from __future__ import annotations

import numpy as np
import pytest

from embedders import WordEmbedder
from siltstone.errors import ModelUnavailable
from siltstone.models.remembering import MOST, RememberingEmbedder
from siltstone.ports.models import Embedder
from siltstone.testing.models import EmbedderContract


class TestRemembering(EmbedderContract):
    """It is an embedder like the one that it stands before."""

    def make_embedder(self) -> Embedder:
        """One over a stand-in."""
        return RememberingEmbedder(WordEmbedder(), 60)


def test_a_query_is_asked_once_within_its_time() -> None:
    """A repeated query asks nobody until its time is over; texts to be kept are always asked for."""
    now, model = [0.0], WordEmbedder()
    embedder = RememberingEmbedder(model, 60, now=lambda: now[0])
    first = embedder.embed_query("tea")
    first_copy = first.copy()
    first[:] = 0
    assert np.array_equal(embedder.embed_query("tea"), first_copy) and model.asked == ["tea"]
    now[0] = 60.0
    embedder.embed_query("tea")
    embedder.embed(["tea"])
    assert model.asked == ["tea"] * 3


def test_a_failure_is_not_remembered() -> None:
    """A model that was down is asked again."""
    model = WordEmbedder()
    embedder = RememberingEmbedder(model, 60)
    model.down = True
    with pytest.raises(ModelUnavailable):
        embedder.embed_query("tea")
    model.down = False
    assert embedder.embed_query("tea").shape == (16,)


def test_it_remembers_so_many_and_no_more() -> None:
    """The longest unused query is asked for again once there are too many."""
    model = WordEmbedder()
    embedder = RememberingEmbedder(model, 60)
    for n in range(MOST + 1):
        embedder.embed_query(str(n))
    embedder.embed_query(str(MOST))
    embedder.embed_query("0")
    assert model.asked.count("0") == 2 and model.asked.count(str(MOST)) == 1
