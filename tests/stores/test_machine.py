"""Random lives of a SQLite store beside the oracle."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings

from siltstone.ports.stores import Projector, Store
from siltstone.stores.inmemory import InMemoryStore
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.machine import StoreMachine


class SQLiteMachine(StoreMachine):
    """A file in a directory of its own for each run; a crash leaves connections open and opens a copy of the files."""

    def make_store(self, projector: Projector) -> Store:
        self.folder = Path(tempfile.mkdtemp(prefix="siltstone-machine-"))
        self.abandoned: list[Store] = []
        return SQLiteStore(self.folder / "memory.db", projector)

    def make_oracle(self, projector: Projector) -> Store:
        return InMemoryStore(projector)

    def reopen(self, store: Store, projector: Projector) -> Store:
        store.close()
        return SQLiteStore(store.url, projector)

    def crash(self, store: Store, projector: Projector) -> Store:
        assert isinstance(store, SQLiteStore)
        self.abandoned.append(store)
        found = store.path.parent / f"crash-{len(self.abandoned)}"
        found.mkdir()
        for suffix in ("", "-wal"):
            if (source := store.path.with_name(store.path.name + suffix)).exists():
                shutil.copy(source, found / source.name)
        return SQLiteStore(found / store.path.name, projector)

    def teardown(self) -> None:
        super().teardown()
        for store in getattr(self, "abandoned", []):
            store.close()
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


TestSQLiteMachine = SQLiteMachine.TestCase
TestSQLiteMachine.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
