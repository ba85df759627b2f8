"""How a command is made: the options that all share, the memory opened for it, and its errors reported."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from siltstone.cli import exits
from siltstone.cli.documents import dumped
from siltstone.cli.screen import Screen, complain
from siltstone.errors import SiltstoneError

if TYPE_CHECKING:
    from siltstone.memory import Memory

DEFAULT_USER = "default"
PANEL = "Options of every command"

Db = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="The store: sqlite:///path or a path (else SILTSTONE_URL, else the settings file).",
        rich_help_panel=PANEL,
    ),
]
User = Annotated[
    str | None,
    typer.Option("--user", "-u", metavar="ID", help=f"Whose memory (else {DEFAULT_USER!r}).", rich_help_panel=PANEL),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.", rich_help_panel=PANEL)]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show where an error came from.", rich_help_panel=PANEL)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """The options of every command; they may stand before or after its name."""

    db: Db = None
    user: User = None
    json: Json = False
    verbose: Verbose = False

    def over(self, outer: Common) -> Common:
        """These options, and the outer ones where these were not given."""
        return Common(
            db=self.db or outer.db,
            user=self.user if self.user is not None else outer.user,
            json=self.json or outer.json,
            verbose=self.verbose or outer.verbose,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of one command."""

    common: Common
    screen: Screen

    @property
    def user(self) -> str:
        """Whose memory is meant."""
        return DEFAULT_USER if self.common.user is None else self.common.user

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The memory that --db names, else the configured one; closed at the end."""
        from siltstone.memory import Memory

        with Memory.open(self.common.db) as memory:
            yield memory


Work = Callable[..., int | None]


def command(work: Work) -> Callable[..., None]:
    """`work(run, …)` as a typer callback that also takes the common options.

    A parameter whose type is a dataclass stands for that dataclass's fields. What `work` returns is the exit code,
    None for 0; an error of ours becomes one line on standard error and its exit code.
    """
    hints = {name: hint for name, hint in get_type_hints(work, include_extras=True).items() if name != "return"}
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and hint is not Run}

    def callback(ctx: typer.Context, **given: Any) -> None:
        common = _taken(Common, given).over(ctx.obj or Common())
        bundles = {name: _taken(group, given) for name, group in groups.items()}
        run = Run(common=common, screen=Screen(json=common.json))
        with reported(common):
            code = work(run, **bundles, **given)
            sys.stdout.flush()
        raise typer.Exit(code or exits.OK)

    return _dressed(callback, work, [*_parameters(work, hints, groups), *_options(Common)])


def _dressed(callback: Callable[..., None], work: Work, parameters: list[inspect.Parameter]) -> Callable[..., None]:
    """The callback with the name, help and parameters that typer is to see."""
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    every = [context, *parameters]
    callback.__name__, callback.__doc__ = work.__name__, work.__doc__
    callback.__annotations__ = {item.name: item.annotation for item in every}
    callback.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
    return callback


def _parameters(work: Work, hints: Mapping[str, Any], groups: Mapping[str, Any]) -> Iterator[inspect.Parameter]:
    for name, parameter in list(inspect.signature(work).parameters.items())[1:]:
        if name in groups:
            yield from _options(groups[name])
        else:
            yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])


def _options(group: type) -> list[inspect.Parameter]:
    """The fields of a dataclass as parameters."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(item.name, inspect.Parameter.KEYWORD_ONLY, default=item.default, annotation=hints[item.name])
        for item in fields(group)
    ]


def _taken(group: Any, given: dict[str, Any]) -> Any:
    """The dataclass with its fields' values, taken out of `given`."""
    return group(**{item.name: given.pop(item.name) for item in fields(group) if item.name in given})


@contextmanager
def reported(common: Common) -> Iterator[None]:
    """Turns errors into a line and an exit code, and warnings into a line."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _warned
        try:
            yield
        except SiltstoneError as error:
            if common.verbose:
                traceback.print_exc()
            fail(error, exits.code_for(error), json=common.json)
            raise typer.Exit(exits.code_for(error)) from error
        except BrokenPipeError as error:
            _discard_output()
            raise typer.Exit(exits.PIPE_CLOSED) from error


def fail(error: Exception, code: int, *, json: bool) -> None:
    """Say what went wrong on standard error: one line, or one JSON object."""
    if json:
        about = {"type": type(error).__name__, "message": str(error), "code": code}
        print(dumped({"error": about}, encoding=sys.stderr.encoding or "utf-8"), file=sys.stderr)
    else:
        complain(f"siltstone: {error}")


def _warned(message: Warning | str, *about: Any, **more: Any) -> None:
    complain(f"siltstone: warning: {message}")


def _discard_output() -> None:
    """Nobody reads what is still in the buffer: send it nowhere, so that the interpreter's last flush succeeds."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
