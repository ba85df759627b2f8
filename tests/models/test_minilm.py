"""Rules of the contextual embedder. Those that need its packages are skipped where they are not installed."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from siltstone.errors import MissingDependency, ModelAnswerInvalid
from siltstone.models.minilm import PACKAGES, MiniLMEmbedder
from siltstone.testing.models import EmbedderContract

needs_packages = pytest.mark.skipif(
    any(find_spec(package) is None for package in PACKAGES),
    reason="optional package not installed: those of siltstone[minilm]",
)


@needs_packages
class TestMiniLM(EmbedderContract):
    """The contract of every embedder."""

    def make_embedder(self) -> MiniLMEmbedder:
        """A new one."""
        return MiniLMEmbedder()

    def test_a_paraphrase_is_nearer_than_what_shares_a_word(self, embedder: MiniLMEmbedder) -> None:
        """Meaning counts, not words."""
        query = embedder.embed_query("What does she do for a living?")
        near, far = embedder.embed(["Her job is teaching physics at a school.", "What a lovely living room!"])
        assert near @ query > far @ query

    def test_the_beginning_of_a_long_text_counts(self, embedder: MiniLMEmbedder) -> None:
        """What lies beyond 254 pieces changes nothing."""
        long = "the cat sat on the mat " * 60
        assert np.array_equal(embedder.embed_query(long), embedder.embed_query(long + "and a dog came"))

    @pytest.mark.parametrize("blank", ["", " \n"])
    def test_a_blank_text_has_no_vector(self, embedder: MiniLMEmbedder, blank: str) -> None:
        """It is an error, not a made-up vector."""
        with pytest.raises(ModelAnswerInvalid, match="blank"):
            embedder.embed([blank])


def test_without_its_packages_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setattr("siltstone.models.packages.find_spec", lambda package: None)
    with pytest.raises(MissingDependency, match=r"siltstone\[minilm\]"):
        MiniLMEmbedder().embed_query("hello")
