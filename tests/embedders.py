"""Stand-ins for other people's embedding models: deterministic, and able to fail on command."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import ModelUnavailable


class WordEmbedder:
    """A text's vector is the sum of its words' hashed directions; `down` makes every call fail, `gate` makes it wait.

    `entered` is set once a call has begun.
    """

    languages = frozenset[str]()
    dimension = 16

    def __init__(self, name: str = "words", *, inline: bool = True) -> None:
        self.fingerprint, self.inline = f"{name}/16", inline
        self.down = False
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors, shape (len(texts), 16)."""
        self.entered.set()
        self.gate.wait(10)
        if self.down:
            raise ModelUnavailable("the stand-in is down; start it")
        self.asked += texts
        return np.stack([self._one(text) for text in texts]) if texts else np.zeros((0, 16), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same for a query."""
        found: NDArray[np.float32] = self.embed([text])[0]
        return found

    def _one(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(16, np.float32)
        for word in (text + " " + self.fingerprint).lower().split():
            digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
            total += np.frombuffer(digest[:16], np.uint8).astype(np.float32) - 128
        unit: NDArray[np.float32] = total / max(float(np.linalg.norm(total)), 1e-9)
        return unit
