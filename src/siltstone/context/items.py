"""What is kept and what is found, in the forms of the context reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from siltstone.domain.values import Entry, format_time
from siltstone.errors import InvalidInput
from siltstone.text import checks

OWN = "siltstone.context"
"""The metadata key under which an entry keeps what a context was told beside its text."""
SCOPES = ("user_id", "conversation_id")


@dataclass(slots=True)
class MemoryItem:
    """The unit of storage: a text with its time, tags, vector and entities. All but the first three are keyword-only.

    `oversized` marks an item that alone holds more tokens than the short-term buffer may.
    """

    content: str
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    metadata: dict[str, Any] = field(default_factory=dict)
    embedding: list[float] | None = field(default=None, kw_only=True)
    entities: list[dict[str, Any]] = field(default_factory=list, kw_only=True)
    relationships: list[dict[str, Any]] = field(default_factory=list, kw_only=True)
    memory_id: str | None = field(default=None, kw_only=True)
    oversized: bool = field(default=False, kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        """The item as plain JSON; `from_dict` reads it back."""
        return {
            "memory_id": self.memory_id,
            "content": self.content,
            "timestamp": format_time(self.timestamp),
            "metadata": deepcopy(self.metadata),
            "embedding": None if self.embedding is None else list(self.embedding),
            "entities": deepcopy(self.entities),
            "relationships": deepcopy(self.relationships),
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> MemoryItem:
        """The item that `to_dict` wrote. Raises InvalidInput."""
        given: object = told
        if not isinstance(given, Mapping) or not isinstance(told.get("content"), str):
            raise InvalidInput(f"{str(told)[:80]!r} is no memory item; give a dict with its content as text")
        moment = checks.moment("timestamp", told.get("timestamp")) or datetime.now(UTC)
        return cls(
            told["content"],
            moment,
            deepcopy(dict(told.get("metadata", None) or {})),
            embedding=told.get("embedding"),
            entities=deepcopy(list(told.get("entities") or ())),
            relationships=deepcopy(list(told.get("relationships") or ())),
            memory_id=told.get("memory_id") or told.get("id"),
        )


@dataclass(slots=True)
class RetrievedContext:
    """One result of `ContextRetriever.retrieve`. `memory_id` or `node_id` names what was found."""

    content: str
    score: float
    source: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    related_entities: list[dict[str, Any]] = field(default_factory=list)
    related_relationships: list[dict[str, Any]] = field(default_factory=list)
    memory_id: str | None = field(default=None, kw_only=True)
    node_id: str | None = field(default=None, kw_only=True)
    vector_score: float = field(default=0.0, kw_only=True)
    graph_score: float = field(default=0.0, kw_only=True)


def item(entry: Entry, user_id: str) -> MemoryItem:
    """An entry as a memory item: metadata copied, with the scope that it was kept under."""
    extra = told(entry)
    return MemoryItem(
        entry.text,
        entry.occurred_at,
        metadata(entry, user_id),
        entities=deepcopy(list(extra.get("entities", ()))),
        relationships=deepcopy(list(extra.get("relationships", ()))),
        memory_id=entry.id,
    )


def as_dict(found: MemoryItem) -> dict[str, Any]:
    """A memory item as the reading verbs answer it."""
    return {
        "memory_id": found.memory_id,
        "id": found.memory_id,
        "content": found.content,
        "timestamp": found.timestamp,
        "metadata": found.metadata,
        "entities": found.entities,
        "relationships": found.relationships,
    }


def told(entry: Entry) -> Mapping[str, Any]:
    """What a context was told beside the entry's text: entities, relationships, the id of a vector elsewhere."""
    found: Mapping[str, Any] = entry.metadata.get(OWN) or {}
    return found


def vector_ids(entry: Entry) -> list[str]:
    """The ids of all vectors that another store keeps for the entry: that of its text, then those of the caller."""
    extra = told(entry)
    own = [extra["vector_id"]] if "vector_id" in extra else []
    return [str(name) for name in (*own, *extra.get("vector_ids", ()))]


def metadata(entry: Entry, user_id: str) -> dict[str, Any]:
    """The caller's own metadata, copied, with user_id and, where there is one, conversation_id."""
    own = {key: value for key, value in deepcopy(dict(entry.metadata)).items() if key != OWN}
    own["user_id"] = user_id
    return own | ({"conversation_id": entry.session_id} if entry.session_id else {})


def plain(given: object, **scope: str | None) -> dict[str, Any]:
    """The metadata as it is kept: copied, without the scope. Raises InvalidInput where it contradicts the call's."""
    kept = dict(checks.mapping(given))
    for key in SCOPES:
        said = kept.pop(key, None)
        if said is not None and said != scope.get(key):
            raise InvalidInput(
                f"the metadata names the {key} {said!r} and the call {scope.get(key)!r}; pass {key}={said!r} to the call"
            )
    if OWN in kept:
        raise InvalidInput(f"the metadata key {OWN!r} is taken; choose another name")
    return kept


def dicts(name: str, given: object) -> list[dict[str, Any]]:
    """Entities or relationships as given, copied; a bare text is an entity of that name. Raises InvalidInput."""
    if given is None:
        return []
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise InvalidInput(f"{name} cannot be {given!r}; give a list of dicts")
    found = [{"text": told} if isinstance(told, str) else told for told in given]
    for told in found:
        if not isinstance(told, Mapping):
            raise InvalidInput(f"{name} cannot hold {told!r}; give a list of dicts")
    return [deepcopy(dict(told)) for told in found]
