"""The store on a FalkorDB server: everything of a stream store, and one graph a user beside it."""

from __future__ import annotations

from siltstone.ports.stores import Projector
from siltstone.stores.falkordb.graph import Graph
from siltstone.stores.falkordb.health import version_of
from siltstone.stores.falkordb.sink import GraphSink, graph_of
from siltstone.stores.streams.address import Address, parse
from siltstone.stores.streams.partition import StreamPartition
from siltstone.stores.streams.store import Options, StreamStore

SCHEME = "falkordb"


class FalkorDBStore(StreamStore):
    """Keeps journals, records and vectors as any store on a Redis server does, and draws each user's memories as a graph.

    `location` is `falkordb://user:password@host:port/0`, `falkordbs://…` for TLS, or `falkordb+unix:///path/of/socket`.
    Raises StoreUnavailable where the server cannot be reached, refuses this client or has no FalkorDB module.
    """

    def __init__(self, location: str | Address, projector: Projector, *, options: Options | None = None) -> None:
        address = parse(location, scheme=SCHEME) if isinstance(location, str) else location
        self._graphs = GraphSink()
        super().__init__(address, projector, sink=self._graphs, options=options)
        version_of(self.server)

    def partition(self, user_id: str) -> StreamPartition:
        is_known = user_id in self._partitions
        partition = super().partition(user_id)
        if not is_known:
            self._graphs.opened(partition)
        return partition

    def graph(self, user_id: str) -> Graph:
        """That user's graph, brought up to date with everything written so far."""
        partition = self.partition(user_id)
        self._graphs.attend(partition)
        return graph_of(partition)

    def close(self) -> None:
        self._graphs.close()
        super().close()
