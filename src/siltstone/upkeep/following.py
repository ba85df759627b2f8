"""Following a source that grows, such as a host's transcript: its texts, each once, and how far it was read.

Both become durable in one step, so that a reader which is killed continues where it stood: nothing is lost or doubled.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from siltstone.domain.events import ENTRY_ADDED, SOURCE_READ, Draft, Event
from siltstone.domain.values import ENTRY, SOURCE, Receipt
from siltstone.errors import InvalidInput
from siltstone.formation import intake, messages
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder
from siltstone.ports.stores import Decide, Partition, View
from siltstone.retrieval import embedding
from siltstone.text import checks

KEY = "key"
Commit = Callable[[Partition, Decide, Mapping[str, bytes]], Sequence[Event]]
"""(partition, decision, vectors) → the events written: the one way in which a memory writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What was read: one `entry_added` a text, the mark as an event, and what was left out, with the reason."""

    additions: tuple[Draft, ...]
    mark: Draft
    skipped: tuple[str, ...] = ()


def read(
    items: Sequence[Mapping[str, Any]],
    told: Mapping[str, Any],
    *,
    source: str,
    mark: Mapping[str, Any],
    clock: Clock,
) -> Followed:
    """The additions that these messages become; the id of each follows from the source and the message's `key`.

    Raises InvalidInput for a message without a key, and for what `add` would refuse.
    """
    if told.get("idempotency_key") is not None:
        raise InvalidInput("follow takes no idempotency_key; give each message a 'key' of its own")
    named = {"source": _source(source), "mark": _marked(mark)}
    now, additions, skipped = clock.now(), list[Draft](), list[str]()
    for item in items:
        memory_id = intake.keyed_id(f"{source} {_key(item)}", 0)
        found = messages.read([{name: value for name, value in item.items() if name != KEY}])
        skipped += found.skipped
        for utterance in found.utterances:
            payload = {"id": memory_id, **intake.payload(utterance, told, kind=None, now=now)}
            additions.append(Draft(id=clock.new_id(), kind=ENTRY_ADDED, at=now, payload=payload))
    at = Draft(id=clock.new_id(), kind=SOURCE_READ, at=now, payload=named)
    return Followed(additions=tuple(additions), mark=at, skipped=tuple(skipped))


def keep(read: Followed, partition: Partition, embedder: Embedder | None, commit: Commit) -> Receipt:
    """Write what the partition does not have yet, and the mark where it moved, in one step of `commit`."""
    known = partition.get_many(ENTRY, [draft.payload["id"] for draft in read.additions])
    new = {draft.payload["id"]: draft for draft in read.additions if draft.payload["id"] not in known}
    embedded = embedding.embed_payloads(embedder, [draft.payload for draft in new.values()], partition)
    written = commit(partition, partial(_fresh, list(new.values()), read.mark), embedded.vectors)
    added = tuple(event.payload["id"] for event in written if event.kind == ENTRY_ADDED)
    return Receipt(
        ids=added,
        created=bool(added),
        status="waiting" if embedded.failure else "kept",
        waiting_for=(embedding.PART,) if embedded.failure else (),
        skipped=read.skipped,
        seq=written[-1].seq if written else partition.position().seq,
    )


def mark_of(partition: Partition, source: object) -> Mapping[str, Any] | None:
    """The mark that was last written for the source; None where there is none."""
    record = partition.get(SOURCE, _source(source))
    return None if record is None else dict(record.body["mark"])


def _fresh(additions: Sequence[Draft], mark: Draft, view: View) -> list[Draft]:
    unseen = [draft for draft in additions if view.get(ENTRY, draft.payload["id"]) is None]
    before = view.get(SOURCE, mark.payload["source"])
    moved = before is None or before.body["mark"] != mark.payload["mark"]
    return [*unseen, *([mark] if moved else [])]


def _source(value: object) -> str:
    name = checks.name("source", value)
    if name is None:
        raise InvalidInput("source cannot be None; name what is followed")
    return name


def _key(item: Mapping[str, Any]) -> str:
    key = checks.name(KEY, item.get(KEY))
    if key is None:
        raise InvalidInput(
            f"the message {str(item)[:60]!r} has no 'key'; give each one a name of its own in the source"
        )
    return key


def _marked(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"mark cannot be {value!r}; give a dict of plain JSON that says how far the source was read")
    try:
        return dict(json.loads(json.dumps(dict(value), allow_nan=False)))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the mark {str(value)[:80]} is no plain JSON: {error}; use JSON types") from error
