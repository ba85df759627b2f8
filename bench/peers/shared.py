"""What every adapter gets: the conversations, and the embedder that all share.

Vectors of turns are made once, before any system runs, and handed to each that embeds; a question is embedded when it is
asked, so that its cost is in everybody's query time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import locomo_data
import numpy as np
from locomo_data import Sample, Turn
from numpy.typing import NDArray


def key(text: str) -> str:
    """The name of a text's vector."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def spoken(turn: Turn) -> str:
    """A turn as systems without a field for the speaker get it."""
    return f"{turn.speaker}: {turn.text}"


def conversations(data: Path, count: int) -> list[Sample]:
    """The `count` conversations whose ids have the highest hashes, so that the half that nobody tuned on comes first; all for 0."""
    by_hash = sorted(locomo_data.load(data), key=lambda sample: hashlib.sha256(sample.id.encode()).hexdigest())
    samples = by_hash[::-1]
    return samples[:count] if count else samples


class SharedEmbedder:
    """all-MiniLM-L6-v2, 8 bits: vectors of turns from the file, of questions made on the spot."""

    dimension = 384

    def __init__(self, file: Path) -> None:
        from siltstone.models.minilm import MiniLMEmbedder

        self._model = MiniLMEmbedder()
        self._rows: dict[str, int] = {}
        self._matrix: NDArray[np.float32] = np.zeros((0, self.dimension), np.float32)
        if file.exists():
            self._matrix = np.load(file)
            self._rows = {
                name: row for row, name in enumerate(json.loads(file.with_suffix(".json").read_text("utf-8")))
            }

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors, shape (len(texts), 384); those that the file lacks are made."""
        known = [self._rows.get(key(text)) for text in texts]
        rows = [
            self._model.embed_query(text) if row is None else self._matrix[row]
            for text, row in zip(texts, known, strict=True)
        ]
        return np.stack(rows)

    def query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, made now."""
        return self._model.embed_query(text)

    def fill(self, texts: Sequence[str], file: Path) -> int:
        """Makes the vectors that are missing and writes the file; answers how many were made."""
        fresh = list(dict.fromkeys(text for text in texts if key(text) not in self._rows))
        if fresh:
            matrix = np.vstack([self._matrix, self._model.embed(fresh)])
            names = [*self._rows, *map(key, fresh)]
            np.save(file, matrix)
            file.with_suffix(".json").write_text(json.dumps(names), "utf-8")
        return len(fresh)
