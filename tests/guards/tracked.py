"""The files of the repository: those that are committed, and new ones that would be."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LEFT_BEHIND = {"__pycache__", "build", "dist", "out"}


@cache
def files() -> tuple[Path, ...]:
    """Absolute paths, sorted. What git does not ignore; in a copy without git, all but what tools leave behind."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    except (FileNotFoundError, subprocess.CalledProcessError):
        return tuple(sorted(_walked(ROOT)))
    return tuple(sorted(path for name in listed if name and (path := ROOT / name).is_file()))


@cache
def texts() -> dict[str, str]:
    """Path relative to the root → text, for all files that are UTF-8."""
    found = {}
    for path in files():
        try:
            found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return found


def _walked(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        hidden = path.name.startswith(".") and path.name not in (".ci", ".gitignore")
        if path.is_dir() and not hidden and path.name not in LEFT_BEHIND and not path.name.endswith(".egg-info"):
            yield from _walked(path)
        elif path.is_file() and not hidden:
            yield path
