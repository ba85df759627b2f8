"""Chroma, as its README shows it, with the shared embedder."""

from __future__ import annotations

from pathlib import Path

import chromadb
import shared
from chromadb.config import Settings
from locomo_data import Sample


class Chroma:
    """A collection a conversation."""

    def __init__(self, folder: Path, embedder: shared.SharedEmbedder) -> None:
        self._client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        self._embedder = embedder

    def add(self, sample: Sample) -> None:
        """Add the turns with their vectors."""
        texts = [shared.spoken(turn) for turn in sample.turns]
        collection = self._client.create_collection(
            sample.id, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )
        collection.add(
            ids=[turn.id for turn in sample.turns], documents=texts, embeddings=list(self._embedder.texts(texts))
        )

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, nearest first."""
        collection = self._client.get_collection(conversation, embedding_function=None)
        found = collection.query(query_embeddings=[self._embedder.query(question)], n_results=depth)
        return found["ids"][0]


def open_system(folder: Path, vectors: Path, option: str) -> Chroma:
    """The system, in its folder."""
    return Chroma(folder, shared.SharedEmbedder(vectors))
