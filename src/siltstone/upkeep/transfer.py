"""Transfer: a user's memory as JSON Lines, and sources of many forms read into one.

Importing the same source again adds nothing, also after an import that died half-way: every message has a key that
follows from all of the source up to it, so a source that grew adds only what is new.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO, Protocol, Unpack

from siltstone.domain.events import Event
from siltstone.domain.options import Told
from siltstone.domain.records import canonical
from siltstone.domain.values import ENTRY, Receipt
from siltstone.errors import FormatError, InvalidInput, nearest
from siltstone.formation import intake, messages
from siltstone.ports.stores import Partition, Progress, Store
from siltstone.upkeep.sources import bubble, detect, export, locomo, text
from siltstone.upkeep.sources import messages as message_lines
from siltstone.upkeep.sources.items import Found, Item, Message, Problem
from siltstone.upkeep.sources.lines import Lines, opened

BATCH = 256
FORMATS = ("auto", "export", "messages", "bubble", "locomo", "locomo-captions", "text")
READERS: dict[str, Callable[[Lines], Iterator[Item]]] = {
    "messages": message_lines.read,
    "bubble": bubble.read,
    "locomo": locomo.read,
    "locomo-captions": lambda lines: locomo.read(lines, captions=True),
    "text": text.read,
}
JUDGED = ("bubble",)
"""Formats whose messages were judged already: they are formed as they come, and no model takes them apart."""
SEED = hashlib.sha256(b"siltstone import").digest()
TRIAL = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What a replay did: how many events were folded, and the fingerprint before and after."""

    events: int
    before: str
    after: str

    @property
    def same(self) -> bool:
        """Whether the fold gave the state that was there: it always should."""
        return self.before == self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReceipt:
    """The answer to an import.

    `format` is the form that was read, `users` whose memories were written to. `added` and `skipped_existing` count
    memories, or the events of an export. `waiting` of the added have no vector yet. `problems` say what could not be
    read, where, and why.
    """

    format: str
    users: tuple[str, ...] = ()
    added: int = 0
    skipped_existing: int = 0
    waiting: int = 0
    problems: tuple[str, ...] = ()


class Keeper(Protocol):
    """What an import needs of a Memory."""

    @property
    def store(self) -> Store:
        """Where the memory is kept: looked at for what is there, and given an export's events."""
        ...

    def add(self, content: messages.Content, *, user_id: str, **told: Unpack[Told]) -> Receipt:
        """Keep messages as one durable step; see `Memory.add`."""
        ...

    def process(self, content: messages.Content, *, user_id: str, **told: Unpack[Told]) -> Receipt:
        """Keep messages as one durable step and form them; see `Memory.process`."""
        ...


@dataclass(slots=True, kw_only=True)
class Tally:
    """What an import has done so far."""

    users: list[str] = field(default_factory=list)
    added: int = 0
    skipped: int = 0
    waiting: int = 0
    problems: list[Problem] = field(default_factory=list)

    def receipt(self, form: str) -> ImportReceipt:
        """The public form."""
        return ImportReceipt(
            format=form,
            users=tuple(dict.fromkeys(self.users)),
            added=self.added,
            skipped_existing=self.skipped,
            waiting=self.waiting,
            problems=tuple(map(str, self.problems)),
        )


def export_lines(partition: Partition) -> Iterator[str]:
    """The partition as it is now, as lines that end in a line feed; equal state gives equal lines."""
    newest = partition.position().seq
    yield export.heading(partition.user_id, newest)
    for event in partition.events():
        if event.seq > newest:
            break
        yield export.event_line(event)
    for model in sorted(partition.models()):
        for vector in partition.vectors(model):
            if vector.seq <= newest:
                yield export.vector_line(model, vector)


def write_lines(lines: Iterable[str], to: str | Path | IO[str]) -> int:
    """Write to an open text file, or to a path: whole or not at all, for the owner's eyes only. Answers how many."""
    if not isinstance(to, str | Path):
        return _counted(lines, to)
    path = Path(to).expanduser()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                count = _counted(lines, file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise FormatError(f"the export {path} cannot be written ({error.strerror}); choose another path") from error
    return count


def import_source(
    memory: Keeper,
    source: str | Path | IO[str],
    *,
    user_id: str,
    format: str = "auto",
    progress: Progress | None = None,
) -> ImportReceipt:
    """Read `source` into the memory of `user_id`; `format` is one of FORMATS.

    A file of several LoCoMo samples fills one memory a sample, "<user_id>/<sample_id>": the receipt names them.
    `progress` gets bytes of a file, or 0 as the total where the source is a stream.
    """
    if format == "keepsake":
        raise InvalidInput(f"Keepsake's memories are on a server, not in {str(source)!r}; give redis://host:port")
    if format not in FORMATS:
        raise InvalidInput(f"there is no format {format!r} to import; {nearest(format, FORMATS)}")
    with opened(source) as lines:
        chosen = detect.detect(lines) if format == "auto" else format
        if chosen == "export":
            return _restore(memory, lines, user_id, progress)
        tally = Tally()
        found = _reported(READERS[chosen](lines), tally)
        for name, group in groupby(found, key=lambda item: item.conversation):
            owner = f"{user_id}/{name}" if name else user_id
            tally.users.append(owner)
            for _ in Intake(memory, owner, tally, form=chosen in JUDGED).keep(group):
                if progress is not None:
                    progress(lines.done, lines.size)
    return tally.receipt(chosen)


def _reported(items: Iterable[Item], tally: Tally) -> Iterator[Found]:
    """The messages that can be kept; whatever cannot is noted in the tally."""
    for item in items:
        problem = item if isinstance(item, Problem) else _refused(item)
        if problem is not None:
            tally.problems.append(problem)
        elif isinstance(item, Found):
            yield item


def _refused(item: Found) -> Problem | None:
    """Why a message cannot be kept, if so: one bad message must not stop the batch that it is in."""
    try:
        reading = messages.read([item.message])
        for utterance in reading.utterances:
            intake.payload(utterance, {}, kind=None, now=TRIAL)
    except InvalidInput as error:
        return Problem(place=item.place, reason=str(error))
    if reading.skipped:
        return Problem(place=item.place, reason=reading.skipped[0].partition(": ")[2])
    return None


class Intake:
    """Adds messages to one user in batches; batches that an earlier import wrote are skipped.

    With `form` they are processed and not only kept.
    """

    def __init__(self, memory: Keeper, user_id: str, tally: Tally, *, form: bool = False) -> None:
        self._keep = memory.process if form else memory.add
        self._user_id, self._tally = user_id, tally
        self._partition = memory.store.partition(user_id)
        self._link = SEED

    def keep(self, items: Iterable[Found]) -> Iterator[int]:
        """Add them all; yields after each batch how many messages it had."""
        source = iter(items)
        window: deque[tuple[str, Message]] = deque()
        while True:
            window.extend((self._key(item.message), item.message) for item in islice(source, BATCH - len(window)))
            if not window:
                return
            yield self._step(window)

    def _step(self, window: deque[tuple[str, Message]]) -> int:
        known = self._known([key for key, _ in window])
        if known:
            self._tally.skipped += known
            for _ in range(known):
                window.popleft()
            return known
        receipt = self._keep([message for _, message in window], user_id=self._user_id, idempotency_key=window[-1][0])
        if receipt.created:
            self._tally.added += len(receipt.ids)
            self._tally.waiting += len(receipt.ids) if receipt.waiting_for else 0
        else:
            self._tally.skipped += len(receipt.ids)
        window.clear()
        return len(receipt.ids)

    def _known(self, keys: list[str]) -> int:
        """How many of the first messages were written as one batch before; a batch is named by its last key."""
        ends = {n: (intake.keyed_id(key, 0), intake.keyed_id(key, n - 1)) for n, key in enumerate(keys, 1)}
        wanted = list(dict.fromkeys(chain.from_iterable(ends.values())))
        stored = self._partition.get_many(ENTRY, wanted)
        return max((n for n, ids in ends.items() if any(memory_id in stored for memory_id in ids)), default=0)

    def _key(self, message: Message) -> str:
        """The key of a message: a hash of it and of all before it."""
        self._link = hashlib.sha256(self._link + canonical(message).encode("utf-8", "surrogatepass")).digest()
        return f"import-{self._link.hex()}"


def _restore(memory: Keeper, lines: Lines, user_id: str, progress: Progress | None) -> ImportReceipt:
    """Take an export's events into the user's journal, as one step."""
    reader = export.Reader(lines, user_id)
    added = memory.store.partition(user_id).restore(_watched(reader.events(), lines, progress), reader.vectors())
    return ImportReceipt(
        format="export",
        users=(user_id,),
        added=added,
        skipped_existing=reader.seen - added,
        problems=tuple(map(str, reader.problems)),
    )


def _watched(events: Iterator[Event], lines: Lines, progress: Progress | None) -> Iterator[Event]:
    for number, event in enumerate(events, 1):
        if progress is not None and number % BATCH == 0:
            progress(lines.done, lines.size)
        yield event


def _counted(lines: Iterable[str], file: IO[str]) -> int:
    count = 0
    for line in lines:
        file.write(line)
        count += 1
    return count
