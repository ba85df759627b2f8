"""Checking what callers give: names, texts, tags, metadata, times. Each answers the cleaned value or raises InvalidInput."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from siltstone.domain.filters import Filter
from siltstone.domain.options import Narrow
from siltstone.domain.values import format_time
from siltstone.errors import InvalidInput, UnknownFilter, nearest
from siltstone.text.normal import clean

NAME_LIMIT = 256
TEXT_LIMIT = 16_000_000
FILTERS = tuple(key for key in Narrow.__annotations__ if key != "filters")
IDENTITY = frozenset({"user", "user_id", "agent", "agent_id", "run", "run_id", "session", "session_id"})


def user(user_id: object) -> str:
    """The user id, checked: text that is not blank, without control characters. Any other character may be in it."""
    checked = name("user_id", user_id)
    if checked is None:
        raise InvalidInput(f"user_id cannot be {user_id!r}: it selects whose memory is meant; give a non-blank string")
    return checked


def name(key: str, value: object) -> str | None:
    """A name as given, or None. Raises InvalidInput for blank text, other types, control characters, great length."""
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{key} cannot be {value!r}; give a non-blank string, or leave it out")
    if len(value) > NAME_LIMIT or clean(value) != value or any(ord(char) < 32 for char in value):
        raise InvalidInput(
            f"{key} cannot be {value[:40]!r}: it has control characters or is longer than {NAME_LIMIT}; "
            "use a plain, shorter name"
        )
    return value


def text(value: object) -> str:
    """The text, cleaned. Raises InvalidInput where it is no text, blank, or longer than 16 million characters."""
    if not isinstance(value, str):
        raise InvalidInput(f"text of type {type(value).__name__} cannot be kept; give a string")
    cleaned = clean(value)
    if not cleaned.strip():
        raise InvalidInput(f"the text {value[:40]!r} is blank; give it some content")
    if len(cleaned) > TEXT_LIMIT:
        raise InvalidInput(f"the text has {len(cleaned)} characters; split it into parts of at most {TEXT_LIMIT}")
    return cleaned


def tags(value: object) -> list[str]:
    """Distinct tags in the given order."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Sequence | set | frozenset):
        raise InvalidInput(f"tags cannot be {value!r}; give a list of strings")
    items = sorted(value) if isinstance(value, set | frozenset) else value
    return list(dict.fromkeys(tag for tag in (name("a tag", item) for item in items) if tag is not None))


def metadata(value: object) -> dict[str, Any]:
    """The metadata as plain JSON, without identity keys: a scope comes from the parameters alone."""
    value = mapping(value)
    if not value:
        return {}
    dropped = sorted(key for key in value if str(key) in IDENTITY)
    if dropped:
        warnings.warn(f"metadata cannot set the scope: {', '.join(dropped)} dropped; use parameters", stacklevel=4)
    try:
        kept = {clean(str(key)): item for key, item in value.items() if str(key) not in IDENTITY}
        return dict(json.loads(clean(json.dumps(kept, ensure_ascii=False, allow_nan=False))))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the metadata {str(value)[:80]} is no plain JSON: {error}; use JSON types") from error


def mapping(value: object) -> Mapping[str, Any]:
    """The value as it is, None as an empty one. Raises InvalidInput for what is no dict."""
    if value is None or isinstance(value, Mapping):
        return value or {}
    raise InvalidInput(f"metadata cannot be {value!r}; give a dict")


def moment(key: str, value: object) -> datetime | None:
    """An aware UTC datetime from a datetime, ISO 8601 text or seconds since 1970; naive ones are read as UTC."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            value = datetime.fromtimestamp(value, UTC)
        if isinstance(value, datetime):
            return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"{key} cannot be {value!r}: {error}; give ISO 8601, e.g. 2026-05-07T18:30:00Z") from error
    raise InvalidInput(f"{key} cannot be {value!r}; give a datetime or ISO 8601 text")


def check_interval(start: datetime | None, end: datetime | None) -> None:
    """Raise InvalidInput where the interval ends before it begins. Equal bounds are allowed: it then holds nowhere."""
    if start and end and end < start:
        raise InvalidInput(
            f"invalid_at {format_time(end)} lies before valid_from {format_time(start)}; swap or mend the bounds"
        )


def described(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The checked JSON forms of those of `facts` that are given: names, tags, metadata, validity."""
    result: dict[str, Any] = {
        key: name(key, facts[key]) for key in ("speaker", "role", "agent_id", "session_id") if key in facts
    }
    if "tags" in facts:
        result["tags"] = tags(facts["tags"])
    if "metadata" in facts:
        result["metadata"] = metadata(facts["metadata"])
    start, end = moment("valid_from", facts.get("valid_from")), moment("invalid_at", facts.get("invalid_at"))
    check_interval(start, end)
    for key, value in (("valid_from", start), ("invalid_at", end)):
        if key in facts:
            result[key] = format_time(value)
    return result


def time_text(key: str, value: object) -> str | None:
    """`moment`, in the form that the journal keeps."""
    return format_time(moment(key, value))


def narrowed(options: Mapping[str, Any], *, user_id: str) -> Filter:
    """The filter in these options (keys of `options.Narrow`), those under `filters` included.

    Raises UnknownFilter for a key that no memory has, InvalidInput for a value that cannot be used.
    """
    given = {key: value for key, value in options.items() if key != "filters"}
    for key, value in (options.get("filters") or {}).items():
        if key == "user_id":
            _same_user(value, user_id)
        elif key not in FILTERS:
            raise UnknownFilter(f"there is no filter {key!r}; {nearest(key, FILTERS)}; own keys go into metadata={{…}}")
        elif given.get(key) not in (None, value):
            raise InvalidInput(f"the filter {key} is given twice, as {given[key]!r} and {value!r}; keep one")
        else:
            given[key] = value
    since, until = (moment(key, given.get(key)) for key in ("since", "until"))
    if since and until and until < since:
        raise InvalidInput(f"until {until} lies before since {since}; swap the bounds")
    return Filter(
        agent_id=name("agent_id", given.get("agent_id")),
        session_id=name("session_id", given.get("session_id")),
        speaker=name("speaker", given.get("speaker")),
        tags=tuple(tags(given.get("tags"))),
        since=since,
        until=until,
        kinds=_kinds(given.get("kinds")),
        metadata=_metadata(given.get("metadata")),
        as_of=moment("as_of", given.get("as_of")),
    )


def _same_user(value: object, user_id: str) -> None:
    if value != user_id:
        raise InvalidInput(f"filters name the user {value!r}, the call {user_id!r}; one call reads one user")


def _kinds(value: object) -> tuple[str, ...]:
    return tuple(tags([value] if isinstance(value, str) else value))


def _metadata(value: object) -> Mapping[str, Any] | None:
    if value is None or isinstance(value, Mapping):
        return value or None
    raise InvalidInput(f"the metadata filter cannot be {value!r}; give a dict of exact values")
