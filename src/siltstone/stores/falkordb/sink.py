"""The graphs as a sink: kept current by what is written, made up for where they are behind, compared by `doctor`."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from siltstone.domain.records import Record, Vector
from siltstone.errors import StoreBusy
from siltstone.ports.stores import Finding, Position, Progress
from siltstone.stores.falkordb import batch, health, mapping
from siltstone.stores.falkordb.backlog import Backlog
from siltstone.stores.falkordb.batch import Batch
from siltstone.stores.falkordb.graph import STALE_MS, Graph, Stand
from siltstone.stores.streams import erasure
from siltstone.stores.streams.partition import StreamPartition
from siltstone.stores.streams.server import Server
from siltstone.stores.streams.sink import Change, NoSink
from siltstone.stores.streams.store import StreamStore

_TURNS = 64
_LARGE = 2_000
_PAUSE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A partition at one position."""

    position: Position
    records: list[Record]
    vectors: list[tuple[str, Vector]]


class GraphSink(NoSink):
    """Implements `streams.sink.Sink`.

    Two locks are in play: a partition's own, and the turn, which says that a query of this process on its way to that
    user's graph. While a turn is held, no partition is asked.
    """

    def __init__(self) -> None:
        self._backlog = Backlog(self._bring)
        self._turns = tuple(threading.Lock() for _ in range(_TURNS))
        self._known_run: str | None = None

    def committed(self, partition: StreamPartition, change: Change) -> None:
        """Have the graph follow: soon, after a purge at once."""
        if change.after.epoch == change.before.epoch:
            self._backlog.put(partition, change)
        elif change.events:
            self._backlog.put(partition, change, purged=True)
            self._bring(partition.user_id)
            if not _is_current(partition):  # the worker had taken the work, and failed
                self._catch_up(partition, anew=True)
        else:
            self._backlog.put_all(partition, anew=True)

    def opened(self, partition: StreamPartition) -> None:
        """Have the graph made up for, where it is behind or was not looked at since the server started."""
        if not _is_current(partition):
            self._backlog.put_all(partition)
            return
        stand = graph_of(partition).stand()
        if stand is not None and stand.run != self._run(partition.server):
            self._backlog.put_all(partition, doubted=True)

    def attend(self, partition: StreamPartition) -> None:
        """Bring the graph to where the partition is now, and return when it is there.

        Raises StoreBusy where another process takes longer over it than the wait.
        """
        deadline = time.monotonic() + partition.server.busy_timeout
        self._bring(partition.user_id)
        while not _is_current(partition):
            if time.monotonic() > deadline:
                raise _still_filled(partition)
            self._catch_up(partition)
            time.sleep(_PAUSE)

    def check(self, store: StreamStore) -> list[Finding]:
        self._backlog.settle()
        return health.check(store)

    def repair(self, store: StreamStore, progress: Progress | None) -> list[Finding]:
        self._backlog.settle()
        return health.repair(store, self.refill, progress)

    def refill(self, partition: StreamPartition) -> None:
        """Make the graph anew from the partition."""
        self._catch_up(partition, anew=True)

    def close(self) -> None:
        """Tell what still waits, and stop."""
        self._backlog.close()

    def _bring(self, user_id: str) -> None:
        """Do what waits for that user."""
        with self._turn(user_id):
            work = self._backlog.take(user_id)
            if work is None:
                return
            graph = graph_of(work.partition)
            work.batch.orphans = work.purged
            done = work.is_whole and graph.change(work.before, work.after, work.batch)
            if done and work.purged:
                graph.forget_queries()
        if work.doubted:
            self._examine(work.partition)
        elif not done:
            self._catch_up(work.partition, anew=work.anew)

    def _examine(self, partition: StreamPartition) -> None:
        """Compare the whole graph with the partition, once in each run of the server: a restart may lose some of it."""
        if not _is_current(partition):
            self._catch_up(partition)
        if health.differences(partition):
            self._catch_up(partition, anew=True)
        graph_of(partition).note_run(self._run(partition.server))

    def _catch_up(self, partition: StreamPartition, *, anew: bool = False) -> None:
        """Compare the graph with the partition and write the difference, or everything where that is less."""
        graph = graph_of(partition)
        with partition.reading():
            state = _state(partition)
            turn = self._turns[_number(partition.user_id)]
            turn.acquire()  # before the partition is let go: a purge that comes now waits for this to be through
        try:
            stand = graph.stand()
            if state.position.seq == 0 or (stand is not None and not anew and _is_ahead(stand, state.position)):
                return
            if anew or stand is None or not self._mended(graph, stand, state):
                graph.fill(state.position, batch.filling(state.records, state.vectors))
                if stand is not None and stand.position.epoch < state.position.epoch:
                    erasure.wipe(partition.server, [])  # what a purge took away was in the graph until now
        finally:
            turn.release()

    def _mended(self, graph: Graph, stand: Stand, state: State) -> bool:
        """Whether it was enough to write the difference."""
        if not stand.is_whole or stand.position.epoch != state.position.epoch:
            return False
        changes = _difference(graph.nodes(), stand.position, state)
        if len(changes.records) + len(changes.vectors) > _LARGE:
            return False
        return graph.change(stand.position, state.position, changes)

    def _run(self, server: Server) -> str:
        """What names this run of the server; "" where it does not say."""
        if self._known_run is None:
            self._known_run = erasure.info(server, "server").get("run_id", "")
        return self._known_run

    @contextmanager
    def _turn(self, user_id: str) -> Iterator[None]:
        with self._turns[_number(user_id)]:
            yield


def graph_of(partition: StreamPartition) -> Graph:
    """The graph that goes with a partition."""
    return Graph(partition.server, partition.keys.own("graph"))


def _is_current(partition: StreamPartition) -> bool:
    stand, position = graph_of(partition).stand(), partition.position()
    return position.seq == 0 or (stand is not None and stand.is_whole and stand.position == position)


def _still_filled(partition: StreamPartition) -> StoreBusy:
    return StoreBusy(
        f"the graph of {partition.user_id!r} is still behind its journal after {partition.server.busy_timeout:g} s: "
        "another process writes it; try again, or run: siltstone doctor --repair"
    )


def _state(partition: StreamPartition) -> State:
    """What the partition holds; the caller reads it as one state."""
    vectors = [(model, vector) for model in partition.models() for vector in partition.vectors(model)]
    return State(position=partition.position(), records=list(partition.records()), vectors=vectors)


def _difference(held: dict[str, int], since: Position, state: State) -> Batch:
    """What brings a graph that holds these nodes to that state."""
    changes = Batch()
    nodes, _ = batch.expected(state.records)
    changes.take([record for record in state.records if held.get(mapping.ref(record.kind, record.id)) != record.seq])
    changes.gone |= held.keys() - nodes.keys()
    changes.take_vectors(pair for pair in state.vectors if pair[1].seq > since.seq)
    return changes


def _is_ahead(stand: Stand, position: Position) -> bool:
    """Whether there is nothing to do: it is where the partition is or further, or another process is filling it."""
    if stand.filling is not None and stand.schema == mapping.SCHEMA:
        return stand.filling < STALE_MS
    return stand.is_whole and stand.position.epoch >= position.epoch and stand.position.seq >= position.seq


def _number(user_id: str) -> int:
    return hash(user_id) % _TURNS
