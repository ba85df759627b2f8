"""siltstone list: a user's memories in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.cli.options import Narrowing


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which part of the list."""

    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="At most this many.")] = 100
    after: Annotated[str | None, typer.Option(metavar="MEMORY", help="Go on after this id.")] = None
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Forgotten ones, too.")] = False


def list_(run: Run, page: Page, narrowing: Narrowing) -> None:
    """List memories, oldest first: id, date, speaker, text."""
    with run.memory() as memory:
        found = memory.list(
            user_id=run.user,
            limit=page.limit,
            after=page.after,
            forgotten=page.forgotten,
            **narrowing.narrow(),
        )
    following = found[-1].id if len(found) == page.limit else None
    if run.screen.json:
        run.screen.document({"user_id": run.user, "entries": document(found), "next": following})
        return
    rows = [[item.id, run.screen.date(item.occurred_at), item.speaker or "", item.text] for item in found]
    run.screen.table(("id", "date", "speaker", "text"), rows)
    if not found:
        run.screen.note(f"{run.user!r} has no such memory")
    if following:
        run.screen.note(f"there may be more; go on with: --after {following}")
