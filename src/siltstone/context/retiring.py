"""Retention: what is too old, what is too many, and in which words it is said."""

from __future__ import annotations

from datetime import datetime, timedelta

from siltstone.context.options import Choices
from siltstone.errors import InvalidInput


def cutoff(now: datetime, days: object, other: datetime | None = None) -> datetime:
    """The moment that lies so many days back, or the earlier bound that is given as well. Raises InvalidInput."""
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0 <= days < 1e6:
        raise InvalidInput(f"days_old cannot be {days!r}; give a number of days from 0")
    moment = now - timedelta(days=days)
    return moment if other is None else min(moment, other)


def why(chosen: Choices) -> str:
    """The policy in words: "unlimited", "30_days", "at most 100"."""
    days = None if chosen.retention is None else f"{chosen.retention.total_seconds() / 86_400:g}_days"
    most = None if chosen.max_memories is None else f"at most {chosen.max_memories}"
    return ", ".join(part for part in (days, most) if part) or "unlimited"
