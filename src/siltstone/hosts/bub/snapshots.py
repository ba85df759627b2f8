"""Semantic snapshots: what was read out of a stretch of a tape, as one JSON line in `{BUB_HOME}/tapes/semantic/`.

Written in the documented form, read in that and in the one that the first plugin of this name really wrote (`from_id`,
`to_id`). A torn line, a line of another kind or a byte of another encoding costs that line and nothing else.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siltstone.domain.values import format_time

PLAIN_NAME = re.compile(r"[\w][\w.:@+-]{0,199}\Z")
LINE_START = re.compile(r'\{"entities"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, task, event or concept; `type` is any short label. Without an `id` it is "type:name" in plain form."""

    type: str
    name: str
    id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", f"{self.type}:{slug(self.name)}")

    def as_dict(self) -> dict[str, Any]:
        """The documented form."""
        return {"id": self.id, "type": self.type, "name": self.name, "metadata": dict(self.metadata)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A directed, labelled edge between the entities with these ids."""

    from_id: str
    to_id: str
    type: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The documented form, with the keys `from` and `to`."""
        return {"from": self.from_id, "to": self.to_id, "type": self.type, "metadata": dict(self.metadata)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticSnapshot:
    """What was read out of one stretch of a tape, up to an anchor or entry."""

    entities: Sequence[Entity] = ()
    relations: Sequence[Relation] = ()
    tape_id: str = ""
    anchor_id: str | None = None
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __bool__(self) -> bool:
        return bool(self.entities or self.relations)

    def as_dict(self) -> dict[str, Any]:
        """The documented form, plain JSON."""
        return {
            "entities": [entity.as_dict() for entity in self.entities],
            "relations": [relation.as_dict() for relation in self.relations],
            "tape_id": self.tape_id,
            "anchor_id": self.anchor_id,
            "created_at": format_time(self.created_at),
        }

    @classmethod
    def of(cls, value: object) -> SemanticSnapshot | None:
        """The snapshot in a JSON value of either form, items of the wrong shape left out; None where it is none."""
        if not isinstance(value, Mapping) or not {"entities", "relations"} & value.keys():
            return None
        entities = filter(None, map(_entity, _items(value.get("entities"))))
        relations = filter(None, map(_relation, _items(value.get("relations"))))
        anchor = value.get("anchor_id")
        return cls(
            entities=tuple(entities),
            relations=tuple(relations),
            tape_id=str(value.get("tape_id") or ""),
            anchor_id=str(anchor) if anchor else None,
            created_at=_moment(value.get("created_at")),
        )


class SemanticStore:
    """The snapshots of all tapes under one folder, a file a tape. Made when first written to; threads may share one.

    Any object with `append(tape_id, snapshot)` and `load(tape_id)`, plain or awaitable, may stand in for it.
    """

    def __init__(self, storage_root: Path | str | None = None) -> None:
        home = Path(os.environ.get("BUB_HOME") or "~/.bub").expanduser()
        self.root = Path(storage_root) if storage_root is not None else home / "tapes" / "semantic"
        self._lock = threading.Lock()

    def path(self, tape_id: str) -> Path:
        """The file of a tape. A name that could lead elsewhere is replaced by its digest."""
        plain = PLAIN_NAME.match(tape_id)
        digest = hashlib.sha256(tape_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return self.root / f"{tape_id if plain else digest}.jsonl"

    def write(self, tape_id: str, snapshot: SemanticSnapshot) -> None:
        """Append one line; a line before it that was cut off is ended first."""
        line = json.dumps(snapshot.as_dict(), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        path = self.path(tape_id)
        with self._lock:
            self.root.mkdir(parents=True, exist_ok=True)
            with path.open("ab+") as file:
                if file.tell() and not _ended(file):
                    line = b"\n" + line
                file.write(line)

    def read(self, tape_id: str) -> list[SemanticSnapshot]:
        """All snapshots of the tape, oldest first; none where it has no file."""
        return list(read_snapshots(self.path(tape_id)))

    def count(self, tape_id: str) -> int:
        """How many snapshots the tape has."""
        return len(self.read(tape_id))

    async def append(self, tape_id: str, snapshot: SemanticSnapshot) -> None:
        """`write`, off the event loop."""
        await asyncio.to_thread(self.write, tape_id, snapshot)

    async def load(self, tape_id: str) -> list[SemanticSnapshot]:
        """`read`, off the event loop."""
        return await asyncio.to_thread(self.read, tape_id)


def read_snapshots(path: Path) -> Iterator[SemanticSnapshot]:
    """The snapshots of a file, what cannot be read left out. Raises OSError where the file cannot be read at all."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    for row in content.decode("utf-8", "replace").split("\n"):
        starts = [0, *(match.start() for match in LINE_START.finditer(row) if match.start())]
        for start in starts:
            if (found := _parsed(row[start:])) is not None:
                yield found
                break


def slug(text: str) -> str:
    """The name in lower case with underscores for blanks."""
    return "_".join(text.casefold().split())


def _parsed(row: str) -> SemanticSnapshot | None:
    try:
        return SemanticSnapshot.of(json.loads(row)) if row.strip() else None
    except (ValueError, RecursionError):
        return None


def _entity(item: Mapping[str, Any]) -> Entity | None:
    given, kind, told = item.get("name") or item.get("id"), item.get("type"), item.get("metadata")
    if not isinstance(given, str) or not given.strip():
        return None
    return Entity(
        id=str(item.get("id") or ""),
        type=kind if isinstance(kind, str) and kind.strip() else "concept",
        name=given,
        metadata=dict(told) if isinstance(told, Mapping) else {},
    )


def _relation(item: Mapping[str, Any]) -> Relation | None:
    source, target = item.get("from", item.get("from_id")), item.get("to", item.get("to_id"))
    told, kind = item.get("metadata"), item.get("type")
    if not isinstance(source, str) or not isinstance(target, str) or not source or not target:
        return None
    return Relation(
        from_id=source,
        to_id=target,
        type=kind if isinstance(kind, str) and kind.strip() else "related_to",
        metadata=dict(told) if isinstance(told, Mapping) else {},
    )


def _items(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _moment(value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return datetime.now(UTC)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _ended(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")
