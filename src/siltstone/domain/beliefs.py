"""Beliefs as values: segments, pool clusters, episodes, chains, snapshots, and the names of their records.

A record id that a stage makes follows from the entry and the place in it, so that doing a stage twice doubles nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from siltstone.domain.values import Entry

PENDING, FORMED, STATE = "pending", "formed", "formation"
SEGMENT, CLUSTER, EPISODE, CHAIN, SNAPSHOT = "segment", "cluster", "episode", "chain", "snapshot"
BELIEF_KINDS = (SEGMENT, CLUSTER, EPISODE, CHAIN, SNAPSHOT)
STATE_ID = "state"

POSITIVE, NEGATIVE, NEUTRAL = "pos", "neg", "neu"
VALENCES = (POSITIVE, NEGATIVE, NEUTRAL)

NEW, SAME_TOPIC, CONTRADICTS = "new", "same_topic", "contradicts"
ID_LENGTH = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """An atomic statement taken from a text: `source[start:end]` is where it stands, -1 where a model worded it anew.

    `intensity` on [0, 1] says how much it will shape who the person is; `valence` is "pos", "neg" or "neu".
    `retracted` says that the text denies what the turn took back.
    """

    text: str
    start: int = -1
    end: int = -1
    intensity: float
    valence: str = NEUTRAL
    retracted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A segment as it is kept: whose turn it came from, and what became of it.

    `state` is "weak" (in the pool), "vivid" (an episode of its own), "promoted" (in a distilled episode) or
    "reinforcing" (added as evidence to a chain). `found` is False once its turn was forgotten.
    """

    id: str
    entry_id: str
    text: str
    intensity: float
    valence: str
    occurred_at: datetime
    state: str
    found: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCluster:
    """Weak statements on one topic that wait for company. `score` is what promotion compares with its threshold."""

    id: str
    statements: tuple[Statement, ...]
    score: float
    turns: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An immutable memory: one vivid statement, or a promoted cluster of weak ones.

    `confidence` is the intensity, or the mean of the evidence's; `score` what a promotion was decided by.
    `superseded_by` names the later episode that contradicts it. `turns` are the verbatim turns behind it.
    """

    id: str
    text: str
    vivid: bool
    confidence: float
    valence: str
    occurred_at: datetime
    recorded_at: datetime
    score: float = 0.0
    chain_id: str | None = None
    superseded_by: str | None = None
    statements: tuple[Statement, ...] = ()
    turns: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Episodes about one topic by event time, and the weak statements that came later and speak for them."""

    id: str
    episodes: tuple[Episode, ...]
    reinforcing: tuple[Statement, ...] = ()
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A chain's current state. `summary` follows from the episodes, or is what a model wrote for this `version`."""

    id: str
    summary: str
    version: int
    written_by: str
    occurred_at: datetime
    episodes: tuple[Episode, ...] = ()
    turns: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How far formation has come for a user: counts by kind, what waits and why, what failed for good."""

    counts: Mapping[str, int] = field(default_factory=dict)
    waiting: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)


def derived_id(*parts: object) -> str:
    """22 hex digits that follow from the parts."""
    return hashlib.sha256("|".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


def statement_body(entry: Mapping[str, Any], entry_id: str, segment: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a segment's record, from its entry's body and its part of `turn_decomposed`."""
    told = {key: entry[key] for key in ("occurred_at", "recorded_at", "speaker", "agent_id") if entry.get(key)}
    return {**told, **{k: v for k, v in segment.items() if k != "id"}, "entry_id": entry_id, "state": "waiting"}
