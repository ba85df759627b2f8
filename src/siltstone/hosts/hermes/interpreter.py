"""Which Python runs the host: packages that are compiled must fit it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from siltstone.errors import InvalidInput
from siltstone.hosts.hermes.directory.engine_path import tag

ASK = (
    "import json, sys, sysconfig; print(json.dumps({'tag': sys.implementation.cache_tag + '-' + sysconfig.get_platform(),"
    " 'version': '%d.%d' % sys.version_info[:2]}))"
)
USUAL = ("hermes-agent/venv/bin/python", "hermes-agent/.venv/bin/python", "hermes-agent/venv/Scripts/python.exe")
PATIENCE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python: where it is, its version, and what names packages compiled for it."""

    path: Path
    version: str
    tag: str

    @property
    def same(self) -> bool:
        """Whether what is compiled for the Python that runs now fits it."""
        return self.tag == tag()


def interpreter(home: Path, named: Path | None) -> Interpreter:
    """The named Python, else the one that runs the host of this home, else the one that runs now.

    Raises InvalidInput where the named one cannot be asked.
    """
    for path in (named, *(home / place for place in USUAL), _of_command()):
        if path is not None and (path.exists() or path is named):
            return _asked(path)
    return _asked(Path(sys.executable))


def _of_command() -> Path | None:
    """The Python in the first line of the `hermes` command, where it is on the path."""
    command = shutil.which("hermes")
    if command is None:
        return None
    with Path(command).open("rb") as file:
        first = file.readline(1024).decode("utf-8", "replace").strip()
    found = Path(first.removeprefix("#!").strip().split(" ")[0]) if first.startswith("#!") else None
    return found if found is not None and "python" in found.name and found.exists() else None


def _asked(path: Path) -> Interpreter:
    try:
        ran = subprocess.run([str(path), "-c", ASK], capture_output=True, text=True, timeout=PATIENCE, check=True)
        return Interpreter(path=path, **json.loads(ran.stdout))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError) as error:
        raise InvalidInput(
            f"{path} cannot be run as a Python: {error}; name the host's Python with --python"
        ) from error
