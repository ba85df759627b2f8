"""An embedder behind an OpenAI-compatible `/v1/embeddings` (OpenAI, DashScope, TEI, Ollama and others)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelRefused
from siltstone.models.answers import cut, unit_length, vectors_of
from siltstone.models.http import JsonServer, Policy
from siltstone.models.known import KnownModel, known_model

PATH, VERSION = "/embeddings", "/v1"
TEXT_LIMIT = 8_000
TOO_MUCH = (413, 422)


class Patience(TypedDict, total=False):
    """The settings of `Policy` that an embedder takes by name."""

    timeout: float
    retries: int
    budget: float
    backoff: float
    longest_wait: float
    breaker_failures: int
    breaker_rest: float


class EndpointEmbedder:
    """Embeds by asking a server; each text is cut to its first 8,000 characters.

    `server` is an address (root, `/v1` base or full endpoint) or a JsonServer; with an address, `api_key` and the
    fields of `Policy` apply. `dimension` is checked against every answer; for a model known to be cut safely it also
    shortens the vectors. Nothing is sent before the first `embed`. Threads may share one; `close` releases its
    connections.
    """

    languages = frozenset[str]()
    inline = False

    def __init__(
        self,
        server: str | JsonServer,
        *,
        model: str,
        api_key: str | None = None,
        dimension: int | None = None,
        batch: int = 32,
        **patience: Unpack[Patience],
    ) -> None:
        if not model or batch < 1 or (dimension is not None and dimension < 1):
            raise InvalidInput(f"no embedder has model {model!r}, dimension {dimension}, batch {batch}; name the model")
        if isinstance(server, str):
            server = JsonServer(server, api_key=api_key, policy=Policy(**patience))
        elif api_key or patience:
            raise InvalidInput("a JsonServer has its own api_key and policy; give them to it")
        self._server, self._model = server, model
        self._known = known_model(model) or KnownModel(dimension=0)
        self._batch = min(batch, self._known.batch or batch)
        self._declared = dimension
        self._learned = dimension or self._known.dimension
        self._asks_for_size = self._is_cut
        if self._known.smallest and dimension and dimension < self._known.smallest:
            raise InvalidInput(f"{model} has no useful vectors of {dimension}; use {self._known.smallest} or more")

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self._server!r}, model={self._model!r}, dimension={self._declared})"

    @property
    def fingerprint(self) -> str:
        """Model, size, prefixes and text limit; not the host, which may change. Asks nobody."""
        size = self._declared or self._known.dimension or "native"
        prefixes = f"{self._known.query_prefix}|{self._known.text_prefix}"
        return f"endpoint/{self._model}/{size}/{prefixes}/{TEXT_LIMIT}"

    @property
    def dimension(self) -> int:
        """The vectors' size: as declared, known by name or seen in an answer; else one short text is sent to see."""
        if not self._learned:
            self.embed_query("dimension")
        return self._learned

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors, shape (len(texts), dimension). Raises ModelUnavailable or ModelAnswerInvalid."""
        prefix = self._known.text_prefix
        cut_texts = [prefix + text[:TEXT_LIMIT] for text in texts]
        starts = range(0, len(texts), self._batch)
        parts = [self._ask(cut_texts[start : start + self._batch]) for start in starts]
        return np.concatenate(parts) if parts else np.empty((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """A query's unit-length vector, shape (dimension,), with the query prefix of a model that needs one."""
        row: NDArray[np.float32] = self._ask([self._known.query_prefix + text[:TEXT_LIMIT]])[0]
        return row

    def close(self) -> None:
        """Releases the connections; the next call opens new ones."""
        self._server.close()

    @property
    def _is_cut(self) -> bool:
        known = self._known
        return bool(known.smallest and self._declared and self._declared != known.dimension)

    def _ask(self, texts: list[str]) -> NDArray[np.float32]:
        """One batch; halved where the server says that it is too much at once."""
        try:
            answer = self._post(texts)
        except ModelRefused as refusal:
            if refusal.status not in TOO_MUCH or len(texts) == 1:
                raise
            middle = len(texts) // 2
            return np.concatenate([self._ask(texts[:middle]), self._ask(texts[middle:])])
        return self._sized(vectors_of(answer, len(texts)))

    def _post(self, texts: list[str]) -> object:
        body: dict[str, object] = {"model": self._model, "input": texts}
        if not self._asks_for_size:
            return self._server.post_json(PATH, body, version=VERSION)
        try:
            return self._server.post_json(PATH, {**body, "dimensions": self._declared}, version=VERSION)
        except ModelRefused as refusal:
            if refusal.status not in (400, 422):
                raise
            answer = self._server.post_json(PATH, body, version=VERSION)
            self._asks_for_size = False
            return answer

    def _sized(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        wanted = self._learned or rows.shape[1]
        if self._is_cut and rows.shape[1] > wanted:
            rows = cut(rows, wanted, centred=self._known.centred)
        if rows.shape[1] != wanted:
            raise ModelAnswerInvalid(
                f"{self._model} answered vectors of {rows.shape[1]}, not {wanted}; set that as the dimension and "
                "reindex, or ask for a model that may be cut"
            )
        unit = unit_length(rows)
        self._learned = wanted
        return unit
