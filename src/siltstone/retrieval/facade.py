"""memory.vectors: what words, vectors and graph say of each memory by themselves, and vectors that a caller made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.events import TEXTS_EMBEDDED, Draft
from siltstone.domain.options import Narrow, checked
from siltstone.domain.records import text_key
from siltstone.domain.values import ENTRY, Degraded
from siltstone.errors import InvalidInput, NotFound
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder
from siltstone.ports.stores import Partition
from siltstone.retrieval import embedding, search
from siltstone.retrieval.blend import Blend, Mixture, blend
from siltstone.retrieval.indexing import embedding_text
from siltstone.retrieval.mask import ENTRY_KINDS, mask
from siltstone.retrieval.shelf import Shelf
from siltstone.retrieval.vectors import Space
from siltstone.text import checks


class VectorVerbs:
    """The scores under a recall, one at a time. But for `put`, nothing is written."""

    def __init__(
        self,
        partition: Callable[[str], Partition],
        shelf: Shelf,
        embedders: tuple[Embedder | None, Embedder | None],
        clock: Clock,
    ) -> None:
        self._partition, self._shelf, self._clock = partition, shelf, clock
        self._embedder, self._second = embedders

    def blend(
        self, query: str, *, user_id: str, top_k: int, mixture: Mixture, **narrow: Unpack[Narrow]
    ) -> tuple[Blend, Degraded | None]:
        """The `top_k` best memories by V·(1 − α) + G·α (see `retrieval.blend`), and what could not take part.

        Where the mixture brings neither vector nor cosines, the memory's own embedder is asked.
        """
        checked("blend", Narrow, narrow)
        partition = self._partition(user_id)
        wanted, now = checks.narrowed(narrow, user_id=user_id), self._clock.now()
        asked = search.request(query, top_k=top_k, wanted=wanted, recent_session=None, now=now)
        failure = None
        if mixture.cosines is None and mixture.vector is None:
            meant = embedding.ask(self._embedder, None, asked.text)
            failure = next(iter(meant.failures), None)
            mixture = replace(mixture, vector=None if meant.meaning.first is None else meant.meaning.first.vector)
        with self._shelf.current(partition, self._spaces) as corpus:
            return blend(corpus, asked.text, mixture, mask(corpus, wanted, now), asked.top_k), failure

    @property
    def _spaces(self) -> tuple[Space, ...]:
        return embedding.spaces(self._embedder, self._second)

    def excess(self, *, user_id: str, most: int | None = None, before: datetime | None = None) -> list[str]:
        """The memories beyond the newest `most`, and those that occurred before that moment, oldest first."""
        with self._shelf.current(self._partition(user_id), self._spaces) as corpus:
            live = np.flatnonzero(corpus.live.view & mask_entries(corpus))
            ranked = live[np.lexsort((corpus.origin.view[live], corpus.occurred.view[live]))]
            old = 0 if before is None else int(np.searchsorted(corpus.occurred.view[ranked], before.timestamp()))
            many = 0 if most is None else max(len(ranked) - most, 0)
            return [corpus.ids[row] for row in ranked[: max(old, many)]]

    def put(self, vectors: Mapping[str, Sequence[float]], *, user_id: str) -> list[str]:
        """Keep vectors that the caller made with the memory's embedder, by memory id; answers the ids.

        A memory that has a vector keeps it. Raises InvalidInput for another dimension or a number that is not finite,
        NotFound for an unknown id.
        """
        if self._embedder is None:
            raise InvalidInput("the memory has no embedder whose space the vectors could be in; configure one")
        partition = self._partition(user_id)
        keyed = {self._key(memory_id, partition): self._checked(vector) for memory_id, vector in vectors.items()}
        told: dict[str, Any] = {"model": self._embedder.fingerprint, "count": len(keyed)}
        draft = Draft(id=self._clock.new_id(), kind=TEXTS_EMBEDDED, at=self._clock.now(), payload=told)
        partition.commit(lambda view: (draft,), model=self._embedder.fingerprint, vectors=keyed)
        return list(vectors)

    def _key(self, memory_id: str, partition: Partition) -> str:
        record = partition.get(ENTRY, memory_id)
        if record is None:
            raise NotFound(f"there is no memory {memory_id!r}; store its text first, then its vector")
        return text_key(embedding_text(record.body))

    def _checked(self, vector: Sequence[float]) -> bytes:
        assert self._embedder is not None
        numbers = finite(vector, self._embedder.dimension)
        return (numbers / max(float(np.linalg.norm(numbers)), 1e-12)).astype("<f4").tobytes()


def mask_entries(corpus: Any) -> NDArray[np.bool_]:
    """Which rows are entries, and no beliefs."""
    kinds = [corpus.kinds.known(kind) for kind in ENTRY_KINDS]
    found: NDArray[np.bool_] = np.isin(corpus.kind.view, kinds)
    return found


def finite(vector: Sequence[float], dimension: int | None) -> NDArray[np.float32]:
    """The vector as float32. Raises InvalidInput for another dimension, or a number that is not finite."""
    numbers: NDArray[np.float32] = np.asarray(vector, np.float32).reshape(-1)
    if dimension and len(numbers) != dimension:
        raise InvalidInput(f"a vector has {len(numbers)} numbers and the store {dimension}; use one embedder for both")
    if not len(numbers) or not math.isfinite(float(np.abs(numbers).sum())):
        raise InvalidInput("a vector is empty or holds numbers that are not finite; check the embedder")
    return numbers
