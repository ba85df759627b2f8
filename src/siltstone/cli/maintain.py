"""siltstone maintain: keep a user's memory in order, and say what was done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document

if TYPE_CHECKING:
    from siltstone.upkeep.report import Report, StepReport

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        "--step", metavar="NAME", help="Only this step: erase, deduplicate, consolidate, forget, retain, synonyms."
    ),
]
Due = Annotated[bool, typer.Option("--due", help="Only the steps that the schedule wants run now.")]
Budget = Annotated[float | None, typer.Option(metavar="SECONDS", help="Begin nothing more after this time.")]
Undo = Annotated[
    str | None, typer.Option("--undo", metavar="ID", help="Take back a run, a merged or a forgotten memory.")
]


def maintain(
    run: Run, dry_run: DryRun = False, step: Steps = None, due: Due = False, budget: Budget = None, undo: Undo = None
) -> int:
    """Merge notes on one topic, forget what nobody needs, drop duplicates, look for synonyms.

    Prints each step and what it did, with the id of the run. Forgetting only says what it would do unless
    upkeep.forget_dry_run is false. Everything but erasing can be undone with --undo.
    """
    with run.memory() as memory:
        if undo is not None:
            return _undo(run, memory.upkeep.undo(undo, user_id=run.user))
        steps = memory.upkeep.due(user_id=run.user) if due else step
        report = memory.upkeep.maintain(user_id=run.user, steps=steps, dry_run=dry_run, budget_seconds=budget)
    if run.screen.json:
        run.screen.document(report)
    else:
        _print(run, report)
    return exits.OK


def _undo(run: Run, undone: object) -> int:
    found = document(undone)
    if run.screen.json:
        run.screen.document(found)
    else:
        rows = [[what, memory_id] for what in ("restored", "removed") for memory_id in found[what]]
        run.screen.table(("what", "id"), rows)
    return exits.OK


def _print(run: Run, report: Report) -> None:
    if report.skipped:
        run.screen.note(f"nothing was done: {report.skipped}")
    rows = [row for step in report.steps for row in _rows(step)]
    run.screen.table(("step", "what", "memories", "text"), rows)
    for step in report.steps:
        if step.note:
            run.screen.note(f"{step.name}: {step.note}")
    if report.unfinished:
        run.screen.note(f"no time left for: {', '.join(report.unfinished)}")
    run.screen.note(f"run {report.run}" + (" (dry run: nothing was changed)" if report.dry_run else ""))


def _rows(step: StepReport) -> Iterator[list[str]]:
    name = step.name if step.done else f"{step.name} (dry run)"
    if not step.actions:
        yield [name, "nothing to do", "", ""]
    for action in step.actions:
        into = f" → {action.into}" if action.into else ""
        yield [name, action.reason, " ".join(action.ids) + into, action.text]
