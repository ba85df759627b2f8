"""A FAISS index as a vector store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Embed = Callable[[str], Sequence[float]]


class FaissVectors:
    """`index` is a `faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))` or another that takes ids and removals.

    Vectors are kept at unit length, so that inner products are cosines. `embed` turns a text into a vector.
    """

    def __init__(self, index: Any, embed: Embed) -> None:
        self.index, self.embed = index, embed
        self._facts: dict[int, dict[str, Any]] = {}
        self._next = 0

    def store_vectors(self, vectors: Sequence[Any], metadata: Sequence[Mapping[str, Any]]) -> list[str]:
        """Keep vectors; their ids, which are never given twice."""
        ids = range(self._next, self._next + len(vectors))
        self._next += len(vectors)
        self.index.add_with_ids(_unit(vectors), np.array(ids, np.int64))
        self._facts.update(zip(ids, map(dict, metadata), strict=True))
        return [str(number) for number in ids]

    def search_vectors(self, query_vector: Any, k: int) -> list[dict[str, Any]]:
        """The `k` nearest: id, score, metadata."""
        scores, ids = self.index.search(_unit([query_vector]), max(min(k, len(self._facts)), 1))
        found = zip(ids[0], scores[0], strict=True)
        return [
            {"id": str(number), "score": float(score), "metadata": dict(self._facts[int(number)])}
            for number, score in found
            if int(number) in self._facts
        ]

    def delete_vectors(self, ids: Sequence[str]) -> bool:
        """Take vectors out; whether any of them was there."""
        numbers = [int(item) for item in ids if int(item) in self._facts]
        if numbers:
            self.index.remove_ids(np.array(numbers, np.int64))
        for number in numbers:
            del self._facts[number]
        return bool(numbers)

    def save(self, path: str) -> None:
        """Write vectors and metadata to a file."""
        rows = [[n, self.index.reconstruct(n).tolist(), facts] for n, facts in self._facts.items()]
        Path(path).write_text(json.dumps({"next": self._next, "rows": rows}), encoding="utf-8")

    def load(self, path: str) -> None:
        """Read what `save` wrote, in place of what is here."""
        told = json.loads(Path(path).read_text(encoding="utf-8"))
        self.delete_vectors([str(number) for number in self._facts])
        for number, vector, facts in told["rows"]:
            self.index.add_with_ids(_unit([vector]), np.array([number], np.int64))
            self._facts[number] = facts
        self._next = told["next"]


def _unit(vectors: Sequence[Any]) -> Any:
    rows = np.atleast_2d(np.asarray(vectors, np.float32))
    return np.ascontiguousarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))
