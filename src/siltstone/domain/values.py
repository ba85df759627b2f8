"""The values that the public surface gives and takes: entries, hits, recalls, receipts.

Times are aware `datetime`s in UTC; scores are floats on [0, 1], higher is better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

ENTRY = "entry"
SOURCE = "source"
NOTE, TURN = "note", "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One text kept whole: a note told on purpose, or one turn of a conversation.

    `kind` is "note" or "turn". An entry holds in [`valid_from`, `invalid_at`); None means without bound.
    `forgotten_at` is set once it was forgotten: its history stays, no recall finds it; `forgotten_reason` says why
    where upkeep did it. `feedback` is the sum of all signed feedback given to it, `uses` how often it was used.
    An entry of `level` 1 or more was made by consolidation from its `sources`, which point to it by `consolidated_into`.
    """

    id: str
    text: str
    kind: str
    occurred_at: datetime
    recorded_at: datetime
    role: str | None = None
    speaker: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    valid_from: datetime | None = None
    invalid_at: datetime | None = None
    forgotten_at: datetime | None = None
    forgotten_reason: str | None = None
    feedback: float = 0.0
    uses: int = 0
    level: int = 0
    sources: tuple[str, ...] = ()
    consolidated_into: str | None = None
    revision: int = 1
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result of a recall.

    `score` is on [0, 1]: likeness times all factors, cut at 1; the list is ordered by it. `channels` holds each
    channel's own score on [0, 1];
    `factors` the multipliers that were applied (1.0 = no effect). `provenance` names the journal position and the
    session that the memory came from.
    """

    id: str
    kind: str
    text: str
    score: float
    occurred_at: datetime
    recorded_at: datetime
    speaker: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    channels: Mapping[str, float] = field(default_factory=dict)
    factors: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """A part of the engine that did not take part: which, why, and what to do about it."""

    part: str
    reason: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer to a write.

    `ids` are the memories written or touched, in order of the input; `created` is False where an idempotency key had
    been seen before and nothing was written. `status` is "kept" (durable and searchable) or "waiting" (durable and
    searchable; `waiting_for` names the models that still have work to do). `skipped` says what was left out and why.
    """

    ids: tuple[str, ...]
    created: bool = True
    status: str = "kept"
    waiting_for: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    seq: int = 0

    @property
    def id(self) -> str:
        """The only or first id; raises LookupError when nothing was written."""
        if not self.ids:
            raise LookupError("this receipt names no memory: nothing in the input could be kept; see .skipped")
        return self.ids[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReceipt:
    """The answer to `forget`: which memories, and, for a purge, how many rows were erased from where."""

    ids: tuple[str, ...]
    purged: bool = False
    erased: Mapping[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many memories were forgotten or purged."""
        return len(self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of a memory's history: what happened to it, when, and at which place of the journal."""

    seq: int
    kind: str
    at: datetime
    payload: Mapping[str, Any]


def format_time(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC with a trailing Z; None stays None. Microseconds appear only where there are any."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def parse_time(text: str | None) -> datetime | None:
    """The inverse of `format_time`."""
    return None if text is None else datetime.fromisoformat(text)
