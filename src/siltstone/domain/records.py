"""A record is one row of a projection: what the fold of the journal says that one memory is now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One memory as it stands at journal position `seq`.

    `body` is plain JSON. `terms` are its index terms, joined by blanks ("" = not searchable by words). `vector_key`
    names its vector ("" = none). A record that is not `live` is kept for its history and is never recalled.
    `origin` is the position at which the memory first appeared: it orders turns within a session.
    """

    kind: str
    id: str
    seq: int
    origin: int
    body: Mapping[str, Any] = field(default_factory=dict)
    terms: str = ""
    vector_key: str = ""
    live: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A record that has to be erased from the projection."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """One stored embedding: float32 little-endian bytes, unit length, of the text that `key` is the hash of."""

    key: str
    seq: int
    data: bytes


Get = Callable[[str, str], Record | None]
"""(kind, id) → the record as the projection holds it now."""


def text_key(text: str) -> str:
    """The name under which a text's vectors are stored: 32 hex digits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def canonical(value: Any) -> str:
    """JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def fingerprint(records: Iterable[Record], vectors: Iterable[tuple[str, Vector]]) -> str:
    """SHA-256 over all records, ordered by kind and id, and all (model, vector) pairs, ordered by model and key."""
    digest = hashlib.sha256()
    for record in sorted(records, key=lambda r: (r.kind, r.id)):
        row = [record.kind, record.id, record.seq, record.origin, record.terms, record.vector_key, record.live]
        digest.update(canonical([*row, record.body]).encode("utf-8", "surrogatepass"))
    for model, vector in sorted(vectors, key=lambda pair: (pair[0], pair[1].key)):
        digest.update(f"{model} {vector.key} {vector.seq}".encode())
        digest.update(vector.data)
    return digest.hexdigest()
