"""siltstone show: all about one memory."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from siltstone.cli.command import Run
from siltstone.cli.documents import document, dumped
from siltstone.errors import NotFound

MemoryId = Annotated[str, typer.Argument(metavar="MEMORY", help="The id of a memory.")]


def show(run: Run, memory_id: MemoryId) -> None:
    """Show all about one memory, also a forgotten one."""
    with run.memory() as memory:
        entry = memory.get(memory_id, user_id=run.user)
    if entry is None:
        raise NotFound(f"there is no memory {memory_id!r} of {run.user!r}; list them with: siltstone list")
    present(run, document(entry))


def present(run: Run, value: dict[str, Any]) -> None:
    """A document as it is with --json, else its filled fields, one a line."""
    if run.screen.json:
        run.screen.document(value)
        return
    filled = {key: item for key, item in value.items() if item not in (None, [], {}, "")}
    run.screen.table(("name", "value"), [[key, _text(item)] for key, item in filled.items()])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumped(value, encoding="utf-8")
