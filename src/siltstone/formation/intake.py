"""Intake: utterances and what the caller told about them → checked payloads of `entry_added`.

Everything that a caller may get wrong about a text is found here, before anything is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from siltstone.domain.events import ENTRY_ADDED, Draft
from siltstone.domain.values import ENTRY, NOTE, TURN
from siltstone.errors import InvalidInput
from siltstone.formation.messages import Utterance
from siltstone.ports.clock import Clock
from siltstone.ports.stores import View
from siltstone.text import checks

ID_LENGTH = 22


def payload(utterance: Utterance, told: Mapping[str, Any], *, kind: str | None, now: datetime) -> dict[str, Any]:
    """The payload of one `entry_added`, without its id. What the message says wins over the call's `told`.

    `kind` None means: a turn where the message has a role or a session, else a note.
    """
    facts = {**told, **utterance.told}
    role = utterance.role or told.get("role")
    result: dict[str, Any] = {
        "text": checks.text(utterance.text),
        "kind": kind or (TURN if role or facts.get("session_id") else NOTE),
        "occurred_at": checks.time_text("occurred_at", facts.get("occurred_at") or now),
    }
    described = {**checks.mapping(told.get("metadata")), **checks.mapping(facts.get("metadata"))}
    named = {**facts, "role": role, "metadata": described}
    result |= {key: value for key, value in checks.described(named).items() if value not in (None, [], {})}
    return result


def drafts(
    payloads: Sequence[Mapping[str, Any]], *, clock: Clock, key: str | None, memory_id: str | None = None
) -> list[Draft]:
    """One `entry_added` for each payload; with an idempotency key the ids follow from the key and the position.

    Raises InvalidInput where `memory_id` names more than one payload, or a key is given as well.
    """
    at, named, told = clock.now(), checks.name("idempotency_key", key), checks.name("memory_id", memory_id)
    if told is not None and (len(payloads) > 1 or named is not None):
        raise InvalidInput(f"memory_id {told!r} names one text alone; give one text and no idempotency_key")
    result = []
    for position, item in enumerate(payloads):
        fresh = told or (clock.new_id() if named is None else keyed_id(named, position))
        result.append(Draft(id=clock.new_id(), kind=ENTRY_ADDED, at=at, payload={"id": fresh, **item}))
    return result


def unseen(additions: Sequence[Draft], view: View, told: Mapping[str, Any]) -> Sequence[Draft]:
    """Those additions whose id the partition does not have yet; all of them, where the ids come from the clock.

    Raises InvalidInput where the id that the caller gave is taken.
    """
    keyed, given = told.get("idempotency_key") is not None, told.get("memory_id")
    if not keyed and given is None:
        return additions
    fresh = [draft for draft in additions if view.get(ENTRY, draft.payload["id"]) is None]
    if given is not None and len(fresh) < len(additions):
        raise InvalidInput(f"there is a memory {given!r} already; change it with update(), or leave memory_id out")
    return fresh


def keyed_id(key: str, position: int) -> str:
    """The id of the `position`-th text written under an idempotency key."""
    return hashlib.sha256(f"{position} {key}".encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]
