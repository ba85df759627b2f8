"""Snapshots: what a chain says now."""

from __future__ import annotations

from collections.abc import Sequence

LINES = 5
"""Statements in a summary that no model wrote: the newest."""


def summary(statements: Sequence[str]) -> str:
    """The chain in words where no model writes them: its newest statements that hold, oldest first, one each."""
    distinct = list(dict.fromkeys(statement.strip() for statement in statements if statement.strip()))
    return " ".join(map(_closed, distinct[-LINES:]))


def _closed(statement: str) -> str:
    """The statement as a sentence."""
    if statement[-1] in ".!?。！？…":
        return statement
    return statement + ("。" if "\u4e00" <= statement[-1] <= "\u9fff" else ".")
