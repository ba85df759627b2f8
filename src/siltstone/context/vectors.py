"""Vector stores of others, by the methods that they have. Every vector carries the ids of its memory and its user."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siltstone.errors import InvalidInput, ModelAnswerInvalid

SEARCHES = ("search_vectors", "search")
WRITES = ("store_vectors", "add")
FIRST = 64
"""Vectors asked for at first; doubled until enough of them are the user's, or the store gives no more."""


class VectorStore:
    """Somebody's vector store, checked once, called by the duck type of the context reference (section 7)."""

    def __init__(self, store: Any) -> None:
        if not callable(getattr(store, "embed", None)) or not _has(store, WRITES) or not _has(store, SEARCHES):
            raise InvalidInput(
                f"a {type(store).__name__} is no vector store: it needs embed, {' or '.join(WRITES)}, and "
                f"{' or '.join(SEARCHES)}; wrap it (siltstone.context.adapters has FAISS and Chroma), or leave it out"
            )
        self.store = store
        self._dimension: int | None = None

    def put(self, text: str, facts: Mapping[str, Any]) -> str:
        """Embed and keep one text under these facts; the id of its vector. What the store raises is raised."""
        return self.put_vectors([self._embed(text)], [facts], [text])[0]

    def put_vectors(
        self, vectors: Sequence[Any], facts: Sequence[Mapping[str, Any]], texts: Sequence[str] = ()
    ) -> list[str]:
        """Keep vectors with their facts, copied; their ids."""
        from siltstone.retrieval.facade import finite

        checked = [finite(vector, self._dimension) for vector in vectors]
        self._dimension = len(checked[0]) if checked else self._dimension
        told = [dict(item) for item in facts]
        if hasattr(self.store, "store_vectors"):
            ids = self.store.store_vectors(vectors=checked, metadata=told)
        else:
            pieces = list(texts) or [str(item.get("content", "")) for item in told]
            rows = zip(checked, told, pieces, strict=True)
            ids = self.store.add([{"vector": row, "metadata": fact, "content": text} for row, fact, text in rows])
        if not isinstance(ids, Sequence) or len(ids) != len(checked):
            raise ModelAnswerInvalid(
                f"the vector store answered {ids!r} for {len(checked)} vectors; it must give their ids"
            )
        return [str(item) for item in ids]

    def drop(self, ids: Sequence[str]) -> bool:
        """Delete vectors by id; False where there are some and the store has no method for it: then they stay."""
        delete = getattr(self.store, "delete_vectors", None) or getattr(self.store, "delete", None)
        if ids and delete is not None:
            delete(list(ids))
        return not ids or delete is not None

    def cosines(self, query: str, user_id: str, wanted: int) -> dict[str, float]:
        """The similarity on [0, 1] of the user's nearest memories, by memory id, at least `wanted` where there are."""
        vector = self._embed(query) if hasattr(self.store, "search_vectors") else None
        count = max(FIRST, 2 * wanted)
        while True:
            hits = self._search(query, vector, count)
            found: dict[str, float] = {}
            for facts, score in hits:
                memory_id = facts.get("memory_id")
                if facts.get("user_id") == user_id and memory_id is not None:
                    found[str(memory_id)] = max(found.get(str(memory_id), 0.0), min(score, 1.0))
            if len(found) >= wanted or len(hits) < count:
                return found
            count *= 2

    def _search(self, query: str, vector: Any, count: int) -> list[tuple[Mapping[str, Any], float]]:
        if vector is not None:
            hits = self.store.search_vectors(query_vector=vector, k=count)
        else:
            hits = self.store.search(query=query, limit=count)
        return [(_part(hit, "metadata") or {}, float(_part(hit, "score") or 0.0)) for hit in hits]

    def _embed(self, text: str) -> Any:
        from siltstone.retrieval.facade import finite

        return finite(self.store.embed(text), self._dimension)

    def save(self, path: str) -> None:
        """Let the store write itself to that path, where it can."""
        self._call("save", path)

    def load(self, path: str) -> None:
        """Let the store read itself from that path, where it can."""
        self._call("load", path)

    def _call(self, name: str, path: str) -> None:
        act: Callable[[str], object] | None = getattr(self.store, name, None)
        if act is not None:
            act(path)


def _part(hit: Any, name: str) -> Any:
    return hit.get(name) if isinstance(hit, Mapping) else getattr(hit, name, None)


def _has(store: object, names: Sequence[str]) -> bool:
    return any(callable(getattr(store, name, None)) for name in names)
