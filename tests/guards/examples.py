"""Runs what a Markdown page shows: its `python` blocks, and the `$ siltstone …` lines of its `console` blocks."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```[ ]*$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (siltstone\b(?:.*\\\n)*.*)$", re.MULTILINE)
USAGE = "[OPTIONS]"
"""Stands in the lines of the reference that show how a command is called, and are none themselves."""
UNRUN = "no-run"
PATIENCE = 120.0
"""Seconds until a command that a page shows is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block: the words after the fence, its code with the indent taken off, the line that it begins in."""

    info: tuple[str, ...]
    code: str
    line: int

    @property
    def runs(self) -> bool:
        """Whether it is a block in a language that is run, and not marked `no-run`."""
        return self.info[:1] in (("python",), ("console",)) and UNRUN not in self.info


def blocks(text: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    found = []
    for match in FENCE.finditer(text):
        indent = len(match["indent"])
        code = "".join(line[indent:] if line.strip() else line for line in match["code"].splitlines(keepends=True))
        info, line = tuple(match["info"].split()), text.count("\n", 0, match.start("code")) + 1
        found.append(Block(info=info, code=code, line=line))
    return found


def run_page(page: Path, folder: Path) -> int:
    """Run every block that runs, in order, in `folder`, with one namespace; how many there were.

    What a block raises is raised. A command that does not exit with 0 raises AssertionError with what it wrote.
    """
    run: dict[str, Callable[[Block], None]] = {
        "python": lambda block: _python(block, page, namespace),
        "console": lambda block: _console(block, page, folder),
    }
    namespace: dict[str, Any] = {"__name__": "__main__"}
    ran = [block for block in blocks(page.read_text(encoding="utf-8")) if block.runs]
    for block in ran:
        run[block.info[0]](block)
    return len(ran)


def _python(block: Block, page: Path, namespace: dict[str, Any]) -> None:
    # The empty lines make a traceback show the line of the page.
    exec(compile("\n" * (block.line - 1) + block.code, str(page), "exec"), namespace)


def _console(block: Block, page: Path, folder: Path) -> None:
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", "")))
    for command in (shown for shown in COMMAND.findall(block.code) if USAGE not in shown):
        ran = subprocess.run(
            ["sh", "-euc", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ran.returncode == 0, f"{page}:{block.line}: `{command}` exited with {ran.returncode}:\n{ran.stderr}"
