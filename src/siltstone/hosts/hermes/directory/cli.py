"""`hermes siltstone …`: reaches the engine beside this file and hands the command line on."""

from __future__ import annotations

from typing import Any

from . import engine_path


def register_cli(subparser: Any) -> None:
    """Declare the commands."""
    engine_path.reach()
    from siltstone.hosts.hermes.cli import register_cli as declare

    declare(subparser)


def siltstone_command(args: Any) -> None:
    """Run the command that was given."""
    engine_path.reach()
    from siltstone.hosts.hermes.cli import siltstone_command as run

    run(args)
