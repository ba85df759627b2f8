"""`hermes siltstone doctor|search|stats|maintain|export`: the plugin's own commands, on the host's argument parser."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from siltstone.errors import SiltstoneError
from siltstone.hosts.hermes import checkup
from siltstone.hosts.hermes.config import Configuration, configuration
from siltstone.hosts.hermes.health import Health
from siltstone.hosts.hermes.home import default_home
from siltstone.hosts.hermes.scope import OWNER

Command = Callable[[Any], int]


def register_cli(subparser: Any) -> None:
    """Declare the commands on the parser of `hermes siltstone`."""
    commands = subparser.add_subparsers(dest="siltstone_command", metavar="COMMAND")
    doctor = commands.add_parser("doctor", help="check packages, settings, store and what went wrong")
    doctor.add_argument("--clear", action="store_true", help="forget the problems that were written down")
    search = commands.add_parser("search", help="find memories")
    search.add_argument("query", nargs="+", help="what to look for")
    search.add_argument("-k", "--limit", type=int, default=10, help="at most so many results (10)")
    stats = commands.add_parser("stats", help="count what is kept")
    maintain = commands.add_parser("maintain", help="do a round of upkeep now")
    maintain.add_argument("--dry-run", action="store_true", help="only say what would be done")
    export = commands.add_parser("export", help="write everything as JSON Lines")
    export.add_argument("file", nargs="?", default="-", help="where to; - for standard output")
    for command in (search, stats, maintain, export):
        command.add_argument("-u", "--user", default=None, help="whose memory (else the configured user)")
    subparser.set_defaults(func=siltstone_command)


def siltstone_command(args: Any) -> None:
    """Run the command that was given; the process ends with its exit code where that is not 0."""
    command = COMMANDS.get(getattr(args, "siltstone_command", None) or "doctor", _doctor)
    try:
        code = command(args)
    except SiltstoneError as error:
        print(f"siltstone: {error}", file=sys.stderr)
        code = 2
    if code:
        sys.exit(code)


def _doctor(args: Any) -> int:
    home = default_home()
    if getattr(args, "clear", False):
        Health(home / "siltstone").clear()
    found = list(checkup.findings(home))
    try:
        for name, value, source in checkup.effective_settings(configuration(home, os.environ)):
            print(f"setting  {name} = {value}  ({source})")
    except SiltstoneError:
        print("settings cannot be read:")
    for item in found:
        mark = "ok" if item.ok else "FAIL"
        print(f"{mark:<8} {item.name}: {item.detail}" + (f"; {item.remedy}" if item.remedy else ""))
    return 0 if all(item.ok for item in found) else 4


def _search(args: Any) -> int:
    with _memory() as (memory, found):
        recall = memory.retrieve(" ".join(args.query), user_id=_user(args, found), top_k=args.limit)
        for hit in recall:
            print(f"{hit.score:.3f}  {hit.occurred_at:%Y-%m-%d}  {hit.text}  ({hit.id})")
            print(
                "       " + "  ".join(f"{name} {value:.2f}" for name, value in {**hit.channels, **hit.factors}.items())
            )
        for gap in recall.degraded:
            print(f"siltstone: without {gap.part}: {gap.reason}", file=sys.stderr)
    return 0 if recall.hits else 1


def _stats(args: Any) -> int:
    with _memory() as (memory, _):
        for user_id in [args.user] if args.user else memory.users():
            counted = memory.stats(user_id=user_id)
            print(f"{user_id}: {counted.events} events, {json.dumps(dict(counted.records))}")
    return 0


def _maintain(args: Any) -> int:
    with _memory() as (memory, _):
        for user_id in [args.user] if args.user else memory.users():
            report = memory.upkeep.maintain(user_id=user_id, dry_run=args.dry_run)
            print(json.dumps(asdict(report), default=str, ensure_ascii=False))
    return 0


def _export(args: Any) -> int:
    with _memory() as (memory, found):
        memory.export(user_id=_user(args, found), to=sys.stdout if args.file == "-" else args.file)
    return 0


@contextmanager
def _memory() -> Iterator[tuple[Any, Configuration]]:
    from siltstone.memory import Memory

    found = configuration(default_home(), os.environ)
    with Memory.open(found.url, **found.engine) as memory:
        yield memory, found


def _user(args: Any, found: Configuration) -> str:
    return str(args.user or found.host.user_id or OWNER)


COMMANDS: dict[str, Command] = {
    "doctor": _doctor,
    "search": _search,
    "stats": _stats,
    "maintain": _maintain,
    "export": _export,
}
