"""siltstone hermes: put the memory provider into a Hermes home, or take it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run, Work, command
from siltstone.cli.documents import document

app = typer.Typer(name="hermes", help="Siltstone as the memory provider of Hermes Agent.", no_args_is_help=True)

Home = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="The Hermes home (else HERMES_HOME, else ~/.hermes).")
]
Activate = Annotated[bool, typer.Option("--activate", help="Make it the active memory provider, too.")]
Python = Annotated[
    Path | None, typer.Option("--python", metavar="FILE", help="The Python that runs Hermes (else it is looked for).")
]


def install(run: Run, home: Home = None, activate: Activate = False, python: Python = None) -> None:
    """Write the plugin into a Hermes home, with everything it needs.

    Repeating it renews the plugin; memories are not touched. The folder holds the engine and its packages, so that an
    update of Hermes cannot break it.
    """
    from siltstone.hosts.hermes.home import default_home
    from siltstone.hosts.hermes.install import install as written

    done = written(home or default_home(), activate=activate, python=python)
    if run.screen.json:
        run.screen.document(document(done))
        return
    rows = [["folder", str(done.folder)], ["python", done.python], *(["package", name] for name in done.packages)]
    run.screen.table(("name", "value"), rows)
    if not done.active:
        run.screen.note("to use it: hermes memory setup siltstone")


def uninstall(run: Run, home: Home = None, python: Python = None) -> int:
    """Take the plugin out of a Hermes home; memories stay.

    Exits with 1 where there was none.
    """
    from siltstone.hosts.hermes.home import default_home
    from siltstone.hosts.hermes.install import uninstall as removed

    place = home or default_home()
    found = removed(place, python=python)
    if run.screen.json:
        run.screen.document({"removed": found, "home": str(place)})
    else:
        run.screen.line(f"removed from {place}; memories stay" if found else f"there is no plugin in {place}")
    return exits.OK if found else exits.NOTHING_FOUND


COMMANDS: dict[str, Work] = {"install": install, "uninstall": uninstall}

for _name, _work in COMMANDS.items():
    app.command(_name)(command(_work))
