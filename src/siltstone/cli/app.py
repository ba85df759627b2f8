"""The application: all commands in the order of the help, and the way in and out of the process."""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from siltstone import __version__
from siltstone.cli import (
    add,
    beliefs,
    config,
    demo,
    doctor,
    exits,
    export,
    feedback,
    forget,
    graph,
    hermes,
    history,
    import_,
    maintain,
    pause,
    reindex,
    replay,
    revive,
    search,
    show,
    stats,
    synonyms,
    update,
    users,
)
from siltstone.cli import list as list_
from siltstone.cli.command import Common, Db, Json, User, Verbose, Work, command, fail

HELP = "Long-term memory for LLM agents: what was said is kept whole and found again, with its date and origin."
EPILOG = "Exit codes: 0 done, 1 nothing found, 2 wrong input, 3 no such memory, 4 store, 5 model, 130 interrupted."
COMMANDS: dict[str, Work] = {
    "add": add.add,
    "search": search.search,
    "list": list_.list_,
    "show": show.show,
    "history": history.history,
    "update": update.update,
    "forget": forget.forget,
    "revive": revive.revive,
    "feedback": feedback.feedback,
    "maintain": maintain.maintain,
    "pause": pause.pause,
    "resume": pause.resume,
    "import": import_.import_,
    "export": export.export,
    "replay": replay.replay,
    "reindex": reindex.reindex,
    "users": users.users,
    "stats": stats.stats,
    "doctor": doctor.doctor,
    "demo": demo.demo,
}


def build() -> typer.Typer:
    """The application with all its commands."""
    made = typer.Typer(
        name="siltstone", help=HELP, epilog=EPILOG, rich_markup_mode=None, pretty_exceptions_enable=False
    )
    made.callback(invoke_without_command=True)(_root)
    for name, work in COMMANDS.items():
        made.command(name)(command(work))
    made.add_typer(beliefs.app, name="beliefs")
    made.add_typer(synonyms.app, name="synonyms")
    made.add_typer(config.app, name="config")
    made.add_typer(graph.app, name="graph")
    made.add_typer(hermes.app, name="hermes")
    return made


def main() -> None:
    """Run the command line of this process and exit with its code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the answer is the exit code, every error has been reported."""
    _prepare_streams()
    app.rich_markup_mode = "rich" if sys.stdout.isatty() else None
    json, verbose = "--json" in arguments, "--verbose" in arguments
    try:
        code = app(args=list(arguments), prog_name="siltstone", standalone_mode=False)
    except typer.TyperException as error:
        fail(_usage(error), exits.WRONG_INPUT, json=json)
        return exits.WRONG_INPUT
    except (typer.Abort, KeyboardInterrupt):
        return _interrupted()
    except Exception as error:  # noqa: BLE001 - the edge of the process: whatever comes here is reported
        if verbose:
            traceback.print_exc()
        fail(_defect(error), exits.DEFECT, json=json)
        return exits.DEFECT
    if code == exits.INTERRUPTED:
        return _interrupted()
    return code if isinstance(code, int) else exits.OK


def _root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)] = False,
    db: Db = None,
    user: User = None,
    json: Json = False,
    verbose: Verbose = False,
) -> None:
    if version:
        print(f"siltstone {__version__}")
        raise typer.Exit(exits.OK)
    ctx.obj = Common(db=db, user=user, json=json, verbose=verbose)
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
        raise typer.Exit(exits.WRONG_INPUT)


def _usage(error: typer.TyperException) -> Exception:
    ctx = getattr(error, "ctx", None)
    where = ctx.command_path if ctx is not None else "siltstone"
    return UsageError(f"{error.format_message().rstrip('.?')}; see: {where} --help")


def _defect(error: Exception) -> Exception:
    return Defect(f"unexpected {type(error).__name__}: {error}; it is a defect: run again with --verbose and report it")


def _interrupted() -> int:
    print("siltstone: interrupted", file=sys.stderr)
    return exits.INTERRUPTED


def _prepare_streams() -> None:
    """Print replacement characters where the terminal's encoding lacks one, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class UsageError(Exception):
    """The command line is wrong."""


class Defect(Exception):
    """Something that Siltstone should have foreseen."""


app = build()
