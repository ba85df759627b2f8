"""Reindexing: texts that lack a vector of a current model get one. Resumable: each batch is a commit of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from siltstone.domain.events import TEXTS_EMBEDDED, Draft
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder
from siltstone.ports.stores import Partition, Progress, View
from siltstone.retrieval import embedding

BATCH = 64


def reindex(partition: Partition, embedders: Sequence[Embedder], clock: Clock, progress: Progress | None = None) -> int:
    """Embed what waits, model by model; answers how many vectors were made. Raises ModelError."""
    waiting = [(embedder, embedding.waiting(embedder, partition)) for embedder in embedders]
    done, total = 0, sum(len(texts) for _, texts in waiting)
    for embedder, texts in waiting:
        for made in _embedded(partition, embedder, clock, texts):
            done += made
            if progress is not None:
                progress(done, total)
    return done


def batches(partition: Partition, embedder: Embedder, clock: Clock, *, after: int) -> Iterator[int]:
    """Embed what waits of the memories that changed after that position, a batch a step. Raises ModelError."""
    yield from _embedded(partition, embedder, clock, embedding.waiting(embedder, partition, after=after))


def _embedded(
    partition: Partition, embedder: Embedder, clock: Clock, texts: Mapping[str, embedding.Name]
) -> Iterator[int]:
    """Embed and commit a batch a step; a batch of which a memory was purged meanwhile is not kept."""
    model, rows = embedding.model_name(embedder), list(texts.items())
    for start in range(0, len(rows), BATCH):
        batch = dict(rows[start : start + BATCH])
        made = embedding.embed_or_raise(embedder, list(batch))
        payload = {"model": model, "count": len(batch)}
        draft = Draft(id=clock.new_id(), kind=TEXTS_EMBEDDED, at=clock.now(), payload=payload)
        kept = partition.commit(partial(_still, draft, list(batch.values())), model=model, vectors=made.vectors)
        yield len(batch) if kept else 0


def _still(draft: Draft, names: Sequence[embedding.Name], view: View) -> tuple[Draft, ...]:
    return (draft,) if all(view.get(kind, memory_id) is not None for kind, memory_id in names) else ()
