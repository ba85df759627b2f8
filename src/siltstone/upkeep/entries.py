"""Entries after they were written: read back from records, changed, forgotten, revived, rated. Decisions, as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from siltstone.domain.events import Draft, Event
from siltstone.domain.filters import Filter, accepts
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY, Change, Entry, parse_time
from siltstone.errors import InvalidInput, NotFound, nearest
from siltstone.ports.stores import Partition, View
from siltstone.text import checks

USEFUL, USELESS = 1.0, -2.0
TIMES = ("occurred_at", "recorded_at", "valid_from", "invalid_at", "forgotten_at")
PLAIN = (
    *("text", "kind", "role", "speaker", "agent_id", "session_id", "metadata", "feedback", "revision"),
    *("uses", "level", "consolidated_into", "forgotten_reason"),
)
CLEARABLE = ("speaker", "role", "agent_id", "session_id", "tags", "metadata", "valid_from", "invalid_at")
PAGE_LIMIT = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Which memories a destructive verb means: these ids, or whatever the filter lets through."""

    ids: tuple[str, ...] | None
    wanted: Filter


def entry(record: Record) -> Entry:
    """The entry that a record holds."""
    body = record.body
    return Entry(
        id=record.id,
        seq=record.origin,
        tags=tuple(body.get("tags", ())),
        sources=tuple(body.get("sources", ())),
        **{key: parse_time(body.get(key)) for key in TIMES},  # type: ignore[arg-type]
        **{key: body[key] for key in PLAIN if key in body},
    )


def change(event: Event) -> Change:
    """One line of a history."""
    return Change(seq=event.seq, kind=event.kind, at=event.at, payload=event.payload)


def changes(text: str | None, told: Mapping[str, Any], clear: Sequence[str]) -> dict[str, Any]:
    """The checked changes of an update; a value of None clears. Raises InvalidInput where nothing would change."""
    for key in clear:
        if key not in CLEARABLE:
            raise InvalidInput(f"{key!r} cannot be cleared; {nearest(key, CLEARABLE)}")
    if told.get("idempotency_key") is not None:
        raise InvalidInput("idempotency_key belongs to add and process; an update of equal values changes nothing")
    given = {key: value for key, value in told.items() if value is not None}
    result = checks.described(given)
    if "occurred_at" in given:
        result["occurred_at"] = checks.time_text("occurred_at", given["occurred_at"])
    if text is not None:
        result["text"] = checks.text(text)
    result |= dict.fromkeys(clear)
    if not result:
        raise InvalidInput("this update changes nothing; give text, clear, or something told")
    return result


def revise(draft: Draft, view: View) -> tuple[Draft, ...]:
    """The update, where the memory exists and its validity stays in order."""
    record = _existing(draft.payload["id"], view)
    body = {**record.body, **draft.payload["changes"]}
    checks.check_interval(parse_time(body.get("valid_from")), parse_time(body.get("invalid_at")))
    return (draft,)


def selector(memory_id: str | Sequence[str] | None, wanted: Filter, everything: bool) -> Selector:
    """What a destructive verb is to act on. Raises InvalidInput where nothing selects, or two ways at once."""
    given = sum((memory_id is not None, wanted.narrows, everything))
    if given == 0:
        raise InvalidInput(
            "nothing selects what to forget; give an id, a filter, or all=True for everything of the user"
        )
    if given > 1:
        raise InvalidInput("an id, a filter and all=True exclude each other; give one of them")
    if memory_id is None:
        return Selector(ids=None, wanted=wanted)
    ids: list[object] = [memory_id] if isinstance(memory_id, str) else list(memory_id)
    named = [item for item in ids if isinstance(item, str) and item.strip()]
    if not ids or len(named) < len(ids):
        raise InvalidInput(f"the id {memory_id!r} selects nothing; give the id of a memory, or a list of ids")
    return Selector(ids=tuple(dict.fromkeys(named)), wanted=wanted)


def chosen_ids(records: Iterable[Record], chosen: Selector) -> tuple[str, ...]:
    """The ids that a purge means, forgotten ones included. Raises NotFound for an id that is not there."""
    have = {record.id: record for record in records if record.kind == ENTRY}
    if chosen.ids is None:
        found = [item.id for item in have.values() if accepts(entry(item), chosen.wanted)]
        return _with_sources(found, have)
    for memory_id in chosen.ids:
        if memory_id not in have:
            raise NotFound(not_found(memory_id, ""))
    return _with_sources(chosen.ids, have)


def found(memory_id: str, partition: Partition) -> Entry:
    """The entry of that id. Raises NotFound."""
    record = partition.get(ENTRY, memory_id)
    if record is None:
        raise NotFound(not_found(memory_id, partition.user_id))
    return entry(record)


def forget(draft: Draft, chosen: Selector, view: View) -> tuple[Draft, ...]:
    """The forgetting of those chosen that are still findable; () where there is none."""
    if chosen.ids is not None:
        records = [_existing(memory_id, view) for memory_id in chosen.ids]
    else:
        records = [record for record in view.records(ENTRY) if accepts(entry(record), chosen.wanted)]
    ids = [record.id for record in records if record.live]
    return (replace(draft, payload={**draft.payload, "ids": ids}),) if ids else ()


def revive(draft: Draft, view: View) -> tuple[Draft, ...]:
    """The revival, where the memory exists and is forgotten; () where it is findable as it is."""
    return () if _existing(draft.payload["ids"][0], view).live else (draft,)


def feedback_payload(memory_id: str, *, useful: object, turn: str | None, note: str | None) -> dict[str, Any]:
    """The checked payload of one feedback."""
    if not isinstance(useful, bool):
        raise InvalidInput(f"useful cannot be {useful!r}; give True or False")
    given = {"turn": checks.name("turn", turn), "note": None if note is None else checks.text(note)}
    value = USEFUL if useful else USELESS
    return {"id": memory_id, "value": value, **{key: item for key, item in given.items() if item is not None}}


def rate(draft: Draft, view: View) -> tuple[Draft, ...]:
    """The feedback, where the memory exists and the same turn has not rated it before."""
    record = _existing(draft.payload["id"], view)
    turn = draft.payload.get("turn")
    return () if turn is not None and turn in record.body.get("feedback_turns", ()) else (draft,)


def page(
    records: Iterable[Record], wanted: Filter, *, limit: object, after: str | None, forgotten: bool
) -> list[Entry]:
    """Entries in order of arrival: filtered first, then cut. Raises NotFound where `after` is no id of the user."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 < limit <= PAGE_LIMIT:
        raise InvalidInput(f"limit cannot be {limit!r}; give a number from 1 to {PAGE_LIMIT}")
    rows = sorted((record for record in records if record.kind == ENTRY), key=lambda record: record.origin)
    start = 0
    if after is not None:
        start = next((n + 1 for n, record in enumerate(rows) if record.id == after), -1)
        if start < 0:
            raise NotFound(not_found(after, ""))
    found: list[Entry] = []
    for record in rows[start:]:
        if len(found) == limit:
            break
        if (record.live or forgotten) and accepts(item := entry(record), wanted):
            found.append(item)
    return found


def _with_sources(ids: Sequence[str], have: Mapping[str, Record]) -> tuple[str, ...]:
    """These memories and all that they were consolidated from: their words say the same."""
    sources = (source for memory_id in ids for source in have[memory_id].body.get("entries", ()) if source in have)
    return tuple(dict.fromkeys([*ids, *sources]))


def not_found(memory_id: str, user_id: str) -> str:
    """The message of a NotFound."""
    of = f" of {user_id!r}" if user_id else ""
    return f"there is no memory {memory_id!r}{of}; list them with list() or: siltstone list"


def use_payload(memory_ids: str | Sequence[str], turn: object) -> dict[str, Any]:
    """The checked payload of one `memories_used`."""
    chosen = selector(memory_ids, Filter(), False).ids
    named = checks.name("turn", turn)
    return {"ids": list(chosen or ())} | ({} if named is None else {"turn": named})


def use(draft: Draft, view: View) -> tuple[Draft, ...]:
    """The use of those that this turn has not used before; () where there is none. Raises NotFound for an unknown id."""
    records = [_existing(memory_id, view) for memory_id in draft.payload["ids"]]
    turn = draft.payload.get("turn")
    ids = [record.id for record in records if turn is None or turn not in record.body.get("used_turns", ())]
    return (replace(draft, payload={**draft.payload, "ids": ids}),) if ids else ()


def _existing(memory_id: str, view: View) -> Record:
    record = view.get(ENTRY, memory_id)
    if record is None:
        raise NotFound(not_found(memory_id, ""))
    return record
