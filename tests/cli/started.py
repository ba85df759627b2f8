"""The command `siltstone`, started by a test in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from siltstone.cli import app

MAIN = "from siltstone.cli import main; main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one run of the command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


class Siltstone:
    """Runs the command: `run` in this process, `process` in one of its own."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.url = f"sqlite://{store}"

    def run(self, *arguments: str, input: str | None = None) -> Outcome:
        """In this process, through typer's runner; not on a terminal."""
        result = CliRunner().invoke(app, list(arguments), input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(code=result.exit_code, out=result.stdout, err=result.stderr)

    def process(self, *arguments: str, input: bytes = b"", **environment: str) -> Outcome:
        """As a process whose streams are pipes; output is read as `PYTHONIOENCODING` says, else UTF-8."""
        done = subprocess.run(command(arguments), input=input, capture_output=True, env=env(environment), timeout=60)
        encoding = environment.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
        return Outcome(code=done.returncode, out=done.stdout.decode(encoding), err=done.stderr.decode(encoding))

    def add(self, text: str, *options: str) -> str:
        """Adds a text and gives its id."""
        outcome = self.run("add", text, *options)
        assert outcome.code == 0, outcome.err
        return outcome.out.strip()


def command(arguments: Sequence[str]) -> list[str]:
    """How the command is started as a process of its own."""
    return [sys.executable, "-c", MAIN, *arguments]


def env(changes: dict[str, str]) -> dict[str, str]:
    """This process's environment with changes, in which the package is found."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "0", **changes}
