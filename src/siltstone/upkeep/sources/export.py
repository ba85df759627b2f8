"""Siltstone's own export: a heading, the events of the journal in order, then the vectors.

| line | keys |
|---|---|
| heading | siltstone (the version of this form), user_id, events (how many follow) |
| event | event (its kind), seq, id, version, at, payload |
| vector | vector (the model), key, seq, data (base64 of float32, little-endian) |

Nothing in it depends on when or where it was written: equal state gives equal bytes.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from typing import Any

from siltstone.domain import events as kinds
from siltstone.domain.events import Event
from siltstone.domain.records import Vector, canonical
from siltstone.domain.values import format_time, parse_time
from siltstone.errors import FormatError
from siltstone.upkeep.sources.items import Problem
from siltstone.upkeep.sources.lines import Line, Lines
from siltstone.upkeep.sources.messages import parsed_line

FORM = 1
IDS = frozenset({kinds.ENTRIES_FORGOTTEN, kinds.ENTRIES_REVIVED, kinds.ENTRIES_PURGED})
TEXTS = {
    kinds.ENTRY_ADDED: ("id", "text", "kind", "occurred_at"),
    kinds.ENTRY_UPDATED: ("id",),
    kinds.FEEDBACK_GIVEN: ("id",),
}


def heading(user_id: str, events: int) -> str:
    """The first line."""
    return _written({"siltstone": FORM, "user_id": user_id, "events": events})


def event_line(event: Event) -> str:
    """One event as a line."""
    about = {"event": event.kind, "seq": event.seq, "id": event.id, "version": event.version}
    return _written(about | {"at": format_time(event.at), "payload": dict(event.payload)})


def vector_line(model: str, vector: Vector) -> str:
    """One vector as a line."""
    data = base64.b64encode(vector.data).decode("ascii")
    return _written({"vector": model, "key": vector.key, "seq": vector.seq, "data": data})


def _written(value: Mapping[str, Any]) -> str:
    """Canonical JSON and a line feed; escapes only where UTF-8 has no form for a text."""
    text = canonical(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return f"{text}\n"


class Reader:
    """Reads an export once: first all `events`, then all `vectors`. What cannot be read ends up in `problems`."""

    def __init__(self, lines: Lines, user_id: str) -> None:
        self._user_id = user_id
        self._lines = iter(lines)
        self._waiting: tuple[str, Vector] | None = None
        self._sizes: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.seen = 0
        self._promised = self._heading()

    def events(self) -> Iterator[Event]:
        """The events up to the first vector."""
        for line in self._lines:
            found = self._parsed(line)
            if isinstance(found, Event):
                self.seen += 1
                yield found
            elif found is not None:
                self._waiting = found
                break
        if self.seen < self._promised and not self._waiting:
            reason = f"it ends after {self.seen} of {self._promised} events; export it again"
            self.problems.append(Problem(place="the export", reason=reason))

    def vectors(self) -> Iterator[tuple[str, Vector]]:
        """The vectors, after the events were read."""
        if self._waiting is not None:
            yield self._waiting
        for line in self._lines:
            found = self._parsed(line)
            if isinstance(found, Event):
                reason = "it is an event after the vectors; it is left out"
                self.problems.append(Problem(place=line.place, reason=reason))
            elif found is not None:
                yield found

    def _heading(self) -> int:
        """How many events the heading promises; raises FormatError where it is none that this version reads."""
        first = next(self._lines, None)
        value = None if first is None else parsed_line(first)
        form = value.get("siltstone") if isinstance(value, Mapping) else None
        if form is None:
            raise FormatError("the source is no export: it has no heading; write one with: siltstone export")
        if form != FORM:
            raise FormatError(f"the export has the form {form!r}, this Siltstone reads {FORM}; upgrade it")
        promised = value.get("events") if isinstance(value, Mapping) else 0
        return promised if isinstance(promised, int) else 0

    def _parsed(self, line: Line) -> Event | tuple[str, Vector] | None:
        value = parsed_line(line)
        if isinstance(value, Problem):
            self.problems.append(value)
            return None
        try:
            if "event" in value:
                return _event(value, self._user_id)
            return self._vector(value)
        except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
            reason = f"it is no event and no vector of an export ({type(error).__name__}: {error})"
            self.problems.append(Problem(place=line.place, reason=reason))
            return None

    def _vector(self, value: Mapping[str, Any]) -> tuple[str, Vector]:
        model, data = _text(value["vector"]), base64.b64decode(value["data"], validate=True)
        size = self._sizes.setdefault(model, len(data))
        if len(data) != size or size % 4 or not size:
            raise ValueError(f"a vector of {len(data)} bytes among vectors of {size}")
        return model, Vector(key=_text(value["key"]), seq=_number(value["seq"]), data=data)


def _event(value: Mapping[str, Any], user_id: str) -> Event:
    at, payload, kind = parse_time(value["at"]), value["payload"], _text(value["event"])
    if at is None or at.tzinfo is None or not isinstance(payload, dict):
        raise ValueError("'at' needs a time with its zone, 'payload' an object")
    if not payload.get("purged"):
        for key in TEXTS.get(kind, ()):
            _text(payload[key])
    if kind in IDS:
        for memory_id in payload["ids"]:
            _text(memory_id)
    return Event(
        user_id=user_id,
        seq=_number(value["seq"]),
        id=_text(value["id"]),
        kind=kind,
        version=_number(value["version"]),
        at=at,
        payload=payload,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{value!r} where a text belongs")
    return value


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise TypeError(f"{value!r} where a number from 1 belongs")
    return value
