"""siltstone add: keep one text."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from siltstone.cli.command import Run
from siltstone.cli.options import Telling
from siltstone.errors import InvalidInput

Text = Annotated[list[str], typer.Argument(metavar="TEXT...", help="What to keep; - reads it from standard input.")]
Key = Annotated[
    str | None, typer.Option("--key", metavar="KEY", help="Idempotency key: adding again with it writes nothing.")
]


def add(run: Run, text: Text, telling: Telling, key: Key = None) -> None:
    """Keep a text whole; it can be found at once.

    Several words are joined by blanks. The answer is the id of the memory.
    """
    content = _stdin() if text == ["-"] else " ".join(text)
    with run.memory() as memory:
        receipt = memory.add(content, user_id=run.user, **telling.told(key))
    if run.screen.json:
        run.screen.document(receipt)
        return
    for memory_id in receipt.ids:
        run.screen.line(memory_id)
    if not receipt.created:
        run.screen.note("this key was used before: nothing was written")
    if receipt.waiting_for:
        run.screen.note(f"waiting for {', '.join(receipt.waiting_for)}; run: siltstone reindex")


def _stdin() -> str:
    """All of standard input as UTF-8, whatever the locale is, without the line feed that ends it."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not UTF-8 ({error}); convert it, for instance with iconv") from error
