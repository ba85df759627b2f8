"""siltstone beliefs: what turns become, step by step (Bubble's commands)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run, Work, command
from siltstone.cli.documents import document
from siltstone.errors import InvalidInput

app = typer.Typer(name="beliefs", help="Form beliefs and look at them.", no_args_is_help=True)

Who = Annotated[str | None, typer.Argument(metavar="[USER]", help="Whose beliefs (else --user).")]
Whose = Annotated[str, typer.Argument(metavar="USER", help="Whose beliefs.")]
Message = Annotated[str, typer.Argument(metavar="MESSAGE", help="What was said.")]
Prior = Annotated[str | None, typer.Argument(metavar="[PRIOR]", help="What was said before it.")]
Query = Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")]
Theta = Annotated[float | None, typer.Option("--theta", help="Promotion score in place of the configured one.")]
Limit = Annotated[int, typer.Option("--limit", "-k", min=1, help="At most so many answers.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]
Reopen = Annotated[bool, typer.Option("--reopen", help="Let the kept turns be formed anew.")]
To = Annotated[Path | None, typer.Option("--to", help="The file to write; else one in formation.archive_dir.")]
BAR = 20


def decompose(run: Run, message: Message, prior: Prior = None) -> int:
    """Show what a message would be taken apart into; nothing is kept.

    Prints valence, intensity, a bar and where each statement would go. Exits with 1 where it states nothing.
    """
    with run.memory() as memory:
        found = memory.beliefs.decompose(message, prior=prior)
        threshold = memory.settings.formation.threshold
    routes = ["vivid" if segment.intensity >= threshold else "weak" for segment in found]
    if run.screen.json:
        segments = [document(segment) | {"route": route} for segment, route in zip(found, routes, strict=True)]
        run.screen.document({"segments": segments, "threshold": threshold})
    else:
        rows = [
            [segment.valence, f"{segment.intensity:.2f}", "#" * round(BAR * segment.intensity), route, segment.text]
            for segment, route in zip(found, routes, strict=True)
        ]
        run.screen.table(("valence", "intensity", "", "route", "text"), rows)
    return exits.OK if found else exits.NOTHING_FOUND


def ingest(run: Run, who: Whose, message: Message, prior: Prior = None) -> None:
    """Keep a message and take it apart; promote nothing.

    Prints what it became: vivid statements are episodes, weak ones wait in the pool or speak for a chain.
    """
    with run.memory() as memory:
        receipt = memory.process(message, user_id=who, prior=prior, promote=False)
        read = memory.beliefs.read(who)
        found = [statement for entry_id in receipt.ids for statement in read.of_turn(entry_id)]
    if run.screen.json:
        run.screen.document({"receipt": document(receipt), "statements": [document(item) for item in found]})
        return
    run.screen.table(
        ("state", "intensity", "text"), [[item.state, f"{item.intensity:.2f}", item.text] for item in found]
    )
    if "formation" in receipt.waiting_for:
        run.screen.note("kept; it is formed when the model answers again")


def promote(run: Run, who: Who = None, theta: Theta = None) -> int:
    """Make episodes of the clusters that have gathered enough.

    Exits with 1 where there is none.
    """
    with run.memory() as memory:
        made = memory.beliefs.consolidate(user_id=who or run.user, theta=theta)
    if run.screen.json:
        run.screen.document({"promoted": [document(episode) for episode in made]})
    else:
        rows = [[episode.id, f"{episode.score:.4f}", str(len(episode.statements)), episode.text] for episode in made]
        run.screen.table(("id", "score", "statements", "text"), rows)
    return exits.OK if made else exits.NOTHING_FOUND


def query(run: Run, who: Whose, query: Query, limit: Limit = 5) -> int:
    """Find the beliefs that answer a question, best first.

    Prints each chain's summary, and below it its episodes. Exits with 1 where nothing answers.
    """
    from siltstone.beliefs import answers

    with run.memory() as memory:
        found = answers(memory, who, query, top_k=limit, verbose=True)
    if run.screen.json:
        run.screen.document({"answers": found})
        return exits.OK if found else exits.NOTHING_FOUND
    for item in found:
        run.screen.line(f"{item['score']:.3f}  {item['summary']}", "bold")
        for member in item["members"]:
            run.screen.line(f"       {member['timestamp'][:10]}  {member['summary']}  ({member['confidence_label']})")
    return exits.OK if found else exits.NOTHING_FOUND


def status(run: Run, who: Who = None) -> None:
    """Count a user's beliefs; name what waits and what failed."""
    with run.memory() as memory:
        found = memory.beliefs.status(user_id=who or run.user)
    if run.screen.json:
        run.screen.document(found)
        return
    rows = [[kind, str(count)] for kind, count in found.counts.items()]
    rows += [["waiting", str(len(found.waiting))], ["failed", str(len(found.failed))]]
    rows += [[memory_id, reason] for memory_id, reason in found.failed.items()]
    run.screen.table(("name", "value"), rows)


def diagnose(run: Run, who: Who = None, theta: Theta = None) -> None:
    """Show thresholds, clusters with their promotion scores, and distances.

    With --theta also what would be promoted at that score.
    """
    with run.memory() as memory:
        found = memory.beliefs.diagnose(user_id=who or run.user, theta=theta)
    if run.screen.json:
        run.screen.document(found)
        return
    run.screen.table(("name", "value"), [[name, str(value)] for name, value in found["thresholds"].items()])
    rows = [
        [item["id"], str(item["n"]), f"{item['mean_intensity']:.2f}", f"{item['score']:.4f}", item["statements"][-1]]
        for item in found["clusters"]
        if item["n"]
    ]
    run.screen.table(("id", "n", "mean", "score", "text"), rows)
    run.screen.table(("id", "n", "text"), [[c["id"], str(c["n"]), c["statements"][-1]] for c in found["chains"]])
    if "at" in found:
        run.screen.line(
            f"at {theta}: {len(found['at']['promoted'])} promoted, {len(found['at']['more'])} more than now"
        )


def reset(run: Run, who: Who = None, yes: Yes = False, reopen: Reopen = False) -> None:
    """Throw a user's beliefs away; what was said stays.

    With --reopen the kept turns are formed anew, models included.
    """
    who = who or run.user
    if not yes and (run.screen.json or not typer.confirm(f"Throw all beliefs of {who!r} away?")):
        raise InvalidInput(f"the beliefs of {who!r} were left as they are; say --yes to throw them away")
    with run.memory() as memory:
        count = memory.beliefs.reset(user_id=who, reopen=reopen)
        formed = memory.form(user_id=who).done if reopen else ()
    if run.screen.json:
        run.screen.document({"reset": count, "formed": len(formed)})
    else:
        run.screen.line(f"{count} beliefs thrown away, {len(formed)} turns formed anew")


def archive(run: Run, who: Who = None, to: To = None) -> None:
    """Write a user's statements as Bubble's archive lines: text, prior, intensity, valence, timestamp.

    The file is replaced as a whole. `siltstone import` reads such a file, and no model takes its lines apart.
    """
    from siltstone.upkeep.archive import archive_path, write_archive

    user_id = who or run.user
    with run.memory() as memory:
        path = to or archive_path(user_id, memory.settings.formation.archive_dir)
        count = write_archive(memory.beliefs.archive_lines(user_id=user_id), path)
    if run.screen.json:
        run.screen.document({"file": str(path), "lines": count})
    else:
        run.screen.line(f"{count} lines written to {path}")


COMMANDS: dict[str, Work] = {
    "decompose": decompose,
    "ingest": ingest,
    "promote": promote,
    "query": query,
    "status": status,
    "diagnose": diagnose,
    "reset": reset,
    "archive": archive,
}
for name, work in COMMANDS.items():
    app.command(name)(command(work))
