"""What a server keeps beside the records so that it can search by itself. Derived: it may be dropped and filled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from siltstone.domain.events import Event
from siltstone.domain.records import Gone, Record, Vector
from siltstone.ports.stores import Finding, Position, Progress
from siltstone.stores.streams.keys import Keys
from siltstone.stores.streams.wire import Command

if TYPE_CHECKING:
    from siltstone.stores.streams.partition import StreamPartition
    from siltstone.stores.streams.store import StreamStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One step of a partition, from `before` to `after`.

    `records` are those that changed, as they are afterwards, ordered by seq, kind, id; `gone` those that went. A purge
    or a rebuild is told as the difference that it makes. `vectors` are (model, vector); they were offered, known ones stayed.
    """

    before: Position
    after: Position
    events: Sequence[Event] = ()
    records: Sequence[Record] = ()
    gone: Sequence[Gone] = ()
    vectors: Sequence[tuple[str, Vector]] = ()


class Sink(Protocol):
    """Kept current by the partition's writes."""

    def opening(self, keys: Keys) -> Sequence[Command]:
        """What is sent ahead of a new partition's first step; an error reply to it is no error of the step."""
        ...

    def opened(self, partition: StreamPartition) -> None:
        """Called when this process first looks at a partition that is there."""
        ...

    def commands(self, keys: Keys, change: Change) -> Sequence[Command]:
        """What runs in the same atomic step as the change; only commands that scripts may run."""
        ...

    def committed(self, partition: StreamPartition, change: Change) -> None:
        """Called once the change is acknowledged. A StoreError here leaves the sink behind and the write as it is."""
        ...

    def check(self, store: StreamStore) -> list[Finding]:
        """What `doctor` says of it. Changes nothing."""
        ...

    def repair(self, store: StreamStore, progress: Progress | None) -> list[Finding]:
        """Fill again what is missing or behind."""
        ...


class NoSink:
    """Nothing beside the records. Base of sinks that need only some of these."""

    def opening(self, keys: Keys) -> Sequence[Command]:
        """Nothing."""
        return ()

    def opened(self, partition: StreamPartition) -> None:
        """Nothing to do."""

    def commands(self, keys: Keys, change: Change) -> Sequence[Command]:
        """Nothing."""
        return ()

    def committed(self, partition: StreamPartition, change: Change) -> None:
        """Nothing to do."""

    def check(self, store: StreamStore) -> list[Finding]:
        """Nothing to say."""
        return []

    def repair(self, store: StreamStore, progress: Progress | None) -> list[Finding]:
        """Nothing to mend."""
        return []
