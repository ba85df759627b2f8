"""siltstone revive: undo a forgetting."""

from __future__ import annotations

from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.cli.show import MemoryId, present


def revive(run: Run, memory_id: MemoryId) -> None:
    """Make a forgotten memory findable again.

    A purged one is gone for good.
    """
    with run.memory() as memory:
        entry = memory.revive(memory_id, user_id=run.user)
    present(run, document(entry))
