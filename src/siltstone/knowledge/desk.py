"""The desk: the graphs of the users in use, current with their stores, one thread at a time on each."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from siltstone.domain.events import Draft, Event
from siltstone.domain.graph_fold import FOLDS
from siltstone.domain.records import Record
from siltstone.errors import StoreBusy
from siltstone.knowledge.index import GraphIndex
from siltstone.ports.stores import Partition, Position, View

USERS = 16
ATTEMPTS = 100

Decide = Callable[[GraphIndex], Sequence[Draft]]


class _Moved(Exception):
    """Another writer was here since the graph was read."""


class Desks:
    """One graph a user, the least recently used ones dropped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._desks: OrderedDict[str, tuple[GraphIndex, threading.RLock]] = OrderedDict()

    @contextmanager
    def current(self, partition: Partition) -> Iterator[GraphIndex]:
        """The user's graph, up to date and held for this thread alone while the block runs."""
        index, lock = self._take(partition.user_id)
        with lock:
            index.refresh(partition)
            yield index

    def change(self, partition: Partition, decide: Decide) -> tuple[Event, ...]:
        """Commit what `decide` says on the current graph, as one step, and take it in."""
        with self.current(partition) as index:
            for _ in range(ATTEMPTS):
                try:
                    events = partition.commit(lambda view: _decided(index, view, decide))
                except _Moved:
                    index.refresh(partition)
                    continue
                if events:
                    reached = Position(seq=events[-1].seq, epoch=index.position.epoch)
                    index.follow(_records(events), reached)
                return events
        raise StoreBusy(f"the memory of {partition.user_id!r} changed {ATTEMPTS} times meanwhile; try again later")

    def drop(self, user_id: str) -> None:
        """Forget that user's graph: it is read anew when it is next needed."""
        with self._lock:
            self._desks.pop(user_id, None)

    def _take(self, user_id: str) -> tuple[GraphIndex, threading.RLock]:
        with self._lock:
            found = self._desks.get(user_id)
            if found is None:
                found = self._desks[user_id] = GraphIndex(), threading.RLock()
            self._desks.move_to_end(user_id)
            while len(self._desks) > USERS:
                self._desks.popitem(last=False)
            return found


def _decided(index: GraphIndex, view: View, decide: Decide) -> Sequence[Draft]:
    if view.seq != index.position.seq:
        raise _Moved
    return decide(index)


def _records(events: Sequence[Event]) -> list[Record]:
    """The records that these changes by hand became: they depend on nothing that was there."""
    found = [change for event in events for change in FOLDS[event.kind](event, lambda kind, memory_id: None)]
    return [record for record in found if isinstance(record, Record)]
