"""Rules of the OpenAI-compatible embedder."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from models.scripted import FakeTime, ScriptedServer, Step, embeddings_of, vector_of
from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelUnavailable
from siltstone.models.endpoint import EndpointEmbedder
from siltstone.models.http import JsonServer


def make(server: ScriptedServer, **options: Any) -> EndpointEmbedder:
    return EndpointEmbedder(server.url, **{"model": "some-model", **options})


def answer(*vectors: Any, indices: list[Any] | None = None) -> dict[str, Any]:
    numbered = zip(indices or range(len(vectors)), vectors, strict=True)
    return {"data": [{"index": at, "embedding": vector} for at, vector in numbered]}


def test_vectors_come_in_the_order_of_the_texts_at_unit_length(server: ScriptedServer) -> None:
    """Row i is the vector of text i, float32, at length 1 whatever length the server answers."""
    texts = [f"text {number}" for number in range(5)]
    rows = make(server).embed(texts)
    expected = np.array([vector_of(text) for text in texts])
    assert rows.dtype == np.float32
    assert np.allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)


def test_texts_go_out_in_batches(server: ScriptedServer) -> None:
    """No request holds more texts than the batch size, and none is sent for no texts."""
    assert make(server, batch=3).embed([str(n) for n in range(7)]).shape == (7, 8)
    assert [len(seen.body["input"]) for seen in server.seen] == [3, 3, 1]
    assert make(server, dimension=8).embed([]).shape == (0, 8)
    assert len(server.seen) == 3


def test_a_provider_limit_bounds_the_batch(server: ScriptedServer) -> None:
    """A model whose provider takes ten texts at most is never sent more, whatever the batch size."""
    server.default = lambda body: answer(*[vector_of(text, 1024) for text in body["input"]])
    make(server, model="text-embedding-v3", batch=64).embed(["a"] * 25)
    assert [len(seen.body["input"]) for seen in server.seen] == [10, 10, 5]


@pytest.mark.parametrize("status", [413, 422])
def test_too_much_at_once_is_halved(server: ScriptedServer, status: int) -> None:
    """A batch that the server calls too large is halved until it fits."""
    server.steps = [Step(status=status), Step(status=status)]
    rows = make(server).embed(["a", "b", "c", "d"])
    assert np.allclose(rows, make(server).embed(["a", "b", "c", "d"]))
    assert [len(seen.body["input"]) for seen in server.seen] == [4, 2, 1, 1, 2, 4]


def test_unordered_vectors_are_put_in_order(server: ScriptedServer) -> None:
    """Vectors that come out of order are placed by their index."""
    server.steps = [Step(body=answer([0, 2], [3, 0], indices=[1, 0]))]
    assert make(server).embed(["a", "b"]).tolist() == [[1, 0], [0, 1]]


def test_vectors_without_index_count_in_order(server: ScriptedServer) -> None:
    """A server that numbers nothing is taken to keep the order."""
    server.steps = [Step(body={"data": [{"embedding": [2, 0]}, {"embedding": [0, 2]}]})]
    assert make(server).embed(["a", "b"]).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "body",
    [
        answer([1.0, 2.0]),
        answer([1.0], [1.0], [1.0]),
        answer([1.0, 2.0], [1.0]),
        answer([1.0, math.nan], [1.0, 2.0]),
        answer([1.0, math.inf], [1.0, 2.0]),
        answer([1e300, 1.0], [1.0, 2.0]),
        answer([0.0, 0.0], [1.0, 2.0]),
        answer(["1", "2"], ["1", "2"]),
        answer([True, False], [False, True]),
        answer([], []),
        answer(None, None),
        answer("AACAPw==", "AACAPw=="),
        answer([[1.0]], [[1.0]]),
        answer([1.0], [1.0], indices=[0, 0]),
        answer([1.0], [1.0], indices=[1, 2]),
        answer([1.0], [1.0], indices=["0", "1"]),
        answer([1.0], [1.0], indices=[0, None]),
        {"data": [[1.0], [1.0]]},
        {"data": None},
        {"data": {}},
        {"error": "model not loaded"},
        [],
        None,
        "ok",
    ],
)
def test_a_wrong_answer_is_never_taken(server: ScriptedServer, body: Any) -> None:
    """Too few or many vectors, uneven, empty, zero or non-numeric ones and other shapes raise ModelAnswerInvalid."""
    server.steps = [Step(body=body)]
    with pytest.raises(ModelAnswerInvalid):
        make(server).embed(["a", "b"])


def test_one_embedder_answers_one_size(server: ScriptedServer) -> None:
    """A later answer of another size than the first raises, even between batches of one call."""
    server.steps = [Step(body=answer([1.0, 2.0])), Step(body=answer([1.0, 2.0, 3.0]))]
    with pytest.raises(ModelAnswerInvalid, match="3, not 2"):
        make(server, batch=1).embed(["a", "b"])


def test_a_wrong_answer_teaches_no_size(server: ScriptedServer) -> None:
    """A refused answer does not become the measure of later ones."""
    server.steps = [Step(body=answer([0.0, 0.0]))]
    embedder = make(server)
    with pytest.raises(ModelAnswerInvalid):
        embedder.embed_query("a")
    assert embedder.embed_query("a").shape == (8,)


def test_the_declared_size_is_checked(server: ScriptedServer) -> None:
    """An answer of another size than declared raises for a model that may not be cut: nothing is chopped."""
    with pytest.raises(ModelAnswerInvalid, match="8, not 4"):
        make(server, dimension=4).embed(["a"])
    assert "dimensions" not in server.seen[0].body


def test_the_size_is_known_declared_or_asked_for(server: ScriptedServer) -> None:
    """`dimension` is what was declared or is known by name; for an unknown model one short text is sent to see."""
    assert make(server, dimension=4).dimension == 4
    assert make(server, model="nomic-ai/nomic-embed-text-v1.5").dimension == 768
    assert not server.seen
    assert make(server).dimension == 8
    assert len(server.seen) == 1


def test_a_model_that_may_be_cut_is_asked_for_the_size(server: ScriptedServer) -> None:
    """A Matryoshka model gets the declared size as `dimensions`."""
    rows = make(server, model="text-embedding-3-small", dimension=256).embed(["a"])
    assert server.seen[0].body["dimensions"] == 256
    assert rows.shape == (1, 256)


def test_a_server_that_cannot_cut_is_cut_for(server: ScriptedServer) -> None:
    """Where the server passes over `dimensions`, the vector is cut here and brought back to length 1."""
    full = [float(n % 7 - 3) for n in range(1, 1025)]
    server.default = lambda body: answer(full)
    row = make(server, model="mxbai-embed-large", dimension=512).embed_query("a")
    expected = np.array(full[:512])
    assert np.allclose(row, expected / np.linalg.norm(expected), atol=1e-6)


def test_a_server_that_refuses_the_size_is_asked_without(server: ScriptedServer) -> None:
    """Where the server refuses `dimensions`, it is asked without, and not asked again with it."""
    server.steps = [Step(status=400, body={"error": "dimensions is not supported"})]
    server.default = lambda body: answer(*[vector_of(text, 1024) for text in body["input"]])
    embedder = make(server, model="mxbai-embed-large", dimension=512)
    embedder.embed_query("a")
    embedder.embed_query("b")
    assert ["dimensions" in seen.body for seen in server.seen] == [True, False, False]


def test_a_centred_model_is_normed_before_the_cut(server: ScriptedServer) -> None:
    """nomic-embed-text-v1.5 is layer-normed over the whole vector before it is cut, as its card asks."""
    full = [float(n % 5) for n in range(768)]
    server.default = lambda body: answer(full)
    row = make(server, model="nomic-embed-text", dimension=64).embed_query("a")
    whole = np.array(full)
    normed = ((whole - whole.mean()) / whole.std())[:64]
    assert np.allclose(row, normed / np.linalg.norm(normed), atol=1e-5)


def test_a_useless_size_is_refused() -> None:
    """A cut below a model's smallest useful size is refused before anything is sent."""
    with pytest.raises(InvalidInput, match="64 or more"):
        EndpointEmbedder("http://localhost:1", model="nomic-embed-text", dimension=8)


def test_queries_and_texts_get_their_prefixes(server: ScriptedServer) -> None:
    """A model trained with task prefixes gets them: one for texts, one for queries."""
    server.default = lambda body: answer(*[vector_of(text, 768) for text in body["input"]])
    embedder = make(server, model="nomic-embed-text:latest")
    embedder.embed(["a"])
    embedder.embed_query("b")
    assert [seen.body["input"] for seen in server.seen] == [["search_document: a"], ["search_query: b"]]


def test_a_long_text_is_cut(server: ScriptedServer) -> None:
    """A text is sent with its first 8,000 characters."""
    make(server).embed(["字" * 9_000])
    assert server.seen[0].body["input"] == ["字" * 8_000]


def test_the_fingerprint_is_of_the_model_and_not_of_the_host(server: ScriptedServer) -> None:
    """Host, key, batch and patience leave the fingerprint alone; model and size are part of it."""
    here, there = make(server, batch=2, api_key="k", timeout=1.0), EndpointEmbedder("http://far/v1", model="some-model")
    assert here.fingerprint == there.fingerprint
    others = [make(server, model="other"), make(server, dimension=4), make(server, dimension=8)]
    assert len({embedder.fingerprint for embedder in (here, *others)}) == 4
    assert not server.seen


def test_the_first_size_is_spelled_out_for_a_known_model(server: ScriptedServer) -> None:
    """For a model of known size, naming that size changes nothing."""
    bare, sized = make(server, model="bge-m3"), make(server, model="bge-m3", dimension=1024)
    assert bare.fingerprint == sized.fingerprint


def test_a_failing_server_gives_no_vectors(server: ScriptedServer, clock: FakeTime) -> None:
    """When one batch fails the whole call raises: no part of it is returned and nothing is made up."""
    server.steps = [Step(body=embeddings_of({"input": ["a"], "model": "m"})), *[Step(status=500)] * 3]
    embedder = EndpointEmbedder(JsonServer(server.url, time=clock.time), model="m", batch=1)
    with pytest.raises(ModelUnavailable):
        embedder.embed(["a", "b"])


def test_the_key_and_patience_reach_the_server(server: ScriptedServer) -> None:
    """`api_key` is sent and never shown; the fields of Policy are taken by name, others refused."""
    embedder = make(server, api_key="sk-secret", retries=0)
    embedder.embed(["a"])
    assert server.seen[0].headers["Authorization"] == "Bearer sk-secret"
    assert "secret" not in repr(embedder)
    with pytest.raises(TypeError):
        make(server, patience=3)


@pytest.mark.parametrize("wrong", [{"model": ""}, {"batch": 0}, {"dimension": 0}, {"dimension": -1}, {"timeout": 0}])
def test_an_impossible_embedder_is_refused(server: ScriptedServer, wrong: dict[str, Any]) -> None:
    """No model name, or a size, batch or timeout below one, raises InvalidInput."""
    with pytest.raises(InvalidInput):
        make(server, **wrong)


def test_a_given_server_keeps_its_own_settings(server: ScriptedServer) -> None:
    """A key or policy beside a ready JsonServer would be lost, so it is refused."""
    with pytest.raises(InvalidInput):
        EndpointEmbedder(JsonServer(server.url), model="m", api_key="k")
    with pytest.raises(InvalidInput):
        EndpointEmbedder(JsonServer(server.url), model="m", timeout=1.0)


def test_the_shared_stub_is_understood(stub_module: ModuleType) -> None:
    """Against the project's stub server, a text is nearest to the one that shares its words."""
    with stub_module.Stub() as stub:
        embedder = EndpointEmbedder(stub.url, model="stub-model")
        rows = embedder.embed(["the cat sleeps", "stock prices fell"])
        near = rows @ embedder.embed_query("a cat that sleeps")
        embedder.close()
    assert near[0] > 0.5 > near[1]
    assert embedder.dimension == 64
