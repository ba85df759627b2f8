"""Events, records and vectors as the server holds them, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from siltstone.domain.events import Event
from siltstone.domain.records import Record, Vector
from siltstone.domain.values import format_time
from siltstone.errors import StoreCorrupt
from siltstone.stores.codec import encode

Name = tuple[str, str]
FIELD = "event"


def event_text(event: Event) -> str:
    """An entry of the journal."""
    parts = {"id": event.id, "kind": event.kind, "version": event.version, "at": format_time(event.at)}
    return encode({**parts, "payload": event.payload})


def to_events(entries: Sequence[Sequence[Any]], user_id: str) -> list[Event]:
    """The events in these entries of the stream."""
    found = _parsed([entry[1][1] for entry in entries], "journal", user_id)
    return [
        Event(
            user_id=user_id,
            seq=place(entry[0]),
            id=row["id"],
            kind=row["kind"],
            version=row["version"],
            at=datetime.fromisoformat(row["at"]),
            payload=row["payload"],
        )
        for entry, row in zip(entries, found, strict=True)
    ]


def to_vectors(entries: Iterable[Sequence[Any]]) -> list[Vector]:
    """The vectors in these entries of their stream."""
    return [Vector(key=fields[0].decode(), seq=place(name), data=fields[1]) for name, fields in entries]


def place(entry_id: bytes) -> int:
    """The position in the id of a stream's entry."""
    return int(entry_id.partition(b"-")[0])


def field_of(name: Name) -> str:
    """The field of `records` that holds that record."""
    return f"{name[0]}\0{name[1]}"


def name_of(field: bytes) -> Name:
    """The inverse of `field_of`."""
    kind, _, memory_id = field.decode().partition("\0")
    return kind, memory_id


def record_text(record: Record) -> str:
    """A value of `records`."""
    row: dict[str, Any] = {"seq": record.seq, "origin": record.origin, "live": record.live, "key": record.vector_key}
    return encode({**row, "terms": record.terms, "body": record.body})


def to_records(found: Mapping[bytes, bytes], user_id: str) -> list[Record]:
    """The records that these fields hold; raises StoreCorrupt where one cannot be read."""
    parsed = _parsed(list(found.values()), "records", user_id)
    try:
        return [
            Record(
                kind=kind,
                id=memory_id,
                seq=row["seq"],
                origin=row["origin"],
                body=row["body"],
                terms=row["terms"],
                vector_key=row["key"],
                live=row["live"],
            )
            for (kind, memory_id), row in zip(map(name_of, found), parsed, strict=True)
        ]
    except (KeyError, TypeError, UnicodeDecodeError) as error:
        raise _damaged("records", user_id, error) from error


def paired(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    """A hash as the server tells it: fields and values by turns."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _parsed(texts: Sequence[bytes], where: str, user_id: str) -> list[dict[str, Any]]:
    """One call of the parser for all of them, which costs half of one call for each."""
    try:
        rows: list[dict[str, Any]] = json.loads(b"[" + b",".join(texts) + b"]")
    except (ValueError, TypeError) as error:
        raise _damaged(where, user_id, error) from error
    return rows


def _damaged(where: str, user_id: str, error: Exception) -> StoreCorrupt:
    return StoreCorrupt(
        f"the {where} of {user_id!r} are damaged on the server ({error}); run: siltstone doctor --repair"
    )
