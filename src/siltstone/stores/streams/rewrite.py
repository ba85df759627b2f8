"""What folds the whole journal of a partition: rebuilding, purging, restoring."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from siltstone.domain.events import Draft, Event, redact
from siltstone.domain.records import Gone, Record, Vector
from siltstone.ports.stores import Position, Progress
from siltstone.stores.codec import Overlay, decode, encode, normal
from siltstone.stores.streams import erasure, failures, pages, rows
from siltstone.stores.streams.commit import field_commands
from siltstone.stores.streams.follow import Head
from siltstone.stores.streams.keys import due
from siltstone.stores.streams.mirror import Mirror
from siltstone.stores.streams.server import Command
from siltstone.stores.streams.sink import Change
from siltstone.stores.streams.steps import Steps

Texts = Mapping[bytes, bytes]


def rebuild(steps: Steps, mirror: Mirror, progress: Progress | None = None, *, only_outdated: bool = False) -> None:
    """Fold the journal again and write the records that differ; the epoch rises."""

    def attempt() -> bool:
        head, stored = _stored(steps, mirror)
        if head.position.seq == 0 or (only_outdated and head.version == steps.projector.version):
            mirror.stale = True
            return True
        records = folded(steps, journal(steps, head.position.seq), head.position.seq, progress)
        change, commands = _difference(steps, head.position, head.position.seq, records, stored)
        return steps.apply(mirror, change, commands, work=len(records))

    _until(steps, attempt)
    if only_outdated:
        steps.follower.begin(mirror)


def purge(steps: Steps, mirror: Mirror, ids: frozenset[str], draft: Draft) -> dict[str, int]:
    """As the port says: redact, fold again, erase what nothing names any more, then wipe the server's files."""
    token = secrets.token_hex(8)
    erased: dict[str, int] = {}

    def attempt() -> bool:
        head, stored = _stored(steps, mirror)
        seq = head.position.seq + 1
        before = [event for page in journal(steps, seq - 1) for event in page]
        after = [*[redact(event, ids) for event in before], *_numbered([draft], steps.user_id, seq - 1)]
        records = folded(steps, [after], seq)
        changed = [new for old, new in zip(before, after, strict=False) if old is not new]
        vectors = _orphans(steps, {record.vector_key for record in records})
        change, commands = _difference(steps, head.position, seq, records, stored)
        erased.update(
            events=len(changed),
            records=sum(rows.name_of(name)[1] in ids for name in stored),
            vectors=sum(map(len, vectors.values())),
        )
        first = [
            *_redacting(steps, changed),
            ("XADD", steps.keys.journal, f"{seq}-0", rows.FIELD, rows.event_text(after[-1])),
        ]
        forgotten = _forgetting(steps, vectors)
        change = replace(change, events=after[-1:])
        return steps.apply(mirror, change, [*first, *commands, *forgotten], work=2 * seq)

    steps.server.one("HSET", due(steps.server.address.prefix), token, f"{time.time():.0f}")
    _until(steps, attempt)
    erasure.wipe(steps.server, [token])
    return erased


def restore(steps: Steps, mirror: Mirror, events: Sequence[Event], vectors: Sequence[tuple[str, Vector]]) -> int:
    """As the port says. Everything is in memory here, and becomes one step."""
    count = 0

    def attempt() -> bool:
        nonlocal count
        steps.follower.load(mirror)
        steps.require_version(mirror)
        if not mirror.whole:
            steps.follower.load(mirror)
        position = mirror.position
        moved, places = _renumbered(events, known_ids(steps, position.seq), steps.user_id, position.seq)
        count = len(moved)
        if not moved:
            return True
        overlay = Overlay(steps.projector, mirror.get)
        overlay.apply(moved)
        found = [(model, replace(v, seq=places[v.seq], data=bytes(v.data))) for model, v in vectors if v.seq in places]
        change = Change(
            before=position,
            after=replace(position, seq=moved[-1].seq),
            events=moved,
            records=[normal(record) for record in overlay.changed()],
            gone=overlay.gone(),
            vectors=sorted(found, key=lambda pair: (pair[1].seq, pair[0], pair[1].key)),
        )
        return steps.apply(mirror, change)

    _until(steps, attempt)
    return count


def journal(steps: Steps, last: int) -> Iterator[list[Event]]:
    """The events up to that position, in pages."""
    for entries in pages.of(steps.server, steps.keys, 1):
        yield [event for event in rows.to_events(entries, steps.user_id) if event.seq <= last]


def folded(
    steps: Steps, journal: Iterable[Sequence[Event]], total: int, progress: Progress | None = None
) -> list[Record]:
    """The records that these events give, ordered by seq, then kind, then id."""
    overlay, done = Overlay(steps.projector, lambda kind, memory_id: None), 0
    for events in journal:
        overlay.apply(events)
        done += len(events)
        if progress is not None:
            progress(done, total)
    return [normal(record) for record in overlay.changed()]


def texts_of(records: Iterable[Record]) -> dict[bytes, bytes]:
    """The records as the server holds them."""
    return {rows.field_of((r.kind, r.id)).encode(): rows.record_text(r).encode() for r in records}


def known_ids(steps: Steps, last: int) -> set[str]:
    """The ids of all events of the journal."""
    return {event.id for page in journal(steps, last) for event in page} if last else set()


def _stored(steps: Steps, mirror: Mirror) -> tuple[Head, dict[bytes, bytes]]:
    """Position and records as they are on the server, which becomes the mirror's position."""
    told = steps.server.together([steps.follower.ask, ("HGETALL", steps.keys.records)])
    head = steps.follower.head(told[0])
    mirror.clear()
    mirror.position, mirror.version, mirror.stale = head.position, head.version, False
    return head, rows.paired(told[1])


def _difference(
    steps: Steps, before: Position, seq: int, records: Sequence[Record], stored: Texts
) -> tuple[Change, list[Command]]:
    """The change from the stored texts to these records, and what writes it."""
    wanted = texts_of(records)
    fields = [field for field in stored if field not in wanted]
    changed = [r for r, (field, text) in zip(records, wanted.items(), strict=True) if stored.get(field) != text]
    pairs = [word for field, text in wanted.items() if stored.get(field) != text for word in (field, text)]
    change = Change(
        before=before,
        after=Position(seq=seq, epoch=before.epoch + 1),
        records=changed,
        gone=[Gone(kind=kind, id=memory_id) for kind, memory_id in map(rows.name_of, fields)],
    )
    return change, list(field_commands(steps.keys, pairs, fields))


def _redacting(steps: Steps, changed: Sequence[Event]) -> Iterator[Command]:
    if changed:
        words = [word for event in changed for word in (event.seq, rows.event_text(event))]
        yield ("@redact", steps.keys.journal, *words)


def _orphans(steps: Steps, kept: set[str]) -> dict[str, list[str]]:
    """By model, the keys of the vectors that no record has."""
    models = list(rows.paired(steps.server.one("HGETALL", steps.keys.models)))
    names = [model.decode() for model in models]
    held = steps.server.run([("SMEMBERS", steps.keys.known(name)) for name in names]) if names else []
    found = {
        name: [key for key in (word.decode() for word in words) if key not in kept]
        for name, words in zip(names, held, strict=True)
    }
    return {name: keys for name, keys in found.items() if keys}


def _forgetting(steps: Steps, vectors: Mapping[str, Sequence[str]]) -> Iterator[Command]:
    for model, names in vectors.items():
        yield ("@forget", steps.keys.vectors(model), steps.keys.known(model), steps.keys.models, model, *names)


def _renumbered(
    events: Iterable[Event], known: set[str], user_id: str, before: int
) -> tuple[list[Event], dict[int, int]]:
    """The events with new ids, continuing the journal, and which position went where."""
    moved: list[Event] = []
    places: dict[int, int] = {}
    for event in events:
        if event.id not in known:
            known.add(event.id)
            places[event.seq] = before + len(moved) + 1
            payload = decode(encode(event.payload))
            moved.append(replace(event, user_id=user_id, seq=places[event.seq], payload=payload))
    return moved, places


def _numbered(drafts: Sequence[Draft], user_id: str, before: int) -> list[Event]:
    return [Event.of(draft, user_id=user_id, seq=before + n) for n, draft in enumerate(drafts, 1)]


def _until(steps: Steps, attempt: Callable[[], bool]) -> None:
    """Repeat while others overtake, as long as a write may wait."""
    deadline = time.monotonic() + steps.server.busy_timeout
    while not attempt():
        if time.monotonic() > deadline:
            raise failures.contended(steps.server.address, steps.server.busy_timeout)
