"""siltstone forget: make memories unfindable, or erase them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.cli.options import Narrowing
from siltstone.errors import InvalidInput

Ids = Annotated[list[str] | None, typer.Argument(metavar="[MEMORY...]", help="Ids of memories.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Force:
    """How much is forgotten, and how thoroughly."""

    everything: Annotated[bool, typer.Option("--all", help="Everything of the user.")] = False
    purge: Annotated[bool, typer.Option("--purge", help="Erase the content everywhere; this cannot be undone.")] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False


def forget(run: Run, narrowing: Narrowing, force: Force, memory_ids: Ids = None) -> int:
    """Make memories unfindable, or erase them.

    By id, by filter, or --all. Their history stays, and `revive` brings them back.
    With --purge their content is erased. --purge and --all ask first; without a terminal they need --yes.
    Exits with 1 where a filter meets nothing.
    """
    if (force.purge or force.everything) and not force.yes:
        _confirm(run, "purge" if force.purge else "forget", "everything" if force.everything else "these memories")
    with run.memory() as memory:
        receipt = memory.forget(
            memory_ids or None, user_id=run.user, purge=force.purge, all=force.everything, **narrowing.narrow()
        )
    if run.screen.json:
        run.screen.document(document(receipt) | {"count": receipt.count})
    else:
        for memory_id in receipt.ids:
            run.screen.line(memory_id)
        erased = ", ".join(f"{count} {place}" for place, count in receipt.erased.items())
        run.screen.note(f"{'purged' if receipt.purged else 'forgot'} {receipt.count}{erased and f' ({erased})'}")
    return exits.OK if receipt.count or memory_ids else exits.NOTHING_FOUND


def _confirm(run: Run, verb: str, what: str) -> None:
    if run.screen.json or not sys.stdin.isatty():
        option = "--purge" if verb == "purge" else "--all"
        raise InvalidInput(f"{option} asks before it acts, and there is no terminal; add --yes if you mean it")
    if not typer.confirm(f"{verb} {what} of {run.user!r}?", err=True):
        raise InvalidInput(f"nothing was done: the {verb} was not confirmed; run it again if you mean it")
