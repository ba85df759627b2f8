"""siltstone graph: what the memory knows of people and things, and how they hang together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run, Work, command
from siltstone.cli.documents import document
from siltstone.cli.screen import safe
from siltstone.domain.graph import Neighbor
from siltstone.knowledge.options import Walk

app = typer.Typer(
    name="graph", help="Ask the knowledge graph: entities, relations, ways, causes.", no_args_is_help=True
)

Node = Annotated[str, typer.Argument(metavar="NODE", help="Id, name or alias of a node.")]
Other = Annotated[str, typer.Argument(metavar="OTHER", help="Id, name or alias of another node.")]
Nodes = Annotated[list[str], typer.Argument(metavar="OTHER...", help="Ids that are the same.")]
Hops = Annotated[int, typer.Option("--hops", min=1, max=20, help="Steps to go at most.")]
Direction = Annotated[
    str, typer.Option("--direction", metavar="both|out|in", help="Along edges, against them, or both.")
]
Types = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Only edges of this type; may be repeated.")
]
AsOf = Annotated[str | None, typer.Option(metavar="TIME", help="As it was true at this time.")]
KnownAt = Annotated[str | None, typer.Option(metavar="TIME", help="As it was known at this time.")]
Limit = Annotated[int, typer.Option("--limit", "-k", min=1, help="At most so many answers.")]
By = Annotated[str, typer.Option("--by", metavar="degree|pagerank", help="What makes a node important.")]
Reader = Annotated[
    str | None, typer.Option("--by", metavar="rules|model", help="Who reads (else the model where there is one).")
]
Again = Annotated[bool, typer.Option("--again", help="Also what was given up.")]
Format = Annotated[str, typer.Option("--format", metavar="json|graphml|mermaid|svg", help="What to write.")]
Effects = Annotated[bool, typer.Option("--effects", help="What it led to, in place of what led to it.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walking:
    """How far, and over what, a walk goes."""

    hops: Hops = 1
    direction: Direction = "both"
    type: Types = None
    as_of: AsOf = None
    known_at: KnownAt = None
    limit: Limit = 50

    def walk(self) -> Walk:
        """The keyword options of the library."""
        return Walk(
            hops=self.hops,
            direction=self.direction,
            types=self.type or (),
            as_of=self.as_of,
            known_at=self.known_at,
            limit=self.limit,
        )


def neighbors(run: Run, node: Node, walking: Walking) -> int:
    """Show what lies within some steps of a node, nearest first.

    Exits with 1 where nothing does.
    """
    with run.memory() as memory:
        found = memory.graph.neighbors(node, user_id=run.user, **walking.walk())
    return _shown(run, found)


def path(run: Run, node: Node, other: Other, hops: Hops = 6, limit: Limit = 3) -> int:
    """Show the best ways from one node to another.

    Exits with 1 where there is none.
    """
    with run.memory() as memory:
        found = memory.graph.paths(node, other, user_id=run.user, hops=hops, limit=limit)
    if run.screen.json:
        run.screen.document({"paths": [document(way) for way in found]})
    for way in () if run.screen.json else found:
        run.screen.line(_arrows(way.nodes, [(edge.source, edge.type) for edge in way.relations]))
    return exits.OK if found else exits.NOTHING_FOUND


def central(run: Run, by: By = "degree", limit: Limit = 10) -> int:
    """Show the most important nodes, best first.

    Exits with 1 where the graph is empty.
    """
    with run.memory() as memory:
        found = memory.graph.central(user_id=run.user, by=by, limit=limit)
    if run.screen.json:
        run.screen.document({"central": [document(entity) | {"score": score} for entity, score in found]})
    else:
        rows = [[entity.id, entity.name, f"{score:.4g}"] for entity, score in found]
        run.screen.table(("id", "name", by), rows)
    return exits.OK if found else exits.NOTHING_FOUND


def causes(run: Run, node: Node, hops: Hops = 20, effects: Effects = False) -> int:
    """Show what led to a node, or what it led to.

    Exits with 1 where nothing did.
    """
    with run.memory() as memory:
        found = memory.graph.causes(node, user_id=run.user, hops=hops, direction="out" if effects else "in")
    return _shown(run, found)


def dependencies(run: Run, node: Node, hops: Hops = 20) -> int:
    """Show what a node depends on, and who depends on it.

    Exits with 1 where neither is known.
    """
    with run.memory() as memory:
        found = memory.graph.dependencies(node, user_id=run.user, hops=hops)
    if run.screen.json:
        run.screen.document(found)
    else:
        for head, part in (("needs", found.needs), ("needed by", found.needed_by)):
            rows = [[head, item.entity.id, str(item.hop), _arrows(item.path, [])] for item in part]
            run.screen.table(("", "id", "hop", "over"), rows)
    return exits.OK if found.needs or found.needed_by else exits.NOTHING_FOUND


def extract(run: Run, by: Reader = None, again: Again = False) -> int:
    """Read entities and relations out of what was kept and not read yet.

    What a model could not answer waits, and the next run asks again; exits with 5 then.
    """
    with run.memory() as memory:
        found = memory.graph.extract(user_id=run.user, by=by, again=again)
        status = memory.graph.status(user_id=run.user)
    if run.screen.json:
        run.screen.document(document(found) | {"status": document(status)})
    else:
        run.screen.line(
            f"{len(found.read)} entries read, {len(found.waiting)} wait, {len(found.failed)} failed; "
            f"{status.entities} entities, {status.relations} relations"
        )
        for reason in dict.fromkeys([*found.waiting.values(), *found.failed.values()]):
            run.screen.note(reason)
    return exits.MODEL_FAILED if found.waiting else exits.OK


def merge(run: Run, node: Node, others: Nodes) -> None:
    """Make several nodes one; the first keeps its id."""
    with run.memory() as memory:
        found = memory.graph.merge(node, *others, user_id=run.user)
    if run.screen.json:
        run.screen.document(found)
    else:
        run.screen.line(f"{found.id}: {', '.join((found.name, *found.aliases))}")


def export(run: Run, format: Format = "json") -> None:
    """Write the whole graph to standard output: JSON, GraphML, Mermaid, or a picture as SVG."""
    with run.memory() as memory:
        text = memory.graph.export(user_id=run.user, format=format)
    print(safe(text), end="")


def _shown(run: Run, found: Sequence[Neighbor]) -> int:
    if run.screen.json:
        run.screen.document({"neighbors": [document(item) for item in found]})
    else:
        rows = [[item.entity.id, str(item.hop), f"{item.score:.3f}", item.relation.type] for item in found]
        run.screen.table(("id", "hop", "score", "relation"), rows)
    return exits.OK if found else exits.NOTHING_FOUND


def _arrows(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> str:
    """The nodes in order, with the edge between each two in its direction."""
    if not edges:
        return " -> ".join(nodes)
    said = nodes[0]
    for (source, kind), (before, after) in zip(edges, pairwise(nodes), strict=True):
        said += f" --{kind}--> {after}" if source == before else f" <--{kind}-- {after}"
    return said


COMMANDS: dict[str, Work] = {
    "neighbors": neighbors,
    "path": path,
    "central": central,
    "causes": causes,
    "dependencies": dependencies,
    "extract": extract,
    "merge": merge,
    "export": export,
}
for name, work in COMMANDS.items():
    app.command(name)(command(work))
