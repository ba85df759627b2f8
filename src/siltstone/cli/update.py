"""siltstone update: change a memory."""

from __future__ import annotations

from typing import Annotated

import typer

from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.cli.options import Telling
from siltstone.cli.show import MemoryId, present

Text = Annotated[str | None, typer.Option(metavar="TEXT", help="The new text.")]
Clear = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Remove what was told, such as tags; may be repeated.")
]


def update(run: Run, memory_id: MemoryId, telling: Telling, text: Text = None, clear: Clear = None) -> None:
    """Change a memory; its earlier versions stay in its history."""
    with run.memory() as memory:
        entry = memory.update(memory_id, user_id=run.user, text=text, clear=clear or (), **telling.told())
    present(run, document(entry))
