"""Bringing a mirror up to the server's position: one round trip when it is behind by little, a full read otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from siltstone.domain.records import Record
from siltstone.errors import SchemaTooNew
from siltstone.ports.stores import Position, Projector
from siltstone.stores.codec import Overlay, normal
from siltstone.stores.streams import rows, scripts
from siltstone.stores.streams.keys import Keys
from siltstone.stores.streams.mirror import Mirror, Vectors
from siltstone.stores.streams.server import Command, Server

SCHEMA = 1
TAIL = 500
"""Events that are folded here; a mirror further behind is read anew, which costs less than analysing their texts."""
AT_ONCE = 500
"""Records up to which a partition is read whole at first sight."""
POINTS = 16
"""Single records that one write asks for before it reads all of them."""


class Head(NamedTuple):
    """Where a partition stands on the server; `version` is "" where it does not exist."""

    position: Position
    version: str


class Moved(Exception):
    """The server is at another position than the mirror: what was decided on it has to be decided again."""


class Follower:
    """Reads one user's partition into its mirror. The caller holds the mirror's lock."""

    def __init__(self, server: Server, keys: Keys, user_id: str, projector: Projector) -> None:
        self.server, self.keys, self.user_id, self.projector = server, keys, user_id, projector

    @property
    def ask(self) -> Command:
        """The command that `head` reads the reply of."""
        return ("HMGET", self.keys.head, "seq", "epoch", "version", "schema")

    def head(self, told: Sequence[bytes | None]) -> Head:
        """Position and version; raises SchemaTooNew where a newer Siltstone wrote the partition."""
        seq, epoch, version, schema = (*told, None)[:4]
        if schema is not None and int(schema) > SCHEMA:
            raise SchemaTooNew(
                f"a newer Siltstone wrote {self.keys.root} (schema {int(schema)}, this one knows {SCHEMA}); "
                "upgrade: pip install -U siltstone"
            )
        return Head(Position(seq=int(seq or 0), epoch=int(epoch or 0)), (version or b"").decode())

    def begin(self, mirror: Mirror) -> None:
        """Learn where the partition stands; a small one is read whole in the same round trip."""
        (told,) = self.server.script(scripts.OPEN, [self.keys.head, self.keys.records], [AT_ONCE])
        head = self.head(told[0])
        mirror.clear()
        mirror.position, mirror.version, mirror.stale = head.position, head.version, False
        if len(told) > 1:
            mirror.fill(head.position, head.version, rows.to_records(rows.paired(told[1]), self.user_id))

    def refresh(self, mirror: Mirror) -> bool:
        """Bring the mirror up to date; whether it was behind."""
        if not mirror.whole or mirror.stale:
            before = (mirror.position, mirror.stale)
            self.begin(mirror)
            return before != (mirror.position, mirror.stale)
        replies = self.server.together([self.ask, *self._tails(mirror, TAIL)])
        return self.catch_up(mirror, self.head(replies[0]), replies[1:])

    def catch_up(self, mirror: Mirror, head: Head, tails: Sequence[Any]) -> bool:
        """Take in what the server told is new: the journal's end, then the end of each followed vector stream."""
        if head.position == mirror.position and head.version == mirror.version:
            return False
        same = head.position.epoch == mirror.position.epoch and head.version == mirror.version
        if not mirror.whole:
            mirror.clear()
            mirror.position, mirror.version, mirror.stale = head.position, head.version, False
        elif not same or head.version != self.projector.version or not self._fold(mirror, head, tails[0]):
            self.load(mirror)
        else:
            for model, entries in zip(_ready(mirror), tails[1:], strict=True):
                mirror.vectors[model].add(rows.to_vectors(entries))
        return True

    def load(self, mirror: Mirror) -> None:
        """Read everything: records, and the vectors of followed models that are not here yet."""
        models = _ready(mirror)
        told = self.server.together([self.ask, ("HGETALL", self.keys.records), *self._tails(mirror, 0)[1:]])
        head = self.head(told[0])
        if models and head.position.epoch != mirror.position.epoch:
            mirror.vectors = {}
            self.load(mirror)
            for model in models:
                self.follow(mirror, model)
            return
        mirror.fill(head.position, head.version, rows.to_records(rows.paired(told[1]), self.user_id))
        for model, entries in zip(models, told[2:], strict=True):
            mirror.vectors[model].add(rows.to_vectors(entries))

    def follow(self, mirror: Mirror, model: str) -> Vectors:
        """That model's vectors up to the mirror's position, kept current from now on; the mirror is whole."""
        held = mirror.vectors.get(model)
        if held is not None and held.ready:
            return held
        told = self.server.together([self.ask, ("XRANGE", self.keys.vectors(model), "-", "+")])
        position = self.head(told[0]).position
        if position.epoch != mirror.position.epoch:
            self.load(mirror)
            return self.follow(mirror, model)
        held = mirror.vectors[model] = Vectors()
        held.add(vector for vector in rows.to_vectors(told[1]) if vector.seq <= mirror.position.seq)
        held.ready = True
        return held

    def point(self, mirror: Mirror, kind: str, memory_id: str) -> Record | None:
        """One record at the mirror's position, asked for once; raises Moved where the server is elsewhere by now."""
        name = (kind, memory_id)
        if mirror.whole or name in mirror.records:
            return mirror.records.get(name)
        if mirror.position.seq == 0:
            return None
        told = self.server.together([self.ask, ("HGET", self.keys.records, rows.field_of(name))])
        if self.head(told[0]) != (mirror.position, mirror.version):
            raise Moved
        text = told[1]
        found = rows.to_records({rows.field_of(name).encode(): text}, self.user_id) if text is not None else []
        mirror.records[name] = found[0] if found else None
        return mirror.records[name]

    def followed(self, mirror: Mirror) -> list[str]:
        """The vector streams whose ends belong to the tails of this mirror."""
        return [self.keys.vectors(model) for model in _ready(mirror)]

    def _tails(self, mirror: Mirror, count: int) -> list[Command]:
        start = mirror.position.seq + 1
        journal: Command = ("XRANGE", self.keys.journal, start, "+", "COUNT", count)
        return [journal, *[("XRANGE", stream, start, "+") for stream in self.followed(mirror)]]

    def _fold(self, mirror: Mirror, head: Head, entries: Sequence[Any]) -> bool:
        """Fold the journal's end into the mirror; false where this is not all of it."""
        if len(entries) != head.position.seq - mirror.position.seq:
            return False
        overlay = Overlay(self.projector, mirror.get)
        overlay.apply(rows.to_events(entries, self.user_id))
        mirror.move(head.position, [normal(record) for record in overlay.changed()], overlay.gone())
        return True


def _ready(mirror: Mirror) -> list[str]:
    return [model for model, held in mirror.vectors.items() if held.ready]
