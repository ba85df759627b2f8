"""Rules of the cross-encoder from a folder, asked of a small real one."""

from __future__ import annotations

import asyncio
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from models import crossencoders
from siltstone import AsyncMemory, Memory
from siltstone.errors import InvalidInput, MissingDependency, ModelAnswerInvalid, ModelUnavailable
from siltstone.models.crossencoder import CrossEncoder

ANA = "ana"
QUERY = "what is the dog afraid of"
TEXTS = ["the dog is afraid of thunder", "the cat likes fish", "tea", "the dog sleeps on the sofa"]


def logistic(number: float) -> float:
    """1 / (1 + e⁻ˣ)."""
    return 1 / (1 + math.exp(-number))


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx"])
@pytest.mark.parametrize("labels", [1, 2])
def test_the_query_and_the_text_are_read_as_one(tmp_path: Path, place: str, labels: int) -> None:
    """Each text is scored by what it shares with the query, on [0, 1], with one label and with two."""
    model = CrossEncoder(crossencoders.write(tmp_path, labels=labels, place=place))
    shared = [5, 1, 0, 3]
    assert model.rerank(QUERY, TEXTS) == pytest.approx([logistic(count - 1.5) for count in shared])
    assert model.rerank(QUERY, []) == []


def test_a_score_depends_on_nothing_but_its_pair(tmp_path: Path) -> None:
    """Alone, among others, in another order, from many threads: the same number."""
    model = CrossEncoder(crossencoders.write(tmp_path))
    alone = [model.rerank(QUERY, [text])[0] for text in TEXTS]
    assert model.rerank(QUERY, TEXTS) == alone
    assert model.rerank(QUERY, TEXTS[::-1]) == alone[::-1]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: model.rerank(QUERY, TEXTS), range(16))) == [alone] * 16


def test_what_is_too_long_loses_its_end(tmp_path: Path) -> None:
    """Of a long text the beginning counts, up to the limit that the export states, of a long query as well."""
    model = CrossEncoder(crossencoders.write(tmp_path, limit=16))
    filler = " ".join(["sofa"] * 5000)
    assert model.rerank("dog", [f"dog {filler}"])[0] == pytest.approx(logistic(1 - 1.5))
    assert model.rerank("dog", [f"{filler} dog"])[0] == pytest.approx(logistic(0 - 1.5))
    assert model.rerank(f"dog {filler}", ["dog"])[0] == pytest.approx(logistic(1 - 1.5))


@pytest.mark.parametrize("limit", [1e30, 0, -1, True, "512", {}, 10**30])
def test_a_limit_that_makes_no_sense_is_512(tmp_path: Path, limit: object) -> None:
    """Exports state limits like 10³⁰ for "none"; 512 pieces are read then."""
    model = CrossEncoder(crossencoders.write(tmp_path, limit=limit))
    within, beyond = " ".join(["sofa"] * 500), " ".join(["sofa"] * 520)
    assert model.rerank("dog", [f"{within} dog"])[0] == pytest.approx(logistic(1 - 1.5))
    assert model.rerank("dog", [f"{beyond} dog"])[0] == pytest.approx(logistic(0 - 1.5))


@pytest.mark.parametrize("text", ["", " ", "\x00", "狗怕打雷", "dog " * 10_000, "memory:safe \U0001f436", "dog \ud800"])
def test_any_text_has_a_score(tmp_path: Path, text: str) -> None:
    """Blank, foreign, endless, half a character: a number on [0, 1]."""
    model = CrossEncoder(crossencoders.write(tmp_path))
    assert all(0 <= score <= 1 for score in [*model.rerank(text, TEXTS), *model.rerank(QUERY, [text])])


@pytest.mark.parametrize("missing", ["everything", "model.onnx", "tokenizer.json"])
def test_a_folder_without_the_files_is_refused_at_once(tmp_path: Path, missing: str) -> None:
    """The error names the folder and how to fill it; opening a memory with it raises it."""
    folder = tmp_path / "nowhere" if missing == "everything" else crossencoders.write(tmp_path)
    if missing != "everything":
        (folder / missing).unlink()
    with pytest.raises(
        InvalidInput, match=r"no cross-encoder at '.*': rerank.path needs .*tokenizer.json.*optimum-cli"
    ):
        CrossEncoder(folder)
    with pytest.raises(InvalidInput, match=r"rerank\.path"):
        Memory.open("memory://", rerank__path=str(folder))


@pytest.mark.parametrize("spoilt", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_something_else_is_named(tmp_path: Path, spoilt: str) -> None:
    """A file of another kind raises ModelUnavailable with its path."""
    folder = crossencoders.write(tmp_path)
    (folder / spoilt).write_bytes(b"nothing of the kind")
    with pytest.raises(ModelUnavailable, match=spoilt):
        CrossEncoder(folder).rerank(QUERY, TEXTS)


def test_a_model_of_another_kind_is_named(tmp_path: Path) -> None:
    """Inputs that no cross-encoder has, and an answer of another shape, are errors and no scores."""
    inputs = ("input_ids", "token_type_ids", "pixel_values")
    with pytest.raises(ModelUnavailable, match="pixel_values"):
        CrossEncoder(crossencoders.write(tmp_path / "inputs", inputs=inputs)).rerank(QUERY, TEXTS)
    with pytest.raises(ModelAnswerInvalid, match=r"shape \(1, 3\)"):
        CrossEncoder(crossencoders.write(tmp_path / "labels", labels=3)).rerank(QUERY, TEXTS)


def test_a_missing_package_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall goes on with the fused order and says what to install."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    path = str(crossencoders.write(tmp_path))
    with pytest.raises(MissingDependency, match=r"siltstone\[cross-encoder\]"):
        CrossEncoder(path).rerank(QUERY, TEXTS)
    with Memory.open("memory://", rerank__path=path, embedding__provider="none") as memory:
        memory.add(TEXTS, user_id=ANA)
        recall = memory.retrieve("dog", user_id=ANA)
        assert recall.hits
        assert [gap.part for gap in recall.degraded] == ["semantic", "rerank"]
        assert "siltstone[cross-encoder]" in recall.degraded[1].reason


def test_recall_takes_the_order_of_the_model(tmp_path: Path) -> None:
    """The best of the candidates by the model comes first, the trace names it, what it had before is kept."""
    path = crossencoders.write(tmp_path / "overlap")
    notes = ["dog dog dog", "the dog is afraid of thunder"]
    with Memory.open("memory://", embedding__provider="none", recall__floor=0) as memory:
        memory.add(notes, user_id=ANA)
        plain = memory.retrieve("dog thunder afraid", user_id=ANA)
    with Memory.open(
        "memory://", embedding__provider="none", recall__floor=0, rerank__path=str(path), rerank__candidates=5
    ) as memory:
        memory.add(notes, user_id=ANA)
        recall = memory.retrieve("dog thunder afraid", user_id=ANA, top_k=1)
        assert [hit.text for hit in recall.hits] == ["the dog is afraid of thunder"]
        assert recall.hits[0].score == pytest.approx(logistic(3 - 1.5), abs=1e-6)
        assert recall.hits[0].channels["fused"] in {hit.score for hit in plain.hits}
        assert str(recall.trace["reranker"]).startswith("cross-encoder/overlap/")
        assert "rerank" not in [gap.part for gap in recall.degraded]


def test_a_model_that_fails_leaves_the_order(tmp_path: Path) -> None:
    """With a spoilt model recall answers as without one, and says so."""
    path = crossencoders.write(tmp_path)
    (path / "model.onnx").write_bytes(b"")
    with Memory.open("memory://", embedding__provider="none", rerank__path=str(path)) as memory:
        memory.add(TEXTS, user_id=ANA)
        recall = memory.retrieve("dog", user_id=ANA)
        assert recall.hits
        assert [gap.part for gap in recall.degraded] == ["semantic", "rerank"]


def test_a_model_that_fails_at_a_pair_leaves_the_order(tmp_path: Path) -> None:
    """A table of pieces smaller than the vocabulary, as of another model's tokenizer: an error, and recall goes on."""
    path = crossencoders.write(tmp_path)
    crossencoders.add_table(path, rows=5)
    model = CrossEncoder(path)
    assert model.rerank("a", ["a"])
    with pytest.raises(ModelAnswerInvalid, match=r"failed at a pair of 5 pieces: .*tokenizer\.json .*export both"):
        model.rerank("dog", ["dog"])
    with Memory.open("memory://", embedding__provider="none", rerank__path=str(path)) as memory:
        memory.add(TEXTS, user_id=ANA)
        recall = memory.retrieve("dog", user_id=ANA)
        assert recall.hits
        assert [gap.part for gap in recall.degraded] == ["semantic", "rerank"]


def test_the_logits_are_taken_where_there_are_other_outputs(tmp_path: Path) -> None:
    """An export that gives its states first is read by the name of what is asked for."""
    path = crossencoders.write(tmp_path, labels=2)
    plain = CrossEncoder(path).rerank(QUERY, TEXTS)
    crossencoders.add_table(path, rows=100, first=True)
    assert CrossEncoder(path).rerank(QUERY, TEXTS) == plain


def test_inputs_may_be_of_32_bits(tmp_path: Path) -> None:
    """A model that takes 32-bit numbers scores as one of 64."""
    wide, narrow = (CrossEncoder(crossencoders.write(tmp_path / str(bits), bits=bits)) for bits in (64, 32))
    assert narrow.rerank(QUERY, TEXTS) == wide.rerank(QUERY, TEXTS)


def test_inputs_of_fractions_are_refused(tmp_path: Path) -> None:
    """Inputs of the right name and another kind are named when the model is loaded."""
    path = crossencoders.write(tmp_path)
    crossencoders.retype(path, "attention_mask")
    with pytest.raises(ModelUnavailable, match=r"attention_mask as tensor\(float\)"):
        CrossEncoder(path).rerank(QUERY, TEXTS)


@pytest.mark.parametrize("ending", ["_data", ".data"])
def test_weights_beside_the_model_count_for_its_name(tmp_path: Path, ending: str) -> None:
    """Of two exports with the same graph and other weights in a file beside it, each has its own fingerprint."""
    path = crossencoders.write(tmp_path)
    names = []
    for weights in (b"one", b"other"):
        (path / f"model.onnx{ending}").write_bytes(weights)
        model = CrossEncoder(path)
        model.rerank(QUERY, TEXTS[:1])
        names.append(model.fingerprint)
    assert names[0] != names[1]


def test_it_can_be_switched_off_and_never_doubled(tmp_path: Path) -> None:
    """`rerank.enabled` holds for it as well; with a server beside it opening is refused."""
    path = str(crossencoders.write(tmp_path))
    with Memory.open("memory://", embedding__provider="none", rerank__path=path, rerank__enabled=False) as memory:
        memory.add(TEXTS, user_id=ANA)
        assert "reranker" not in memory.retrieve("dog", user_id=ANA).trace
    with pytest.raises(InvalidInput, match="two rerankers"):
        Memory.open("memory://", rerank__path=path, rerank__base_url="http://127.0.0.1:9")


def test_the_name_changes_with_the_weights(tmp_path: Path) -> None:
    """Two models in folders of one name are told apart once they are loaded."""
    one, other = (CrossEncoder(crossencoders.write(tmp_path / n / "model", labels=int(n))) for n in "12")
    assert one.fingerprint == other.fingerprint == "cross-encoder/model"
    one.rerank(QUERY, TEXTS[:1])
    other.rerank(QUERY, TEXTS[:1])
    assert one.fingerprint != other.fingerprint
    one.close()
    assert one.rerank(QUERY, TEXTS[:1])


def test_an_async_memory_asks_it_too(tmp_path: Path) -> None:
    """The event loop's memory reranks with the same settings."""

    async def asked() -> str:
        memory = await AsyncMemory.open("memory://", embedding__provider="none", rerank__path=str(tmp_path))
        async with memory:
            await memory.add(TEXTS, user_id=ANA)
            return str((await memory.retrieve("dog", user_id=ANA)).trace["reranker"])

    crossencoders.write(tmp_path)
    assert asyncio.run(asked()).startswith("cross-encoder/")
