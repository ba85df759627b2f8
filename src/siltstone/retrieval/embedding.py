"""Vectors for texts, asked for outside any transaction. A model that fails leaves the texts waiting, and says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from siltstone.domain.records import text_key
from siltstone.domain.values import Degraded
from siltstone.errors import MissingDependency, ModelError, ModelUnavailable
from siltstone.ports.models import Embedder, Thesaurus
from siltstone.ports.stores import Partition
from siltstone.retrieval.channels.semantic import Sight
from siltstone.retrieval.evidence import Meaning
from siltstone.retrieval.indexing import embedding_text
from siltstone.retrieval.query import MOSTLY
from siltstone.retrieval.vectors import Space
from siltstone.text.normal import cjk_share

PART = "semantic"
Name = tuple[str, str]
"""Kind and id of a memory."""


class Told(TypedDict):
    """The part of a receipt that says whether vectors are still to come."""

    status: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Vectors by text key, ready to commit, and why there are fewer than asked for, if so."""

    vectors: Mapping[str, bytes] = field(default_factory=dict)
    failure: Degraded | None = None

    def told(self) -> Told:
        """What a receipt says of it."""
        return Told(status="waiting", waiting_for=(PART,)) if self.failure else Told(status="kept", waiting_for=())


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the embedders said of a query, the vector spaces that take part, and why others do not."""

    meaning: Meaning
    spaces: tuple[Space, ...] = ()
    failures: tuple[Degraded, ...] = ()


def ask(first: Embedder | None, second: Embedder | None, text: str) -> Asked:
    """Both embedders' view of a query. One that fails, or was not made for the query's script, takes no part."""
    if first is None:
        gap = Degraded(part=PART, reason="no embedder", remedy="run: pip install 'siltstone[local]'")
        return Asked(meaning=Meaning(), failures=(gap,))
    sights, spaces, failures = [], [], []
    for embedder in (first, second):
        sight, failure = _see(embedder, text)
        sights.append(sight)
        failures += [failure] if failure else []
        if embedder is not None and failure is None:
            spaces.append(Space(embedder.fingerprint, embedder.dimension))
    thesaurus = first if isinstance(first, Thesaurus) and sights[0] else None
    meaning = Meaning(first=sights[0], second=sights[1], thesaurus=thesaurus)
    return Asked(meaning=meaning, spaces=tuple(spaces), failures=tuple(failures))


def spaces(*embedders: Embedder | None) -> tuple[Space, ...]:
    """The vector spaces of the embedders that there are."""
    return tuple(Space(item.fingerprint, item.dimension) for item in embedders if item is not None)


def spaces_now(*embedders: Embedder | None) -> tuple[Space, ...]:
    """The same; none where a server would have to be asked for its model's dimension and does not answer."""
    try:
        return spaces(*embedders)
    except ModelError:
        return ()


def _see(embedder: Embedder | None, text: str) -> tuple[Sight | None, Degraded | None]:
    cjk = cjk_share(text) > MOSTLY
    if embedder is None or (cjk and embedder.languages and "zh" not in embedder.languages):
        return None, None
    try:
        return Sight(embedder.fingerprint, embedder.embed_query(text), cjk), None
    except (ModelError, MissingDependency) as error:
        return None, why(error)


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


def embed_or_raise(embedder: Embedder, texts: Sequence[str]) -> Embedded:
    """The same vectors, for callers who asked for nothing else: a failing model raises its error."""
    vectors = embedder.embed(list(texts))
    keyed = {text_key(text): vector.astype("<f4").tobytes() for text, vector in zip(texts, vectors, strict=True)}
    return Embedded(vectors=keyed)


def present(first: Embedder | None, second: Embedder | None, provider: str) -> list[Embedder]:
    """The embedders that there are. Raises ModelUnavailable where `provider` is "none", else MissingDependency."""
    if first is None and provider == "none":
        raise ModelUnavailable(
            "there is nothing to embed with, since embedding.provider is 'none'; "
            "set it to 'auto' and run: pip install 'siltstone[local]'"
        )
    if first is None:
        raise MissingDependency("wordllama", "local")
    return [first] if second is None else [first, second]


def waiting_texts(embedder: Embedder, partition: Partition) -> list[str]:
    """The distinct texts of live memories that have no vector of this model yet, in order of writing."""
    return list(waiting(embedder, partition))


def waiting(embedder: Embedder, partition: Partition, *, after: int = 0) -> dict[str, Name]:
    """The same with the memory, as kind and id, that has the text; only of memories that changed after `after`."""
    found = {
        record.vector_key: (embedding_text(record.body), (record.kind, record.id))
        for record in partition.records(after=after)
        if record.live and record.vector_key
    }
    known = partition.vector_keys(embedder.fingerprint, list(found))
    return {text: name for key, (text, name) in found.items() if key not in known}


def model_name(embedder: Embedder | None) -> str:
    """The embedder's fingerprint; "" without one."""
    return "" if embedder is None else embedder.fingerprint
