"""The FalkorDB store and the store in memory take the same random steps, crashes among them."""

from __future__ import annotations

from hypothesis import settings
from servers import RunningServer

from siltstone.ports.stores import Projector, Store
from siltstone.stores.falkordb import FalkorDBStore
from siltstone.stores.falkordb.health import differences
from siltstone.stores.inmemory import InMemoryStore
from siltstone.stores.streams.partition import StreamPartition
from siltstone.testing.machine import StoreMachine
from stores.falkordb_servers import falkordb, new_store
