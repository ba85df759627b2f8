"""siltstone config: the settings, where they come from, and a file for them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from siltstone import settings
from siltstone.cli.command import Run, command
from siltstone.errors import InvalidInput
from siltstone.settings import Leaf, Resolved, leaves

MASK = "********"
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]

app = typer.Typer(help="Show the settings, or write a file for them.", no_args_is_help=True)


def show(run: Run) -> None:
    """Show every setting, its value, and where that comes from; secrets are masked."""
    rows = shown_settings(resolved(run))
    if run.screen.json:
        names = ("name", "value", "source", "doc")
        run.screen.document({"file": str(path()), "settings": [dict(zip(names, row, strict=True)) for row in rows]})
    else:
        run.screen.table(("name", "value", "source"), [row[:3] for row in rows])


def show_path(run: Run) -> None:
    """Show which settings file is read, and whether it is there."""
    if run.screen.json:
        run.screen.document({"file": str(path()), "exists": path().exists()})
    else:
        run.screen.line(str(path()))


def init(run: Run, force: Force = False) -> None:
    """Write a settings file in which every setting is explained and none is set."""
    from siltstone.upkeep.transfer import write_lines

    if path().exists() and not force:
        raise InvalidInput(f"the settings file {path()} is there already; edit it, or replace it with --force")
    try:
        path().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = f"the folder {path().parent} cannot be made ({error.strerror})"
        raise InvalidInput(f"{why}; set SILTSTONE_CONFIG to another file") from error
    write_lines(template(), path())
    show_path(run)


def path() -> Path:
    """The settings file that is read."""
    return Path(os.environ.get("SILTSTONE_CONFIG") or settings.FILE).expanduser()


def resolved(run: Run) -> Resolved:
    """The effective settings, with what the command line says."""
    return settings.resolve({"url": run.common.db}, environ=os.environ)


def shown_settings(found: Resolved) -> list[list[str]]:
    """Name, value, source and documentation of each setting; a secret that is set shows as a mask."""
    rows = []
    for leaf in leaves():
        value = leaf_value(found, leaf)
        shown = MASK if leaf.secret and value else masked(value) if isinstance(value, str) else json.dumps(value)
        rows.append([leaf.name, shown, found.sources[leaf.name], leaf.doc])
    return rows


def masked(text: str) -> str:
    """The text without the password, where it is a URL that has one."""
    try:
        password = urlsplit(text).password
    except ValueError:  # no URL that anybody can read
        return text
    return text.replace(f":{password}@", f":{MASK}@") if password else text


def leaf_value(found: Resolved, leaf: Leaf) -> object:
    """The effective value of one setting."""
    value: object = found.settings
    for part in leaf.name.split("."):
        value = getattr(value, part)
    return value


def template() -> Sequence[str]:
    """The lines of a settings file in which everything is commented out."""
    lines = ["# Settings of Siltstone. Arguments and SILTSTONE_… variables win over what is set here.\n"]
    section = ""
    for leaf in leaves():
        head, _, key = leaf.name.rpartition(".")
        if head != section:
            lines.append(f"\n[{head}]\n")
            section = head
        choices = f" One of: {', '.join(leaf.choices)}." if leaf.choices else ""
        lines += [f"\n# {leaf.doc}{choices} ({leaf.variable})\n", f"# {key} = {json.dumps(leaf.default)}\n"]
    return lines


app.command("show")(command(show))
app.command("path")(command(show_path))
app.command("init")(command(init))
