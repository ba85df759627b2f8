"""Reindexing: texts that lack a vector of a current model get one. Resumable: each batch is a commit of its own."""

from __future__ import annotations

from collections.abc import Sequence

from siltstone.domain.events import TEXTS_EMBEDDED, Draft
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder
from siltstone.ports.stores import Partition, Progress
from siltstone.retrieval import embedding

BATCH = 256


def reindex(partition: Partition, embedders: Sequence[Embedder], clock: Clock, progress: Progress | None = None) -> int:
    """Embed what waits, model by model; answers how many vectors were made. Raises ModelError."""
    waiting = [(embedder, embedding.waiting_texts(embedder, partition)) for embedder in embedders]
    done, total = 0, sum(len(texts) for _, texts in waiting)
    for embedder, texts in waiting:
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            _embed(partition, embedder, batch, clock)
            done += len(batch)
            if progress is not None:
                progress(done, total)
    return done


def _embed(partition: Partition, embedder: Embedder, texts: Sequence[str], clock: Clock) -> None:
    embedded = embedding.embed_or_raise(embedder, texts, partition)
    model = embedding.model_name(embedder)
    payload = {"model": model, "count": len(texts)}
    draft = Draft(id=clock.new_id(), kind=TEXTS_EMBEDDED, at=clock.now(), payload=payload)
    partition.commit(lambda view: (draft,), model=model, vectors=embedded.vectors)
