"""Bubble's archive as files: one a user, in the configured folder or where the caller says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from siltstone.errors import InvalidInput
from siltstone.upkeep.transfer import write_lines


def archive_path(user_id: str, folder: str) -> Path:
    """The user's file in that folder. No id leaves the folder: what is no plain character is percent-encoded."""
    if not folder:
        raise InvalidInput("no file and no folder is named to archive to; name a file, or set formation.archive_dir")
    return Path(folder).expanduser() / f"{quote(user_id, safe='@+')}.jsonl"


def write_archive(lines: Iterable[str], path: Path) -> int:
    """Write the lines, whole or not at all; folders are made. Answers how many. Raises FormatError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"the folder {path.parent} cannot be made ({error.strerror}); name another one in formation.archive_dir"
        ) from error
    return write_lines(lines, path)
