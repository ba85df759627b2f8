"""A Chroma collection as a vector store."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

PLAIN = (str, int, float, bool)


class ChromaVectors:
    """`collection` is made with `configuration={"hnsw": {"space": "cosine"}}`; `embed` turns a text into a vector."""

    def __init__(self, collection: Any, embed: Callable[[str], Sequence[float]]) -> None:
        self.collection, self.embed = collection, embed

    def store_vectors(self, vectors: Sequence[Any], metadata: Sequence[Mapping[str, Any]]) -> list[str]:
        """Keep vectors with those of their facts that Chroma can hold; their ids."""
        ids = [uuid.uuid4().hex for _ in vectors]
        facts = [{key: value for key, value in item.items() if isinstance(value, PLAIN)} for item in metadata]
        rows = [[float(number) for number in vector] for vector in vectors]
        self.collection.add(ids=ids, embeddings=rows, metadatas=facts)
        return ids

    def search_vectors(self, query_vector: Any, k: int) -> list[dict[str, Any]]:
        """The `k` nearest: id, score (1 − cosine distance), metadata."""
        held = self.collection.count()
        if not held:
            return []
        row = [float(number) for number in query_vector]
        found = self.collection.query(query_embeddings=[row], n_results=min(k, held))
        rows = zip(found["ids"][0], found["distances"][0], found["metadatas"][0], strict=True)
        return [{"id": item, "score": 1.0 - distance, "metadata": dict(facts)} for item, distance, facts in rows]

    def delete_vectors(self, ids: Sequence[str]) -> bool:
        """Take vectors out."""
        self.collection.delete(ids=list(ids))
        return True
