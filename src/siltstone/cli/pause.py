"""siltstone pause and resume: stop recall or writes for a while."""

from __future__ import annotations

from typing import Annotated

import typer

from siltstone.cli.command import Run
from siltstone.cli.screen import shown

For = Annotated[float, typer.Option("--seconds", metavar="N", help="How long; at most 30 days.")]
What = Annotated[str, typer.Option("--what", metavar="WHAT", help="recall, writes or both.")]


def pause(run: Run, seconds: For = 3600.0, what: What = "recall") -> None:
    """Stop recall, writes or both for a while, e.g. while a workflow runs by itself.

    A paused recall is empty and says so; a paused write is an error. The pause ends by itself.
    """
    with run.memory() as memory:
        end = memory.pause(user_id=run.user, seconds=seconds, what=what)
    if run.screen.json:
        run.screen.document({"user_id": run.user, "what": what, "until": end})
    else:
        run.screen.line(f"{what} of {run.user} paused until {shown(end)} UTC")


def resume(run: Run, what: What = "both") -> None:
    """End a pause before its time."""
    with run.memory() as memory:
        memory.resume(user_id=run.user, what=what)
        left = memory.upkeep.paused(user_id=run.user)
    if run.screen.json:
        run.screen.document({"user_id": run.user, "paused": left})
    else:
        run.screen.line(f"paused: {', '.join(left) or 'nothing'}")
