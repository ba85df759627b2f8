"""siltstone users: whose memories the store holds."""

from __future__ import annotations

from siltstone.cli import exits
from siltstone.cli.command import Run


def users(run: Run) -> int:
    """List the users that have a memory in the store.

    Exits with 1 where there is none.
    """
    with run.memory() as memory:
        found = list(memory.users())
    if run.screen.json:
        run.screen.document({"users": found})
    else:
        for name in found:
            run.screen.line(name)
    return exits.OK if found else exits.NOTHING_FOUND
