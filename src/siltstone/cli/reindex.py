"""siltstone reindex: vectors for every text that has none of the current model."""

from __future__ import annotations

from typing import Annotated

import typer

from siltstone.cli.command import Run

Everyone = Annotated[bool, typer.Option("--all-users", help="For every user of the store.")]


def reindex(run: Run, everyone: Everyone = False) -> None:
    """Embed texts that the current model has no vector for.

    Run it after another model was chosen.

    What is done stays done: an interrupted run goes on where it stopped. Words are searched meanwhile.
    """
    done = {}
    with run.memory() as memory:
        for user_id in memory.users() if everyone else [run.user]:
            with run.screen.progress(f"embedding {user_id}") as progress:
                done[user_id] = memory.reindex(user_id=user_id, progress=progress)
    if run.screen.json:
        run.screen.document({"embedded": done})
    else:
        run.screen.table(("name", "embedded"), [[user_id, str(count)] for user_id, count in done.items()])
