"""A store on a server: what its partitions share, and what it does beyond them."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass

from siltstone.errors import StoreError
from siltstone.ports.stores import Finding, Progress, Projector
from siltstone.stores.streams import health
from siltstone.stores.streams.address import Address
from siltstone.stores.streams.keys import Keys, decoded, registry
from siltstone.stores.streams.mirror import Mirrors
from siltstone.stores.streams.partition import StreamPartition
from siltstone.stores.streams.server import Server
from siltstone.stores.streams.sink import NoSink, Sink
from siltstone.stores.streams.steps import Shared

_KEPT = 10_000
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a server is used: seconds, and bytes of memory for copies of partitions in this process."""

    timeout: float = 5.0
    busy_timeout: float = 30.0
    replicas: int = 0
    replicas_timeout: float = 1.0
    mirrors: int = 512_000_000


class StreamStore:
    """Keeps all partitions on one server. Many processes may use it at once.

    Raises StoreUnavailable where the server cannot be reached or refuses this client.
    """

    def __init__(
        self, address: Address, projector: Projector, *, sink: Sink | None = None, options: Options | None = None
    ) -> None:
        options = options or Options()
        self.address, self.projector = address, projector
        self.server = Server(address, timeout=options.timeout, busy_timeout=options.busy_timeout)
        self.shared = Shared(
            server=self.server,
            projector=projector,
            sink=sink or NoSink(),
            mirrors=Mirrors(options.mirrors),
            replicas=options.replicas,
            replicas_timeout=options.replicas_timeout,
        )
        self._partitions: OrderedDict[str, StreamPartition] = OrderedDict()
        self.server.one("PING")

    @property
    def url(self) -> str:
        return self.address.shown

    def users(self) -> list[str]:
        tags = sorted(self.server.one("SMEMBERS", registry(self.address.prefix)))
        users = [decoded(tag.decode()) for tag in tags]
        heads = [Keys(self.address.prefix, user).head for user in users]
        there = self.server.run([("EXISTS", head) for head in heads]) if heads else []
        return sorted(user for user, found in zip(users, there, strict=True) if found)

    def partition(self, user_id: str) -> StreamPartition:
        self.server.require_open()
        found = self._partitions.get(user_id)
        if found is None:
            found = StreamPartition(user_id, self.shared)
            found.refresh()
            self._open_sink(found)
            if len(self._partitions) >= _KEPT:
                self._partitions.clear()
            self._partitions[user_id] = found
        return found

    def bare(self, user_id: str) -> StreamPartition:
        """That user's partition as it is: nothing is brought up to date. For `check`."""
        return StreamPartition(user_id, self.shared)

    def check(self, *, full: bool = False) -> list[Finding]:
        """As the port says; with `full`, every projection is compared with its journal instead of samples."""
        return health.check(self, full=full)

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        return health.repair(self, progress)

    def close(self) -> None:
        self.server.close()

    def _open_sink(self, partition: StreamPartition) -> None:
        """Tell the sink of a partition that is there; what fails there leaves the partition as usable as it is."""
        if partition.exists:
            try:
                self.shared.sink.opened(partition)
            except StoreError as error:
                _LOG.warning("%s; siltstone doctor --repair brings the index up to date", error)
