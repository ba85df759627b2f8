"""The rules of `ports.stores`, as one class to subclass.

class TestMine(StoreContract):
    def make_store(self, tmp_path, projector):
        return MyStore(tmp_path / "store", projector)

    def reopen(self, store, projector):
        store.close()
        return MyStore(store.path, projector)
"""

from __future__ import annotations

from siltstone.testing.rules.commits import CommitRules
from siltstone.testing.rules.purges import PurgeRules
from siltstone.testing.rules.reads import ReadRules
from siltstone.testing.rules.rebuilds import RebuildRules
from siltstone.testing.rules.restores import RestoreRules
from siltstone.testing.rules.sharing import SharingRules


class StoreContract(CommitRules, ReadRules, RebuildRules, PurgeRules, RestoreRules, SharingRules):
    """Every rule of a store; define `make_store` and `reopen`."""
