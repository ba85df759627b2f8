"""The store on Redis: `redis://user:password@host:port/0`, `rediss://` for TLS, `redis+unix:///path` for a socket."""

from __future__ import annotations

from collections.abc import Sequence

from siltstone.errors import StoreUnavailable
from siltstone.ports.stores import Projector
from siltstone.stores.redis.search import Found, Search
from siltstone.stores.streams.address import Address, parse
from siltstone.stores.streams.store import Options, StreamStore

SCHEME = "redis"


class RedisStore(StreamStore):
    """Keeps all partitions on one server. Many processes may use it at once.

    `location` is a URL. Where the server has no search module, or the database is not 0, everything works but `lookup`,
    and `check` says so. Raises StoreUnavailable where the server cannot be reached or refuses this client.
    """

    def __init__(self, location: str | Address, projector: Projector, *, options: Options | None = None) -> None:
        address = parse(location, scheme=SCHEME) if isinstance(location, str) else location
        self._search = Search()
        super().__init__(address, projector, sink=self._search, options=options)
        self._search.discover(self.server)

    def lookup(self, user_id: str, terms: Sequence[str], *, kind: str = "entry", limit: int = 10) -> list[Found]:
        """The live records of that user that hold any of these index terms, best first, as the server ranks them (BM25).

        Recall does not use it: it ranks in the process, alike on every store. Raises StoreUnavailable where the server
        has no search module.
        """
        if self._search.missing:
            raise StoreUnavailable(f"{self.url} cannot be searched on the server: {self._search.missing}")
        return self._search.lookup(self.partition(user_id), terms, kind=kind, limit=limit)
