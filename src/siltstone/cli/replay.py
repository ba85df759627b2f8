"""siltstone replay: fold the journal anew."""

from __future__ import annotations

from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document

Who = Annotated[str | None, typer.Argument(metavar="[USER]", help="Whose memory (else --user).")]


Rederive = Annotated[
    bool,
    typer.Option("--rederive", help="Form all beliefs anew instead: models, where there are any, are asked again."),
]


def replay(run: Run, who: Who = None, rederive: Rederive = False) -> int:
    """Rebuild a user's memory from its journal.

    Every projection is thrown away and folded again; no model is called.

    Prints the fingerprints before and after. Exits with 4 where they differ: the projection was damaged, and is now
    what the journal says.
    """
    user_id = who or run.user
    if rederive:
        return _rederive(run, user_id)
    with run.memory() as memory, run.screen.progress("replaying") as progress:
        done = memory.replay(user_id=user_id, progress=progress)
    if run.screen.json:
        run.screen.document(document(done) | {"user_id": user_id, "same": done.same})
    else:
        rows = [["events", str(done.events)], ["before", done.before], ["after", done.after]]
        run.screen.table(("name", "value"), [*rows, ["same", "yes" if done.same else "no"]])
    return exits.OK if done.same else exits.STORE_FAILED


def _rederive(run: Run, user_id: str) -> int:
    """What was formed is thrown away and formed anew; turns whose model is down wait, and 5 is the exit code."""
    with run.memory() as memory:
        done = memory.beliefs.rederive(user_id=user_id)
    if run.screen.json:
        run.screen.document(document(done) | {"user_id": user_id})
    else:
        rows = [["formed", str(len(done.done))], ["waiting", str(len(done.waiting))], ["failed", str(len(done.failed))]]
        run.screen.table(("name", "value"), rows)
        for why in sorted({*done.waiting.values(), *done.failed.values()}):
            run.screen.note(why)
    return exits.OK if not done.waiting and not done.failed else exits.MODEL_FAILED
