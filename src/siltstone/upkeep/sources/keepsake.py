"""Keepsake's fragments: hashes `memory:frag:<hash>` on a Redis server, read tolerant of missing fields.

Rows that a consolidation consumed are left out: the merged row that replaced them is read. A fragment that several
agents kept becomes one entry for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from siltstone.ports.sources import Hashes
from siltstone.upkeep.sources.items import Problem

PREFIX = "memory:frag:"
AGENT = "agent:"
CONSUMED, CONSOLIDATED = "consumed", "consolidat"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""Since when a row is invalid that says so without a time that can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """One entry to be: a message as `Memory.add` takes it, the key that it is known by, and the feedback it had."""

    key: str
    message: Mapping[str, Any]
    feedback: float


def read(hashes: Hashes) -> Iterator[Fragment | Problem]:
    """All fragments in the order in which they were written, and what cannot be read."""
    rows = sorted(hashes.hashes(PREFIX), key=lambda row: (row[1].get("created", ""), row[0]))
    for key, row in rows:
        if row.get("fragment_type") == CONSUMED or row.get("consumed_by"):
            continue
        if not row.get("content", "").strip():
            yield Problem(place=key, reason="it has no content")
            continue
        yield from _fragments(key, row)


def _fragments(key: str, row: Mapping[str, str]) -> Iterator[Fragment]:
    tags = [tag.strip() for tag in row.get("tags", "").split(",") if tag.strip()]
    agents = [tag.removeprefix(AGENT) for tag in tags if tag.startswith(AGENT) and tag != AGENT]
    message = _message(row, [tag for tag in tags if not tag.startswith(AGENT)])
    for agent in agents or [""]:
        owned = {**message, "agent_id": agent} if agent else message
        yield Fragment(key=f"{key} {agent}".strip(), message=owned, feedback=_number(row.get("feedback_score")) or 0.0)


def _message(row: Mapping[str, str], tags: list[str]) -> dict[str, Any]:
    created = _moment(row.get("created"))
    metadata: dict[str, Any] = {"source": "keepsake"}
    metadata |= {name: row[name] for name in ("category", "sentiment_label", "entities") if row.get(name)}
    if row.get("source"):
        metadata["origin"] = row["source"]
    consolidated = row.get("fragment_type", "").startswith(CONSOLIDATED) or (_number(row.get("level")) or 0) > 0
    intensity = _number(row.get("sentiment_score"))
    if intensity is not None and not consolidated:
        metadata["intensity"] = min(abs(intensity), 1.0)
    if consolidated:
        metadata["level"] = int(_number(row.get("level")) or 1)
    message: dict[str, Any] = {"content": row["content"], "metadata": metadata}
    if tags:
        message["tags"] = tags
    if created is not None:
        message["occurred_at"] = created
    if row.get("invalid_at", "").strip():
        message["invalid_at"] = _moment(row["invalid_at"]) or created or EPOCH
    return message


def _moment(text: str | None) -> datetime | None:
    """The time that ISO 8601 or seconds since 1970 name; None for what cannot be read."""
    if not text or not text.strip():
        return None
    number = _number(text)
    try:
        if number is not None:
            return datetime.fromtimestamp(number, UTC)
        found = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError, OSError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _number(text: str | None) -> float | None:
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if abs(found) < float("inf") else None
