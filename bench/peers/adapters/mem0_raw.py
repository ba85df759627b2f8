"""mem0 without its language model: `infer=False` keeps the texts as they are."""

from __future__ import annotations

from pathlib import Path

import shared
from langchain_core.embeddings import Embeddings
from locomo_data import Sample
from mem0 import Memory

NO_KEY = "none"


class Shared(Embeddings):
    """The shared embedder in the form that mem0's langchain provider takes."""

    def __init__(self, embedder: shared.SharedEmbedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of turns."""
        return self._embedder.texts(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        """The vector of one text; mem0 asks this of turns and questions alike."""
        return self._embedder.texts([text])[0].tolist()


class Mem0:
    """A user a conversation."""

    def __init__(self, folder: Path, embedder: shared.SharedEmbedder) -> None:
        self._memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": 384},
                },
                "embedder": {"provider": "langchain", "config": {"model": Shared(embedder), "embedding_dims": 384}},
                "llm": {"provider": "openai", "config": {"api_key": NO_KEY}},
                "history_db_path": str(folder / "history.db"),
            }
        )

    def add(self, sample: Sample) -> None:
        """Add the turns, one call each, as its users do."""
        for turn in sample.turns:
            if turn.text:
                self._memory.add(shared.spoken(turn), user_id=sample.id, infer=False, metadata={"turn": turn.id})

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, best first."""
        found = self._memory.search(question, filters={"user_id": conversation}, top_k=depth, threshold=0.0)
        return [item["metadata"]["turn"] for item in found["results"]]


def open_system(folder: Path, vectors: Path, option: str) -> Mem0:
    """The system, in its folder."""
    return Mem0(folder, shared.SharedEmbedder(vectors))
