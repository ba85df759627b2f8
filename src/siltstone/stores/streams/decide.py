"""A decision, run on the mirror, as the change that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Record, Vector
from siltstone.ports.stores import Decide, Position
from siltstone.stores.codec import Overlay, decode, encode, normal
from siltstone.stores.streams.follow import POINTS, Follower, Moved
from siltstone.stores.streams.mirror import Mirror
from siltstone.stores.streams.sink import Change
from siltstone.stores.streams.steps import Steps


@dataclass(slots=True)
class MirrorView:
    """What a decision sees: the mirror, and single records from the server where it does not hold them all."""

    follower: Follower
    mirror: Mirror
    asked: int = 0

    @property
    def seq(self) -> int:
        return self.mirror.position.seq

    def get(self, kind: str, memory_id: str) -> Record | None:
        if not self.mirror.whole and (kind, memory_id) not in self.mirror.records:
            self.asked += 1
            if self.asked > POINTS:
                self._require_whole()
        return self.follower.point(self.mirror, kind, memory_id)

    def records(self, kind: str) -> Iterator[Record]:
        self._require_whole()
        return self.mirror.of_kind(kind)

    def _require_whole(self) -> None:
        """Read everything; raises Moved where the partition went on meanwhile."""
        if not self.mirror.whole:
            before = self.mirror.position
            self.follower.load(self.mirror)
            if self.mirror.position != before:
                raise Moved


def decided(steps: Steps, mirror: Mirror, decide: Decide, model: str, vectors: Mapping[str, bytes]) -> Change | None:
    """What `decide` makes of the mirror's state, None for nothing. Raises Moved where that state is known to be old."""
    if mirror.stale:
        steps.follower.begin(mirror)
    steps.require_version(mirror)
    view = MirrorView(steps.follower, mirror)
    drafts = tuple(decide(view))
    if not drafts:
        return None
    events = numbered(drafts, steps.user_id, mirror.position.seq)
    last = events[-1].seq
    overlay = Overlay(steps.projector, view.get)
    overlay.apply(events)
    return Change(
        before=mirror.position,
        after=Position(seq=last, epoch=mirror.position.epoch),
        events=events,
        records=[normal(record) for record in overlay.changed()],
        gone=overlay.gone(),
        vectors=[(model, Vector(key=key, seq=last, data=bytes(vectors[key]))) for key in sorted(vectors)],
    )


def numbered(drafts: Sequence[Draft], user_id: str, before: int) -> list[Event]:
    """The events that these drafts become behind that position, with the payloads as the journal gives them back."""
    events = [Event.of(draft, user_id=user_id, seq=before + n) for n, draft in enumerate(drafts, 1)]
    return [replace(event, payload=decode(encode(event.payload))) for event in events]
