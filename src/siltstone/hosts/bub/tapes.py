"""Bub's tapes, read with tolerance: entries after a durable mark, whatever happened to the file in between.

A tape file holds one JSON object a line. A line that was cut off swallows the entry that is written after it, one byte
of another encoding makes the host's own reader give up, ids are not unique, and a reset starts the file anew: none of
this loses or doubles an entry here. A mark is plain JSON; where it does not fit the tape any more, reading starts again
from the beginning, and whoever keeps the entries recognises those it has by `Line.key`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ENTRY_START = re.compile(rb'\{"id":')
FIELDS = ("kind", "payload", "meta", "date")
Mark = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry of a tape: its kind, payload and meta data as the host wrote them, and its date as ISO 8601 text."""

    kind: str
    payload: Mapping[str, Any]
    meta: Mapping[str, Any] = field(default_factory=dict)
    date: str = ""

    @property
    def key(self) -> str:
        """A name that tells this entry from all others of its tape: ids do not."""
        content = json.dumps([self.kind, self.date, self.payload, self.meta.get("run_id")], sort_keys=True, default=str)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @classmethod
    def of(cls, entry: Any) -> Line | None:
        """The line that a host's entry, an object or a dict, stands for; None where it is no entry."""
        found = entry if isinstance(entry, Mapping) else {name: getattr(entry, name, None) for name in FIELDS}
        kind, payload, meta = found.get("kind"), found.get("payload"), found.get("meta")
        if not isinstance(kind, str) or not isinstance(payload, Mapping):
            return None
        return cls(
            kind=kind,
            payload=payload,
            meta=meta if isinstance(meta, Mapping) else {},
            date=str(found.get("date") or ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What follows a mark: the new lines, the mark after them, and how many lines of the file could not be read."""

    lines: tuple[Line, ...]
    mark: Mark
    damaged: int = 0
    restarted: bool = False


def read_file(path: Path, mark: Mark | None) -> Stretch:
    """The entries of a tape file after the mark. A last line without its end is left for the next time.

    A file that is not there has none. Raises OSError where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            first = file.readline()
            start = _position(file, mark, _digest(first))
            file.seek(start)
            content = file.read()
    except FileNotFoundError:
        return Stretch(lines=(), mark=dict(mark or {}))
    whole = content[: content.rfind(b"\n") + 1]
    if not whole:
        return Stretch(lines=(), mark=dict(mark) if mark and start else {}, restarted=bool(mark) and not start)
    rows = whole.splitlines(keepends=True)
    lines, damaged = list[Line](), 0
    for row in rows:
        found, whole_row = _lines(row)
        lines += found
        damaged += not whole_row
    end = start + len(whole)
    after: dict[str, Any] = {"from": end - len(rows[-1]), "to": end, "first": _digest(first), "last": _digest(rows[-1])}
    after |= _anchor_name(lines, mark if start else None)
    return Stretch(lines=tuple(lines), mark=after, damaged=damaged, restarted=bool(mark) and not start)


def read_entries(entries: Iterable[Any], mark: Mark | None) -> Stretch:
    """The same for a host's list of entries, from a store that keeps no files."""
    lines = [line for line in map(Line.of, entries) if line is not None]
    start = _count(lines, mark)
    if not lines:
        return Stretch(lines=(), mark={}, restarted=bool(mark))
    after: dict[str, Any] = {
        "count": len(lines),
        "head": lines[0].key,
        "tail": lines[-1].key,
        **_anchor_name(lines, None),
    }
    return Stretch(lines=tuple(lines[start:]), mark=after, restarted=bool(mark) and not start)


def last_anchor(lines: Sequence[Line]) -> Line | None:
    """The newest anchor, but for the one that every tape begins with."""
    anchors = (line for line in reversed(lines) if line.kind == "anchor")
    newest = next(anchors, None)
    return None if newest is None or newest.payload.get("name") == "session/start" else newest


def _anchor_name(lines: Sequence[Line], mark: Mark | None) -> dict[str, Any]:
    """The name of the tape's last anchor, for the mark."""
    names = (line.payload.get("name") for line in reversed(lines) if line.kind == "anchor")
    name = next(names, mark.get("anchor") if mark else None)
    return {"anchor": str(name)} if name else {}


def _position(file: Any, mark: Mark | None, first: str) -> int:
    """Where reading goes on: behind the marked line where it still stands there, else at the beginning."""
    if not mark or mark.get("first") != first:
        return 0
    begin, end = mark.get("from"), mark.get("to")
    if not isinstance(begin, int) or not isinstance(end, int) or not 0 <= begin < end:
        return 0
    file.seek(begin)
    return end if _digest(file.read(end - begin)) == mark.get("last") else 0


def _count(lines: Sequence[Line], mark: Mark | None) -> int:
    count = mark.get("count") if mark else None
    if not mark or not isinstance(count, int) or not 0 < count <= len(lines):
        return 0
    return count if lines[0].key == mark.get("head") and lines[count - 1].key == mark.get("tail") else 0


def _lines(row: bytes) -> tuple[list[Line], bool]:
    """The entries in one row of a file, and whether the row was whole. After a cut comes what was written behind it."""
    if not row.strip():
        return [], True
    found = _parsed(row)
    if found is not None:
        return [found], True
    later = (_parsed(row[match.start() :]) for match in ENTRY_START.finditer(row) if match.start())
    return [line for line in later if line is not None][:1], False


def _parsed(row: bytes) -> Line | None:
    try:
        return Line.of(json.loads(row.decode("utf-8")))
    except UnicodeDecodeError:
        pass
    except (ValueError, RecursionError):
        return None
    try:
        return Line.of(json.loads(row.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None


def _digest(row: bytes) -> str:
    return hashlib.sha256(row).hexdigest()[:16]


def tape_names(folder: Path, workspace_hash: str) -> Iterator[str]:
    """The tapes of a workspace that have a file, in order of name; sidecars and archives left out."""
    for path in sorted(folder.glob(f"{workspace_hash}__*.jsonl")):
        if path.stem.count("__") == 1:
            yield path.stem
