"""JSON as every store writes it, and the fold as every store applies it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from sys import intern
from typing import Any

from siltstone.domain.events import Event, upcast
from siltstone.domain.records import Get, Gone, Record
from siltstone.errors import InvalidInput
from siltstone.ports.stores import Projector

MOST_PLAIN = 2**63
"""Numbers up to this size are copied without asking the encoder; NaN and infinities are not."""
_PLAIN = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ESCAPED = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def encode(value: Mapping[str, Any]) -> str:
    """The mapping as JSON text that UTF-8 can hold; raises InvalidInput where JSON has no form for it.

    Text with lone surrogates, which UTF-8 lacks, is written with escapes; `decode` gives it back unchanged.
    """
    try:
        text = _PLAIN.encode(dict(value))
        return text if is_utf8(text) else _ESCAPED.encode(dict(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"this content has no JSON form ({error}): keys {sorted(map(str, value))}; "
            "use only text, finite numbers, booleans, null, lists and dicts"
        ) from error


def decode(text: str) -> dict[str, Any]:
    """The inverse of `encode`; tuples come back as lists."""
    value: dict[str, Any] = json.loads(text)
    return value


def decode_many(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Each text decoded, in order: one call of the parser, which costs half of one call for each."""
    values: list[dict[str, Any]] = json.loads(f"[{','.join(texts)}]")
    return values


def is_utf8(text: str) -> bool:
    """Whether UTF-8 can hold the text: false for lone surrogates."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def needles(memory_id: str) -> tuple[str, str]:
    """The two forms in which `encode` may have written that id, quotes included."""
    return _PLAIN.encode(memory_id), _ESCAPED.encode(memory_id)


def project(event: Event, projector: Projector, get: Get) -> tuple[Record | Gone, ...]:
    """What the event, read in the newest version of its kind, changes; raises ValueError for a wrong projector."""
    changes = tuple(projector(upcast(event), get))
    for change in changes:
        if isinstance(change, Record) and change.seq != event.seq:
            raise ValueError(
                f"the projector gave {change.kind} {change.id!r} the seq {change.seq} at event {event.seq}; "
                "a changed record carries the seq of the event that changed it"
            )
    return changes


class Overlay:
    """Folds events on top of a projection and collects what changed, to be written in one go."""

    def __init__(self, projector: Projector, base: Get) -> None:
        self._projector, self._base = projector, base
        self._changes: dict[tuple[str, str], Record | None] = {}

    def get(self, kind: str, memory_id: str) -> Record | None:
        """The record as it is after the events applied so far."""
        name = (kind, memory_id)
        return self._changes[name] if name in self._changes else self._base(kind, memory_id)

    def apply(self, events: Iterable[Event]) -> None:
        """Fold these events, each in the newest version of its kind."""
        for event in events:
            for change in project(event, self._projector, self.get):
                name = (change.kind, change.id)
                self._changes[name] = change if isinstance(change, Record) else None

    def changed(self) -> list[Record]:
        """The records that changed and are there, ordered by seq, then kind, then id."""
        found = [record for record in self._changes.values() if record is not None]
        return sorted(found, key=lambda record: (record.seq, record.kind, record.id))

    def gone(self) -> list[Gone]:
        """The records that were erased, ordered by kind, then id."""
        names = sorted(name for name, record in self._changes.items() if record is None)
        return [Gone(kind=kind, id=memory_id) for kind, memory_id in names]

    def clear(self) -> None:
        """Forget the changes: they were written to the base."""
        self._changes.clear()


def normal(record: Record) -> Record:
    """The record as a store gives it back: the body as if it went through JSON, sharing the texts that are the same."""
    return replace(record, body=copied(record.body))


def copied(value: Mapping[str, Any]) -> dict[str, Any]:
    """What `decode(encode(value))` gives. Texts are shared with `value`, and the same key is one text everywhere."""
    try:
        found: dict[str, Any] = _copy(dict(value))
    except (_NotPlain, RecursionError):
        return decode(encode(value))
    return found


class _NotPlain(Exception):
    """A value of another type than JSON's own, or one that JSON may refuse: the encoder decides."""


def _copy(value: Any) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        if any(type(key) is not str for key in value):
            raise _NotPlain
        return {intern(key): _copy(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_copy(item) for item in value]
    if (kind is int or kind is float) and -MOST_PLAIN <= value <= MOST_PLAIN:
        return value
    raise _NotPlain
