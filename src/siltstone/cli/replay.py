"""siltstone replay: fold the journal anew."""

from __future__ import annotations

from siltstone.cli import exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document


def replay(run: Run) -> int:
    """Rebuild a user's memory from its journal.

    Every projection is thrown away and folded again; no model is called.

    Prints the fingerprints before and after. Exits with 4 where they differ: the projection was damaged, and is now
    what the journal says.
    """
    with run.memory() as memory, run.screen.progress("replaying") as progress:
        done = memory.replay(user_id=run.user, progress=progress)
    if run.screen.json:
        run.screen.document(document(done) | {"user_id": run.user, "same": done.same})
    else:
        rows = [["events", str(done.events)], ["before", done.before], ["after", done.after]]
        run.screen.table(("name", "value"), [*rows, ["same", "yes" if done.same else "no"]])
    return exits.OK if done.same else exits.STORE_FAILED
