"""siltstone history: what happened to one memory."""

from __future__ import annotations

from siltstone.cli.command import Run
from siltstone.cli.documents import document, dumped
from siltstone.cli.screen import shown
from siltstone.cli.show import MemoryId


def history(run: Run, memory_id: MemoryId) -> None:
    """Show what happened to one memory.

    Oldest first: journal position, date, event, content."""
    with run.memory() as memory:
        changes = memory.history(memory_id, user_id=run.user)
    if run.screen.json:
        run.screen.document({"id": memory_id, "user_id": run.user, "changes": document(changes)})
        return
    rows = [[str(item.seq), shown(item.at), item.kind, dumped(item.payload, encoding="utf-8")] for item in changes]
    run.screen.table(("seq", "date", "name", "text"), rows)
