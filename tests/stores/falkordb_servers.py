"""FalkorDB servers of both module versions that the tests run on.

`SILTSTONE_TEST_FALKORDB` names the older module's file (4.16.3), `SILTSTONE_TEST_FALKORDB_NEW` the newer one's (4.22.1).
"""

from __future__ import annotations

import itertools

from servers import MODULES, RunningServer, falkordb
from siltstone.ports.stores import Projector
from siltstone.stores.falkordb import FalkorDBStore

__all__ = ["MODULES", "falkordb", "new_store"]
NUMBERS = itertools.count(1)


def new_store(server: RunningServer, projector: Projector) -> FalkorDBStore:
    """An empty store under a prefix of its own."""
    return FalkorDBStore(server.url("falkordb", prefix=f"f{next(NUMBERS)}"), projector)
