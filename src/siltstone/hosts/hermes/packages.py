"""The packages that the engine needs, copied beside it: a host that rebuilds its environment cannot take them away.

What is plain Python, or data, is copied from where Siltstone runs. What is compiled is copied where the host runs the
same Python, else fetched for the host's Python by its own package installer.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path, PurePosixPath

from siltstone.errors import InvalidInput
from siltstone.hosts.hermes.interpreter import Interpreter

COMPILED = ("numpy",)
PLAIN = ("snowballstemmer",)
OPTIONAL = ("redis", "wordllama")
"""Copied where they are installed: the Redis client, and the weights of the default embedder."""
DATA_ONLY = {"wordllama": ("wordllama/__init__.py", "wordllama/weights/l2_supercat_256", "wordllama/tokenizers/")}
"""Packages of which only files are read, and which those are."""
LEFT_OUT = {"tests", "__pycache__", "f2py", "testing"}
ENDINGS_LEFT_OUT = (".pyi", ".pyc", ".c", ".h", ".pyx", ".pxd", ".a", ".lib")
PATIENCE = 300.0


def gather(target: Path, interpreter: Interpreter) -> list[str]:
    """Put the packages for this interpreter into `target`; their names and releases."""
    target.mkdir(parents=True, exist_ok=True)
    plain = [*PLAIN, *(name for name in OPTIONAL if _installed(name))]
    names = [_copied(name, target) for name in plain]
    if interpreter.same:
        return [*names, *(_copied(name, target) for name in COMPILED)]
    return [*names, *(_fetched(name, target, interpreter) for name in COMPILED)]


def _copied(name: str, target: Path) -> str:
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError as error:
        raise InvalidInput(f"{name} is not installed beside Siltstone, so it cannot be copied; reinstall it") from error
    for file in _wanted(name, found):
        goal = target / file
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(found.locate_file(file)), goal)
    return f"{name} {found.version}"


def _wanted(name: str, found: metadata.Distribution) -> Iterator[PurePosixPath]:
    """The files of a distribution that are needed to run it, licences included."""
    only = DATA_ONLY.get(name)
    for file in found.files or ():
        inside = not file.is_absolute() and ".." not in file.parts and file.parts[0] != "bin"
        about = file.parts[0].endswith(".dist-info")
        needed = about or only is None or str(file).startswith(only)
        useful = not LEFT_OUT.intersection(_removable(file)) and not file.name.endswith(ENDINGS_LEFT_OUT)
        if inside and needed and (about or useful) and Path(str(found.locate_file(file))).is_file():
            yield file


def _removable(file: PurePosixPath) -> set[str]:
    """The folders of a file that say what it is for; `numpy/testing` is imported by other parts of NumPy."""
    return set(file.parts[:-1]) - ({"testing"} if file.parts[:2] == ("numpy", "testing") else set())


def _fetched(name: str, target: Path, interpreter: Interpreter) -> str:
    """Let an installer that knows the host's Python put a compiled package into `target`."""
    version = metadata.version(name)
    failures = []
    for requirement in (f"{name}=={version}", name):
        for command in _installers(interpreter, target, requirement):
            ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
            if ran.returncode == 0:
                return f"{requirement} for Python {interpreter.version}"
            failures.append((ran.stderr or ran.stdout).strip().splitlines()[-1:])
    reason = "; ".join(line for lines in failures for line in lines)[:300]
    raise InvalidInput(
        f"{name} for the host's Python {interpreter.version} could not be fetched: {reason}; "
        f"install Siltstone in an environment of that Python and run its command: siltstone hermes install"
    )


def _installers(interpreter: Interpreter, target: Path, requirement: str) -> Iterator[Sequence[str]]:
    """Commands that may do it, the host's own installer first."""
    yield (str(interpreter.path), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), requirement)
    if uv := shutil.which("uv"):
        yield (
            uv,
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--python",
            str(interpreter.path),
            "--target",
            str(target),
            requirement,
        )
    yield (
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"),
        *("--python-version", interpreter.version, "--target", str(target), requirement),
    )


def _installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True
