"""siltstone export: a user's whole memory as JSON Lines."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from siltstone.cli.command import Run

Target = Annotated[str, typer.Argument(metavar="[FILE]", help="The file to write; - is standard output.")]


def export(run: Run, target: Target = "-") -> None:
    """Write a user's whole memory as JSON Lines.

    A file is replaced whole or not at all and is readable by its owner alone. `siltstone import` gives the same
    memory again, with the same fingerprint.
    """
    from siltstone.text.checks import user
    from siltstone.upkeep.transfer import export_lines

    with run.memory() as memory:
        if target == "-":
            _to_stdout(export_lines(memory.store.partition(user(run.user))))
            return
        count = memory.export(user_id=run.user, to=target)
    if run.screen.json:
        run.screen.document({"user_id": run.user, "file": target, "lines": count})
    else:
        run.screen.table(("name", "value"), [["file", target], ["lines", str(count)]])


def _to_stdout(lines: Iterable[str]) -> None:
    """UTF-8 whatever the locale is: an export must not lose a character."""
    sys.stdout.flush()
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n", write_through=False)
    try:
        out.writelines(lines)
        out.flush()
    finally:
        out.detach()
