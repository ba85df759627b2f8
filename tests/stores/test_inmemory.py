"""The oracle keeps every rule of a store."""

from __future__ import annotations

from pathlib import Path

from siltstone.ports.stores import Projector, Store
from siltstone.stores.inmemory import InMemoryStore
from siltstone.testing.stores import StoreContract


class TestInMemoryStore(StoreContract):
    """All rules, with `reopened` in place of a file."""

    def make_store(self, tmp_path: Path, projector: Projector) -> Store:
        return InMemoryStore(projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, InMemoryStore)
        store.close()
        return store.reopened(projector)
