"""The SQLite store keeps every rule of a store."""

from __future__ import annotations

from pathlib import Path

from siltstone.ports.stores import Projector, Store
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.stores import StoreContract


class TestSQLiteStore(StoreContract):
    """All rules, in a file."""

    def make_store(self, tmp_path: Path, projector: Projector) -> Store:
        return SQLiteStore(tmp_path / "memory.db", projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        store.close()
        return SQLiteStore(store.url, projector)
