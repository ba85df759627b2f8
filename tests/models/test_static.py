"""Rules of the default embedder. They need the package that carries its vectors, which `make setup` installs."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from siltstone.errors import MissingDependency, ModelAnswerInvalid, ModelUnavailable
from siltstone.models import static
from siltstone.models.packages import package_folder
from siltstone.models.static import StaticEmbedder

TEXTS = [
    "I finally quit smoking!",
    "Prefers TypeScript with Vite and snake_case names, v1.2.3",
    "小李最喜欢的编辑器是Emacs",
    "日本語のテキスト と 한국어",
    "emoji 👍🏽 ok",
    "naïve café, Ünïcödé",
    "https://a.example/c?d=1&e=f_g",
    "▁odd▁text",
    "aGVsbG8gd29ybGQ=",
    "tabs\tand\nlines  and   runs",
    "مرحبا بالعالم",
]


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    """One embedder for all rules: loading it is the slow part."""
    return StaticEmbedder()


def test_vectors_have_unit_length_and_the_stated_shape(embedder: StaticEmbedder) -> None:
    """One float32 row of length 1 a text; no texts give no rows."""
    rows = embedder.embed(TEXTS)
    assert rows.shape == (len(TEXTS), 256)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert embedder.embed([]).shape == (0, 256)


def test_a_text_has_one_vector_whatever_its_company(embedder: StaticEmbedder) -> None:
    """A text's vector is the same to the last bit alone, in a batch, as a query and from a fresh embedder."""
    together = embedder.embed(TEXTS * 50)
    alone = np.array([StaticEmbedder().embed([text])[0] for text in TEXTS])
    queried = np.array([embedder.embed_query(text) for text in TEXTS])
    assert np.array_equal(together[: len(TEXTS)], alone)
    assert np.array_equal(together[-len(TEXTS) :], queried)


def test_the_pieces_are_those_of_the_tokenizers_library(embedder: StaticEmbedder) -> None:
    """Ids equal those of the reference implementation, on white space read as single spaces."""
    tokenizers = pytest.importorskip("tokenizers", reason="optional package not installed: tokenizers")
    reference = tokenizers.Tokenizer.from_file(str(package_folder("wordllama", "local") / static.TOKENIZER))
    found = [ids for ids, _ in embedder.token_vectors(TEXTS)]
    spaced = [" ".join(text.split()) for text in TEXTS]
    assert found == [item.ids for item in reference.encode_batch(spaced, add_special_tokens=False)]


def test_the_vectors_are_those_of_the_package(embedder: StaticEmbedder) -> None:
    """Vectors equal what the package's own code makes of the same texts."""
    wordllama = pytest.importorskip("wordllama", reason="optional package not installed: wordllama")
    own = wordllama.WordLlama.load(cache_dir=package_folder("wordllama", "local"), disable_download=True)
    expected = own.embed([" ".join(text.split()) for text in TEXTS], norm=True)
    assert (embedder.embed(TEXTS) * expected).sum(axis=1).min() > 0.9999


def test_meaning_is_near(embedder: StaticEmbedder) -> None:
    """A paraphrase that shares no content word is nearer than an unrelated text."""
    query = embedder.embed_query("what does she drive")
    car, soup = embedder.embed(["her vehicle is a blue sedan", "the soup needs more salt"])
    assert query @ car > query @ soup + 0.1


@pytest.mark.parametrize("blank", ["", " ", "\n\t\u3000"])
def test_a_blank_text_has_no_vector(embedder: StaticEmbedder, blank: str) -> None:
    """A text without anything in it raises and names its place; no vector is made up for it."""
    with pytest.raises(ModelAnswerInvalid, match="text 1"):
        embedder.embed(["full", blank])


@pytest.mark.parametrize("text", ["x" * 1_000_000, "字" * 200_000, "aZ9+" * 50_000, "\ud800", "\x00", "\u200b", "▁"])
def test_any_text_has_a_vector(embedder: StaticEmbedder, text: str) -> None:
    """Huge, broken and invisible texts have a vector like any other."""
    assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1)


def test_a_long_text_counts_with_its_beginning(embedder: StaticEmbedder) -> None:
    """Only the first 512 pieces count."""
    beginning = "word " * 512
    assert np.array_equal(embedder.embed_query(beginning), embedder.embed_query(beginning + "other " * 100))
    assert len(embedder.token_vectors([beginning * 2])[0][0]) == static.TOKEN_LIMIT


def test_piece_vectors_sum_to_the_direction_of_the_text(embedder: StaticEmbedder) -> None:
    """The vectors of a text's pieces add up to the text's own direction."""
    ((ids, rows),) = embedder.token_vectors([TEXTS[0]])
    assert rows.shape == (len(ids), 256)
    total = rows.sum(axis=0)
    assert np.allclose(total / np.linalg.norm(total), embedder.embed_query(TEXTS[0]), atol=1e-6)


def test_threads_share_one_embedder() -> None:
    """Threads that start at once on a fresh embedder get what one thread gets."""
    shared, expected = StaticEmbedder(), StaticEmbedder().embed(TEXTS)
    found: list[bool] = []
    ready = threading.Barrier(8)

    def work() -> None:
        ready.wait()
        found.append(np.array_equal(shared.embed(TEXTS), expected))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


def test_nothing_is_loaded_before_the_first_use() -> None:
    """Making an embedder and reading its properties opens no file, and using it imports no part of the package."""
    program = (
        "import sys\n"
        "from siltstone.models.static import StaticEmbedder as E\n"
        "e = E()\n"
        "assert (e.dimension, e.languages, e.inline) == (256, {'en'}, True) and e.fingerprint\n"
        "assert e._loaded is None\n"
        "e.embed_query('hello')\n"
        "loaded = {'wordllama', 'tokenizers', 'safetensors', 'requests', 'pydantic'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the error gives the exact command."""
    monkeypatch.setattr("sys.path", [])
    monkeypatch.setattr("sys.meta_path", [])
    monkeypatch.delitem(sys.modules, "wordllama", raising=False)
    with pytest.raises(MissingDependency, match=r"pip install 'siltstone\[local\]'"):
        StaticEmbedder().embed(["a"])


def test_other_vectors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that carries other vectors than the fingerprint names is refused: two spaces never mix."""
    monkeypatch.setattr(static, "PROBE_SUM", static.PROBE_SUM + 1)
    with pytest.raises(ModelUnavailable, match="other vectors"):
        StaticEmbedder().embed(["a"])


def test_a_damaged_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that is missing or cut short gives ModelUnavailable that says what to do."""
    monkeypatch.setattr(static, "package_folder", lambda package, extra: tmp_path)
    with pytest.raises(ModelUnavailable, match="install its package again"):
        StaticEmbedder().embed(["a"])
    weights = tmp_path / static.WEIGHTS
    weights.parent.mkdir()
    weights.write_bytes((60).to_bytes(8, "little") + b'{"embedding.weight":')
    with pytest.raises(ModelUnavailable, match="install its package again"):
        StaticEmbedder().embed(["a"])
