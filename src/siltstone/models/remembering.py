"""An embedder that remembers the vectors of recent queries: a repeated question asks no server."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from siltstone.ports.models import Embedder

MOST = 512
"""Queries that are remembered; the longest unused go first."""


class RememberingEmbedder:
    """Implements `ports.models.Embedder` over another one, whose answer to a query is reused for `seconds`.

    It belongs to one model: vectors of two models never meet. Texts to be kept are always asked for. Safe from threads.
    """

    def __init__(self, embedder: Embedder, seconds: float, *, now: Callable[[], float] = time.monotonic) -> None:
        self._embedder, self._seconds, self._now = embedder, seconds, now
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, tuple[float, NDArray[np.float32]]] = OrderedDict()

    @property
    def fingerprint(self) -> str:
        """That of the model."""
        return self._embedder.fingerprint

    @property
    def dimension(self) -> int:
        """That of the model."""
        return self._embedder.dimension

    @property
    def languages(self) -> frozenset[str]:
        """Those of the model."""
        return self._embedder.languages

    @property
    def inline(self) -> bool:
        """As the model is."""
        return self._embedder.inline

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        with self._lock:
            found = self._vectors.get(text)
            if found is not None and self._now() - found[0] < self._seconds:
                self._vectors.move_to_end(text)
                return found[1].copy()
        vector = self._embedder.embed_query(text)
        with self._lock:
            self._vectors[text] = self._now(), vector.copy()
            self._vectors.move_to_end(text)
            while len(self._vectors) > MOST:
                self._vectors.popitem(last=False)
        return vector

    def close(self) -> None:
        """Release what the model holds."""
        close = getattr(self._embedder, "close", None)
        if close is not None:
            close()
