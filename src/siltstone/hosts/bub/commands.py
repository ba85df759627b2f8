"""`bub memory show|search|forget|rebuild|export|import|status`: the memory of the workspace, seen and changed by hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from siltstone.errors import SiltstoneError

app = typer.Typer(help="Long-term memory of this workspace.", no_args_is_help=True, rich_markup_mode=None)

Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many of each at most.")]


@contextmanager
def _opened(ctx: typer.Context) -> Iterator[tuple[Any, Any]]:
    """The engine and scope of the workspace; an error of ours becomes one line and exit code 1."""
    from siltstone.hosts.bub.engine import Scope
    from siltstone.hosts.bub.plugin import plugin_of

    plugin = plugin_of(ctx.find_root().obj)
    try:
        yield plugin.engine, Scope(user=plugin.user)
    except (SiltstoneError, OSError) as error:
        typer.echo(f"bub memory: {error}", err=True)
        raise typer.Exit(1) from error
    finally:
        plugin.engine.close()


@app.command()
def show(ctx: typer.Context, limit: Limit = 20) -> None:
    """Show the newest memories, the entities and relations."""
    from siltstone.hosts.bub import answers

    with _opened(ctx) as (engine, scope):
        lines = list(answers.listing(engine, scope, limit)) if engine.is_there else []
        typer.echo("\n".join(lines) if lines else "nothing is remembered in this workspace yet")


@app.command()
def search(ctx: typer.Context, query: str, limit: Limit = 8) -> None:
    """Search memories and entities."""
    from siltstone.hosts.bub import answers

    with _opened(ctx) as (engine, scope):
        typer.echo(answers.search(engine, scope, query, limit))


@app.command()
def forget(
    ctx: typer.Context,
    id: Annotated[str | None, typer.Argument(help="A memory's id, or an entity's such as person:alice.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything of this workspace.")] = False,
    session: Annotated[str | None, typer.Option("--session", help="Everything of one session.")] = None,
    purge: Annotated[bool, typer.Option("--purge", help="Erase it; the tape itself is Bub's and stays.")] = False,
) -> None:
    """Forget a memory, an entity, a session or everything."""
    from siltstone.hosts.bub import answers

    if sum((id is not None, everything, session is not None)) != 1:
        raise typer.BadParameter("give one of: an id, --all, --session")
    with _opened(ctx) as (engine, scope):
        if id is not None:
            typer.echo(answers.forget(engine, scope, id, purge=purge))
        else:
            typer.echo(answers.forget_many(engine, scope, session=session, purge=purge))


@app.command()
def rebuild(
    ctx: typer.Context,
    read: Annotated[
        bool, typer.Option("--read", help="Also read everything by the model that only rules have read.")
    ] = False,
) -> None:
    """Read all tapes of this workspace again from their beginning, and fold the memory anew. Nothing is doubled."""
    from siltstone.hosts.bub import rebuilding

    with _opened(ctx) as (engine, scope):
        typer.echo(rebuilding.rebuild(engine, scope, model=read))


@app.command()
def export(
    ctx: typer.Context,
    to: Annotated[Path | None, typer.Argument(help="A file; else standard output.")] = None,
) -> None:
    """Write the whole memory of this workspace as JSON Lines, which `siltstone import` reads."""
    with _opened(ctx) as (engine, scope):
        lines = engine.memory().export(user_id=scope.user) if engine.is_there else ()
        if to is None:
            sys.stdout.writelines(f"{line.rstrip()}\n" for line in lines)
            return
        with to.open("w", encoding="utf-8") as file:
            count = sum(1 for line in lines if file.write(f"{line.rstrip()}\n"))
        typer.echo(f"{count} lines written to {to}")


@app.command(name="import")
def import_(
    ctx: typer.Context, path: Annotated[Path, typer.Argument(help="A snapshot file, or a folder of them.")]
) -> None:
    """Take over semantic snapshots, also those of the first plugin of this name, into this workspace."""
    from siltstone.hosts.bub import legacy

    with _opened(ctx) as (engine, scope):
        typer.echo(legacy.take_over(engine.memory(), scope.user, path))


@app.command()
def status(ctx: typer.Context) -> None:
    """Show what is kept where, what was read, and what fails."""
    from siltstone.hosts.bub import answers

    with _opened(ctx) as (engine, scope):
        typer.echo(answers.status(engine, scope))
