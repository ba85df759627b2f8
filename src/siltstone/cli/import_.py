"""siltstone import: read a file into a memory."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run

Source = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="The file; - reads standard input; redis://host:port reads what Keepsake keeps there."
    ),
]
Form = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="NAME",
        help="auto, export, messages (JSON Lines), bubble, keepsake, locomo, locomo-captions (pictures described), text.",
    ),
]
SHOWN = 20


def import_(run: Run, source: Source, form: Form = "auto") -> int:
    """Read conversations or an export into a memory.

    An export of Siltstone, JSON Lines of messages, a Bubble archive, a LoCoMo file, or plain text.
    Importing again adds nothing twice, also after an import that was cut short. A line that cannot be read is
    reported and skipped. A LoCoMo file of several conversations fills one user each: USER/SAMPLE. Exits with 2 where
    nothing at all could be read.
    """
    with run.memory() as memory, run.screen.progress("importing") as progress:
        receipt = memory.import_(
            sys.stdin.buffer if source == "-" else source,  # type: ignore[arg-type]
            user_id=run.user,
            format=form,
            progress=progress,
        )
    if run.screen.json:
        run.screen.document(receipt)
    else:
        rows = [["format", receipt.format], ["added", str(receipt.added)], ["existing", str(receipt.skipped_existing)]]
        rows += [["users", " ".join(receipt.users)], ["problems", str(len(receipt.problems))]]
        run.screen.table(("name", "value"), rows)
        _notes(run, receipt.problems, receipt.waiting)
    nothing = receipt.problems and not receipt.added and not receipt.skipped_existing
    return exits.WRONG_INPUT if nothing else exits.OK


def _notes(run: Run, problems: tuple[str, ...], waiting: int) -> None:
    for problem in problems[:SHOWN]:
        run.screen.note(problem)
    if len(problems) > SHOWN:
        run.screen.note(f"… and {len(problems) - SHOWN} more; see all with --json")
    if waiting:
        run.screen.note(f"{waiting} texts have no vector yet; run: siltstone reindex")
