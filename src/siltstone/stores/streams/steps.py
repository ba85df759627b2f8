"""Making a change happen: on the server in one step, then in the mirror, then in the sink."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from siltstone.domain.records import Vector
from siltstone.errors import StoreError, StoreUnavailable
from siltstone.ports.stores import Position, Projector
from siltstone.stores.streams import failures, rows, scripts
from siltstone.stores.streams.commit import Step, Writer, record_commands, vector_commands
from siltstone.stores.streams.follow import Follower, Head
from siltstone.stores.streams.keys import Keys
from siltstone.stores.streams.mirror import Mirror, Mirrors
from siltstone.stores.streams.server import Command, Server
from siltstone.stores.streams.sink import Change, Sink

if TYPE_CHECKING:
    from siltstone.stores.streams.partition import StreamPartition

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What the partitions of one store have in common. `replicas` have to confirm a write within `replicas_timeout`."""

    server: Server
    projector: Projector
    sink: Sink
    mirrors: Mirrors
    replicas: int = 0
    replicas_timeout: float = 1.0


class Steps:
    """Changes of one partition. The caller holds the mirror's lock."""

    def __init__(self, partition: StreamPartition, user_id: str, shared: Shared) -> None:
        self.partition, self.user_id, self.shared = partition, user_id, shared
        self.server, self.projector, self.sink = shared.server, shared.projector, shared.sink
        self.keys = Keys(shared.server.address.prefix, user_id)
        self.follower = Follower(self.server, self.keys, user_id, self.projector)
        self._writer = Writer(
            self.server, self.keys, replicas=shared.replicas, replicas_timeout=shared.replicas_timeout
        )

    def require_version(self, mirror: Mirror) -> None:
        """Rebuild the projection where another version of the fold made it."""
        from siltstone.stores.streams import rewrite

        if mirror.version and mirror.version != self.projector.version:
            rewrite.rebuild(self, mirror, only_outdated=True)

    def apply(
        self, mirror: Mirror, change: Change, commands: Sequence[Command] | None = None, *, work: int = 0
    ) -> bool:
        """Make the change; false where the partition was elsewhere: the mirror then has followed it.

        `commands` stand in for those that an ordinary change has; `work` is how many entries they make the server copy.
        """
        told, confirmed = self._sent(mirror, change, self.commands(change) if commands is None else commands, work)
        if told[0] == scripts.LATE:
            raise failures.late(self.server.address)
        if told[0] != scripts.COMMITTED:
            head = Head(Position(seq=int(told[1]), epoch=int(told[2])), told[3].decode())
            if told[3] == b"" or not mirror.whole:
                mirror.stale = True
            else:
                self.follower.catch_up(mirror, head, told[4:])
            return False
        self._take_in(mirror, change)
        self._tell_sink(change)
        if confirmed < self.shared.replicas:
            raise failures.unconfirmed(self.server.address, confirmed, self.shared.replicas)
        return True

    def beside(self, mirror: Mirror, commands: Sequence[Command]) -> bool:
        """Run a sink's commands where the partition is at the mirror's position; false where it is elsewhere."""
        told, _ = self._send(mirror, mirror.position, mirror.position, commands, 0)
        mirror.stale = mirror.stale or told[0] != scripts.COMMITTED
        return bool(told[0] == scripts.COMMITTED)

    def commands(self, change: Change) -> list[Command]:
        """What writes an ordinary change: events behind the journal, records, vectors."""
        return [
            *[("XADD", self.keys.journal, f"{e.seq}-0", rows.FIELD, rows.event_text(e)) for e in change.events],
            *record_commands(self.keys, change.records, change.gone),
            *self.vector_commands(change.vectors),
        ]

    def vector_commands(self, vectors: Iterable[tuple[str, Vector]]) -> Iterator[Command]:
        """What stores vectors, ordered by position; known ones stay."""
        ordered = sorted(vectors, key=lambda pair: (pair[1].seq, pair[0], pair[1].key))
        for (seq, model), found in groupby(ordered, key=lambda pair: (pair[1].seq, pair[0])):
            yield from vector_commands(self.keys, model, seq, {vector.key: vector.data for _, vector in found})

    def _sent(self, mirror: Mirror, change: Change, commands: Sequence[Command], work: int) -> tuple[list[Any], int]:
        every = [*commands, *self.sink.commands(self.keys, change)]
        try:
            return self._send(mirror, change.before, change.after, every, work)
        except failures.Unanswered as error:
            mirror.stale = True
            if self._arrived(change, error):
                return [scripts.COMMITTED], self.shared.replicas
            return [scripts.MOVED, b"0", b"0", b""], 0

    def _send(
        self, mirror: Mirror, before: Position, after: Position, commands: Sequence[Command], work: int
    ) -> tuple[list[Any], int]:
        step = Step(
            user_id=self.user_id,
            before=before,
            known=mirror.version or self.projector.version,
            after=after,
            version=self.projector.version,
            commands=commands,
            opening=self.sink.opening(self.keys) if before == Position() else (),
            followed=self.follower.followed(mirror),
            work=work,
        )
        return self._writer.send(step)

    def _arrived(self, change: Change, error: StoreUnavailable) -> bool:
        """Whether a change whose answer was lost is in the journal. What is not there by now never will be."""
        if not change.events:
            return False
        first = change.events[0]
        try:
            found = self.server.one("XRANGE", self.keys.journal, first.seq, first.seq)
        except StoreUnavailable:
            raise failures.uncertain(error) from error
        return bool(found) and rows.to_events(found, self.user_id)[0].id == first.id

    def _take_in(self, mirror: Mirror, change: Change) -> None:
        if mirror.stale or change.after.epoch != mirror.position.epoch:
            mirror.stale = True
            return
        mirror.move(change.after, change.records, change.gone)
        mirror.version = self.projector.version
        for model, vector in change.vectors:
            held = mirror.vectors.get(model)
            if held is not None and held.ready:
                held.add([vector])

    def _tell_sink(self, change: Change) -> None:
        try:
            self.sink.committed(self.partition, change)
        except StoreError as error:
            _LOG.warning("%s; the write is kept, and siltstone doctor --repair brings the index up to date", error)
