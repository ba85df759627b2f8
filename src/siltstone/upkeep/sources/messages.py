"""JSON Lines of messages, or one JSON list of them.

A line is a message (`role`, `content`, `speaker`, `session_id`, `occurred_at`, …), a string, or a conversation:
`{"messages": […]}`, whose other keys count for each of its messages. A conversation without `session_id` gets one
from its content.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from siltstone.domain.records import canonical
from siltstone.errors import FormatError
from siltstone.upkeep.sources import document
from siltstone.upkeep.sources.items import Found, Item, Problem
from siltstone.upkeep.sources.lines import Line, Lines

INHERITED = ("session_id", "agent_id", "occurred_at", "timestamp", "created_at", "date", "tags", "metadata")


def read(lines: Lines) -> Iterator[Item]:
    """The messages, in order."""
    head = lines.head()
    first = head[0].text.lstrip()[:1] if head else ""
    if first == "[" or (first == "{" and document.parsed(head[0].text) is None):
        value = document.parsed(lines.whole())
        if value is not None:
            yield from _from_document(value)
            return
    for line in lines:
        yield from _from_line(line)


def parsed_line(line: Line) -> Any:
    """The JSON value of a line, or the Problem with it."""
    fault = line.fault()
    if fault is not None:
        return fault
    try:
        return json.loads(line.text)
    except (ValueError, RecursionError) as error:
        reason = f"it is no JSON ({error})" if line.ended else "it is torn: the file ends in the middle of it"
        return Problem(place=line.place, reason=reason)


def _from_line(line: Line) -> Iterator[Item]:
    value = parsed_line(line)
    if isinstance(value, Problem):
        yield value
    else:
        yield from _from_value(value, line.place)


def _from_document(value: Any) -> Iterator[Item]:
    if isinstance(value, Mapping):
        yield from _from_value(value, "the document")
    elif isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from _from_value(item, f"message {number}")
    else:
        raise FormatError(f"a JSON document of type {type(value).__name__} holds no messages; give a list of them")


def _from_value(value: Any, place: str) -> Iterator[Item]:
    if isinstance(value, Mapping) and isinstance(value.get("messages"), list):
        yield from _conversation(value, place)
    elif isinstance(value, Mapping | str):
        yield Found(message=value, place=place)
    else:
        yield _no_message(value, place)


def _conversation(value: Mapping[str, Any], place: str) -> Iterator[Item]:
    shared = {key: value[key] for key in INHERITED if value.get(key) is not None}
    shared.setdefault("session_id", f"conversation-{_short(canonical(value['messages']))}")
    for number, item in enumerate(value["messages"], 1):
        where = f"{place}, message {number}"
        message = {"content": item} if isinstance(item, str) else item
        if isinstance(message, Mapping):
            yield Found(message={**shared, **message}, place=where)
        else:
            yield _no_message(item, where)


def _no_message(value: Any, place: str) -> Problem:
    return Problem(place=place, reason=f"it is {canonical(value)[:40]}, not a message; give an object with 'content'")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
