"""The rules of `ports.models.Embedder`, one a test."""

from __future__ import annotations

import numpy as np
import pytest

from siltstone.ports.models import Embedder

TEXTS = ("The kettle is in the kitchen.", "水壶在厨房里", "🙂", "x" * 5_000, "a\nb\tc", "12345")


class EmbedderContract:
    """Subclass it and define `make_embedder`; pytest runs one test a rule."""

    def make_embedder(self) -> Embedder:
        """A new embedder of the kind under test."""
        raise NotImplementedError

    @pytest.fixture
    def embedder(self) -> Embedder:
        """The embedder under test."""
        return self.make_embedder()

    def test_one_row_a_text(self, embedder: Embedder) -> None:
        """The answer has one row for each text and `dimension` columns."""
        assert embedder.embed(TEXTS).shape == (len(TEXTS), embedder.dimension)

    def test_float32(self, embedder: Embedder) -> None:
        """Vectors are float32."""
        assert embedder.embed(TEXTS).dtype == np.float32

    def test_unit_length(self, embedder: Embedder) -> None:
        """Every vector has length one."""
        assert np.linalg.norm(embedder.embed(TEXTS), axis=1) == pytest.approx(1.0, abs=1e-4)

    def test_no_texts(self, embedder: Embedder) -> None:
        """No texts give no rows, with the right number of columns."""
        answer = embedder.embed([])
        assert answer.shape == (0, embedder.dimension)
        assert answer.dtype == np.float32

    def test_deterministic(self, embedder: Embedder) -> None:
        """The same text gives the same vector, from this embedder and from another one made alike."""
        first = embedder.embed(TEXTS)
        assert np.array_equal(first, embedder.embed(TEXTS))
        assert np.array_equal(first, self.make_embedder().embed(TEXTS))

    def test_batches_do_not_matter(self, embedder: Embedder) -> None:
        """A text's vector does not depend on its place in a batch nor on what else is in it."""
        together = embedder.embed(TEXTS)
        apart = np.vstack([embedder.embed([text]) for text in TEXTS])
        backwards = embedder.embed(TEXTS[::-1])[::-1]
        assert together == pytest.approx(apart, abs=1e-3)
        assert together == pytest.approx(backwards, abs=1e-3)

    def test_different_texts_differ(self, embedder: Embedder) -> None:
        """Two unlike texts do not share a vector."""
        first, second = embedder.embed(["The kettle is in the kitchen.", "Our train leaves at nine."])
        assert float(first @ second) < 0.99

    def test_fingerprint_is_stable(self, embedder: Embedder) -> None:
        """The fingerprint is not blank and the same for embedders made alike, before and after use."""
        before = embedder.fingerprint
        embedder.embed(TEXTS[:1])
        assert before.strip()
        assert before == embedder.fingerprint == self.make_embedder().fingerprint

    def test_answer_is_the_callers(self, embedder: Embedder) -> None:
        """What the caller does to an answer does not reach the next one."""
        first = embedder.embed(TEXTS[:1])
        kept = first.copy()
        if first.flags.writeable:
            first[:] = 0
        assert np.array_equal(embedder.embed(TEXTS[:1]), kept)

    def test_languages_and_inline(self, embedder: Embedder) -> None:
        """Languages are lower-case codes, and `inline` is a truth value."""
        assert all(code == code.lower().strip() and code for code in embedder.languages)
        assert isinstance(embedder.inline, bool)
