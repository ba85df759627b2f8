"""Filters: how a reading verb is narrowed within a user, as a value and as a test on one entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from siltstone.domain.values import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """All conditions hold together; an absent one (None, empty) always holds."""

    agent_id: str | None = None
    session_id: str | None = None
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    kinds: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None
    as_of: datetime | None = None

    @property
    def narrows(self) -> bool:
        """Whether any condition is set."""
        return self != Filter()


def accepts(entry: Entry, wanted: Filter) -> bool:
    """Whether the filter lets the entry through; validity counts only where `as_of` is given."""
    names = ("agent_id", "session_id", "speaker")
    return (
        all(getattr(wanted, name) in (None, getattr(entry, name)) for name in names)
        and (not wanted.kinds or entry.kind in wanted.kinds)
        and (wanted.since is None or entry.occurred_at >= wanted.since)
        and (wanted.until is None or entry.occurred_at < wanted.until)
        and described(wanted, entry.tags, entry.metadata)
        and (wanted.as_of is None or _holds(entry, wanted.as_of))
    )


def described(wanted: Filter, tags: Sequence[str], metadata: Mapping[str, Any]) -> bool:
    """Whether tags and metadata are as the filter wants them."""
    missing = object()
    return all(tag in tags for tag in wanted.tags) and all(
        _equal(metadata.get(key, missing), value) for key, value in (wanted.metadata or {}).items()
    )


def _equal(have: object, want: object) -> bool:
    """Equality of JSON values: True is not 1."""
    return isinstance(have, bool) == isinstance(want, bool) and have == want


def _holds(entry: Entry, at: datetime) -> bool:
    return (entry.valid_from or entry.occurred_at) <= at and (entry.invalid_at is None or at < entry.invalid_at)
