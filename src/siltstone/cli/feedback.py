"""siltstone feedback: say whether a memory was useful."""

from __future__ import annotations

from typing import Annotated

import typer

from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.cli.show import MemoryId, present

Useful = Annotated[bool, typer.Option("--useful/--useless", help="Whether it helped.")]
Turn = Annotated[str | None, typer.Option(metavar="ID", help="The turn it was recalled for; it counts once a turn.")]
Note = Annotated[str | None, typer.Option(metavar="TEXT", help="Why.")]


def feedback(run: Run, memory_id: MemoryId, useful: Useful, turn: Turn = None, note: Note = None) -> None:
    """Say whether a recalled memory was useful.

    --useful adds 1 to its feedback, --useless takes 2 from it.
    """
    with run.memory() as memory:
        entry = memory.feedback(memory_id, user_id=run.user, useful=useful, turn=turn, note=note)
    present(run, document(entry))
