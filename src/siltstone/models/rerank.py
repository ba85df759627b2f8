"""Reranking by a server: text-embeddings-inference's `/rerank`, or Cohere's and Jina's `/v1/rerank`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from siltstone.errors import ModelAnswerInvalid
from siltstone.models.http import JsonServer
from siltstone.models.numbers import is_number

PATH, VERSION = "/rerank", "/v1"
BATCH = 32
TEXT_LIMIT = 2_000


class EndpointReranker:
    """Scores texts against a query; each is cut to its first 2,000 characters.

    With a `model` the request is in Cohere's form (`documents`, `relevance_score`), without one in TEI's (`texts`,
    `score`), whose server has one model. Scores are the model's own: higher is better, and only their order is sure to
    mean the same from model to model.
    """

    def __init__(self, server: str | JsonServer, *, model: str = "") -> None:
        self._server = JsonServer(server) if isinstance(server, str) else server
        self._model = model

    def __repr__(self) -> str:
        return f"EndpointReranker({self._server!r}, model={self._model!r})"

    @property
    def fingerprint(self) -> str:
        """The model's name, to be shown in a trace."""
        return f"endpoint/{self._model or 'rerank'}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The score of each text, in the order of the texts. Raises ModelUnavailable or ModelAnswerInvalid."""
        found: list[float] = []
        for start in range(0, len(texts), BATCH):
            batch = [text[:TEXT_LIMIT] for text in texts[start : start + BATCH]]
            found += _scores(self._ask(query[:TEXT_LIMIT], batch), len(batch))
        return found

    def close(self) -> None:
        """Releases the connections; the next call opens new ones."""
        self._server.close()

    def _ask(self, query: str, texts: list[str]) -> Any:
        if not self._model:
            return self._server.post_json(PATH, {"query": query, "texts": texts, "truncate": True})
        body = {"model": self._model, "query": query, "documents": texts}
        answer = self._server.post_json(PATH, body, version=VERSION)
        return answer.get("results") if isinstance(answer, dict) else answer


def _scores(answer: Any, count: int) -> list[float]:
    found: dict[int, float] = {}
    for item in answer if isinstance(answer, list) else ():
        place, score = (item.get("index"), _score(item)) if isinstance(item, dict) else (None, None)
        if is_number(score) and isinstance(place, int) and not isinstance(place, bool):
            found[place] = float(score)
    if sorted(found) != list(range(count)) or len(answer) != count:
        raise ModelAnswerInvalid(
            f"the rerank server answered {repr(answer)[:80]} for {count} texts; it needs one index and score a text"
        )
    return [found[place] for place in range(count)]


def _score(item: dict[str, Any]) -> Any:
    return item.get("score", item.get("relevance_score"))
