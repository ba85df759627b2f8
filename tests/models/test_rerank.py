"""Rules of the rerank endpoint."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from models.scripted import ScriptedServer, Step
from siltstone.errors import ModelAnswerInvalid
from siltstone.models.rerank import EndpointReranker


def by_length(body: Any) -> Any:
    texts = body.get("texts") or body["documents"]
    name = "score" if "texts" in body else "relevance_score"
    ranked = sorted(enumerate(texts), key=lambda item: -len(item[1]))
    results = [{"index": place, name: float(len(text))} for place, text in ranked]
    return results if "texts" in body else {"results": results}


def test_scores_come_in_the_order_of_the_texts(server: ScriptedServer) -> None:
    """The server answers best first; the scores come back in the order asked, over any number of batches."""
    server.default = by_length
    texts = ["x" * (n * 7 % 50 + 1) for n in range(70)]
    assert EndpointReranker(server.url).rerank("q", texts) == [len(text) for text in texts]
    assert [len(seen.body["texts"]) for seen in server.seen] == [32, 32, 6]
    assert EndpointReranker(server.url).rerank("q", []) == []


@pytest.mark.parametrize(
    ("base", "model", "path"),
    [("", "", "/rerank"), ("/rerank", "", "/rerank"), ("", "m", "/v1/rerank"), ("/v1", "m", "/v1/rerank")],
)
def test_both_forms_are_spoken(server: ScriptedServer, base: str, model: str, path: str) -> None:
    """With a model name the request is Cohere's, without one TEI's, each at its own path."""
    server.default = by_length
    assert EndpointReranker(server.url + base, model=model).rerank("q", ["a", "bb"]) == [1, 2]
    assert server.seen[0].path == path
    assert server.seen[0].body.get("model", "") == model


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        [],
        [{"index": 0, "score": 1.0}],
        [{"index": 0, "score": 1.0}, {"index": 2, "score": 1.0}],
        [{"index": 0, "score": 1.0}, {"index": 0, "score": 1.0}],
        [{"index": 0, "score": 1.0}, {"index": 1, "score": "1"}],
        [{"index": 0, "score": 1.0}, {"index": 1, "score": float("nan")}],
        [{"index": 0, "score": 1.0}, {"index": True, "score": 1.0}],
        [{"index": 0, "score": 1.0}, {"index": 1, "score": 1.0}, {"index": 1, "score": 1.0}],
        [[0, 1.0], [1, 1.0]],
    ],
)
def test_a_wrong_answer_is_never_taken(server: ScriptedServer, body: Any) -> None:
    """Missing, doubled or unknown places and scores that are no numbers raise ModelAnswerInvalid."""
    server.steps = [Step(body=body)]
    with pytest.raises(ModelAnswerInvalid):
        EndpointReranker(server.url).rerank("q", ["a", "b"])


def test_the_shared_stub_is_understood(stub_module: ModuleType) -> None:
    """Against the project's stub, the text that shares the query's words scores highest."""
    with stub_module.Stub() as stub:
        reranker = EndpointReranker(stub.url)
        scores = reranker.rerank("where is the cat", ["stock prices fell", "the cat is in the garden"])
        reranker.close()
    assert scores[1] > scores[0]
