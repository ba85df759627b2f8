"""siltstone search: the memories that answer a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document, dumped
from siltstone.cli.options import Narrowing

if TYPE_CHECKING:
    from siltstone.domain.values import Hit
    from siltstone.retrieval.recall import Recall

Query = Annotated[list[str], typer.Argument(metavar="QUERY...", help="What to look for; words are joined by blanks.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """How many hits are shown, and how."""

    top_k: Annotated[int | None, typer.Option("--top-k", "-k", metavar="N", help="At most this many hits.")] = None
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each hit's channels and factors, and how the search went.")
    ] = False
    prompt: Annotated[bool, typer.Option("--prompt", help="Print the hits as quoted lines to put before a model.")] = (
        False
    )
    budget: Annotated[int, typer.Option(metavar="TOKENS", help="About how many tokens --prompt may use.")] = 800
    recent_session: Annotated[
        str | None, typer.Option(metavar="ID", help="The conversation under way: its latest turns count more.")
    ] = None


def search(run: Run, query: Query, showing: Showing, narrowing: Narrowing) -> int:
    """Find memories, best first: score, date, speaker, text, id.

    Exits with 1 where nothing is found.
    """
    with run.memory() as memory:
        recall = memory.retrieve(
            " ".join(query),
            user_id=run.user,
            top_k=showing.top_k,
            recent_session=showing.recent_session,
            **narrowing.narrow(),
        )
    if run.screen.json:
        run.screen.document(_document(run, recall, showing))
    else:
        _print(run, recall, showing)
    return exits.OK if recall else exits.NOTHING_FOUND


def _document(run: Run, recall: Recall, showing: Showing) -> dict[str, Any]:
    found: dict[str, Any] = {"query": recall.query, "user_id": run.user, "hits": document(recall.hits)}
    found["degraded"] = document(recall.degraded)
    if showing.explain:
        found["trace"] = document(recall.trace)
    if showing.prompt:
        found["prompt"] = recall.as_prompt(showing.budget)
    return found


def _print(run: Run, recall: Recall, showing: Showing) -> None:
    for part in recall.degraded:
        remedy = f"; {part.remedy}" if part.remedy else ""
        missing = "recall is" if part.part == "recall" else f"without the {part.part} channel:"
        run.screen.note(f"{missing} {part.reason}{remedy}")
    if not recall:
        run.screen.note(f"nothing found for {recall.query!r}")
    elif showing.prompt:
        for line in recall.as_prompt(showing.budget).splitlines():
            run.screen.line(line)
    else:
        _print_hits(run, recall, explain=showing.explain)
    if showing.explain:
        run.screen.note(f"trace: {dumped(recall.trace, encoding='utf-8')}")


def _print_hits(run: Run, recall: Recall, *, explain: bool) -> None:
    """One table; what explains the hits comes in a second one on a terminal, in more columns in a pipe."""
    columns, made = ("score", "date", "speaker", "text", "id"), ("channels", "factors")
    rows = [_row(hit, run.screen.date(hit.occurred_at)) for hit in recall]
    reasons = [[_listed(hit.channels), _listed(hit.factors)] for hit in recall] if explain else []
    if reasons and not run.screen.terminal:
        run.screen.table((*columns, *made), [[*row, *why] for row, why in zip(rows, reasons, strict=True)])
        return
    run.screen.table(columns, rows)
    if reasons:
        why = [[row[0], row[-1], *reason] for row, reason in zip(rows, reasons, strict=True)]
        run.screen.table(("score", "id", *made), why)


def _row(hit: Hit, date: str) -> list[str]:
    return [f"{hit.score:.3f}", date, hit.speaker or "", hit.text, hit.id]


def _listed(values: Mapping[str, float]) -> str:
    return " ".join(f"{name}={value:.3f}" for name, value in values.items())
