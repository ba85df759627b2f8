"""The host's own terminal, typed into through a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 150.0
BUSY = "msg=interrupt"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A conversation at the terminal of the host."""

    def __init__(self, program: Path, environ: dict[str, str], *words: str) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [str(program), *words],
            env={**environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def until(self, wanted: Callable[[], bool], what: str) -> None:
        """Read what is printed until this is so. Raises AssertionError where it does not become so in time."""
        deadline = time.monotonic() + PATIENCE
        while not wanted():
            assert time.monotonic() < deadline, f"{what} did not happen:\n{ESCAPES.sub('', self.seen)[-2000:]}"
            self._read()

    def shows(self, text: str) -> bool:
        """Whether this has been printed since the last typing."""
        return text in ESCAPES.sub("", self.seen)

    def idle(self) -> bool:
        """Whether the prompt that was drawn last takes a new message."""
        last = ESCAPES.sub("", self.seen).rpartition("❯")
        return bool(last[1]) and BUSY not in last[2]

    def type(self, line: str) -> None:
        """Type a line and the return key."""
        self.seen = ""
        os.write(self._master, line.encode())
        self._read()
        os.write(self._master, b"\r")

    def close(self) -> None:
        """End the host as closing the window does."""
        os.close(self._master)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        if select.select([self._master], [], [], 0.2)[0]:
            self.seen += os.read(self._master, 65536).decode("utf-8", "replace")
