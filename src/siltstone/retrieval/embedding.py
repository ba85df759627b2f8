"""Vectors for texts, asked for outside any transaction. A model that fails leaves the texts waiting, and says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from siltstone.domain.records import text_key
from siltstone.domain.values import Degraded
from siltstone.errors import MissingDependency, ModelError
from siltstone.ports.models import Embedder, Thesaurus
from siltstone.ports.stores import Partition
from siltstone.retrieval.evidence import Meaning
from siltstone.retrieval.indexing import embedding_text

PART = "semantic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Vectors by text key, ready to commit, and why there are fewer than asked for, if so."""

    vectors: Mapping[str, bytes] = field(default_factory=dict)
    failure: Degraded | None = None


def embed_texts(embedder: Embedder | None, texts: Sequence[str], partition: Partition) -> Embedded:
    """The vectors of those texts that have none in the partition yet; of all, where making them is quicker than looking."""
    if embedder is None or not texts:
        return Embedded()
    wanted = {text_key(text): text for text in texts if text}
    try:
        model = embedder.fingerprint
        known = set() if embedder.inline else partition.vector_keys(model, list(wanted))
        fresh = {key: text for key, text in wanted.items() if key not in known}
        vectors = embedder.embed(list(fresh.values())) if fresh else ()
    except (ModelError, MissingDependency) as error:
        return Embedded(failure=why(error))
    return Embedded(vectors={key: vector.astype("<f4").tobytes() for key, vector in zip(fresh, vectors, strict=True)})


def meaning(embedder: Embedder | None, text: str) -> tuple[Meaning, Degraded | None]:
    """What the embedder says of a query, or why it says nothing."""
    if embedder is None:
        return Meaning(), None
    try:
        vector = embedder.embed_query(text)
        thesaurus = embedder if isinstance(embedder, Thesaurus) else None
        return Meaning(vector=vector, thesaurus=thesaurus), None
    except (ModelError, MissingDependency) as error:
        return Meaning(), why(error)


def why(error: Exception) -> Degraded:
    """The error as a declared gap."""
    return Degraded(part=PART, reason=str(error), remedy="run: siltstone doctor")


def embed_payloads(embedder: Embedder | None, payloads: Sequence[Mapping[str, Any]], partition: Partition) -> Embedded:
    """Vectors for what is about to be written; an embedder that is not `inline` leaves them to `reindex`."""
    texts = [embedding_text(item) for item in payloads if item.get("text")]
    if embedder is None or not texts:
        return Embedded()
    if not embedder.inline:
        return Embedded(failure=Degraded(part=PART, reason="vectors are made later", remedy="run: siltstone reindex"))
    return embed_texts(embedder, texts, partition)


def embed_or_raise(embedder: Embedder | None, texts: Sequence[str], partition: Partition) -> Embedded:
    """The same vectors, for callers who asked for nothing else: a failing model raises its error."""
    if embedder is None:
        raise MissingDependency("wordllama", "local")
    vectors = embedder.embed(list(texts))
    keyed = {text_key(text): vector.astype("<f4").tobytes() for text, vector in zip(texts, vectors, strict=True)}
    return Embedded(vectors=keyed)


def waiting_texts(embedder: Embedder | None, partition: Partition) -> list[str]:
    """The distinct texts of live memories that have no vector of this model yet, in order of writing."""
    if embedder is None:
        raise MissingDependency("wordllama", "local")
    texts = {
        record.vector_key: embedding_text(record.body)
        for record in partition.records()
        if record.live and record.vector_key
    }
    known = partition.vector_keys(embedder.fingerprint, list(texts))
    return [text for key, text in texts.items() if key not in known]


def model_name(embedder: Embedder | None) -> str:
    """The embedder's fingerprint; "" without one."""
    return "" if embedder is None else embedder.fingerprint


def space(embedder: Embedder | None, failure: Degraded | None) -> dict[str, Any]:
    """The vector space that an index is built for: `model` and `dimension`; none while the embedder fails."""
    if embedder is None or failure is not None:
        return {"model": "", "dimension": 0}
    return {"model": embedder.fingerprint, "dimension": embedder.dimension}
