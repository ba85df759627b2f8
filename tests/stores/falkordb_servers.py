"""FalkorDB servers of both module versions that the tests run on.

`SILTSTONE_TEST_FALKORDB` names the older module's file (4.16.3), `SILTSTONE_TEST_FALKORDB_NEW` the newer one's (4.22.1).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from servers import FETCHED, FILES, RunningServer, running
from siltstone.ports.stores import Projector
from siltstone.stores.falkordb import FalkorDBStore

FILES.setdefault("SILTSTONE_TEST_FALKORDB_NEW", FETCHED / "falkordb-new.so")
MODULES = {"4.16.3": "SILTSTONE_TEST_FALKORDB", "4.22.1": "SILTSTONE_TEST_FALKORDB_NEW"}
NUMBERS = itertools.count(1)


@contextmanager
def falkordb(version: str, *options: str, quiet: bool = True) -> Iterator[RunningServer]:
    """A server with that module while the block runs; `quiet` ones keep no telemetry."""
    words = [*(["CMD_INFO", "no"] if quiet else []), "THREAD_COUNT", "2", "OMP_THREAD_COUNT", "1"]
    with running(*words, *options, modules=(MODULES[version],)) as server:
        yield server


def new_store(server: RunningServer, projector: Projector) -> FalkorDBStore:
    """An empty store under a prefix of its own."""
    return FalkorDBStore(server.url("falkordb", prefix=f"f{next(NUMBERS)}"), projector)
