"""What every step of upkeep works with: a user's memories as they are now, the settings, the time that is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from siltstone.domain.beliefs import FORMED
from siltstone.domain.events import ENTRIES_FORGOTTEN, Draft
from siltstone.domain.records import Record, canonical
from siltstone.domain.values import ENTRY, NOTE, parse_time
from siltstone.parts import Parts
from siltstone.ports.stores import Partition, View
from siltstone.settings import Settings

PINNED = "pinned"
"""A memory with this tag is left alone by upkeep."""
SCOPE = ("agent_id", "session_id", "speaker", "role", "tags", "metadata", "valid_from", "invalid_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One run for one user. `deadline` is a reading of `time.monotonic`."""

    partition: Partition
    parts: Parts
    now: datetime
    run: str
    dry_run: bool
    deadline: float | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """The effective settings."""
        return self.parts.resolved.settings

    def out_of_time(self) -> bool:
        """Whether the run has to stop before its next piece of work."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def dry(self) -> Work:
        """The same, which only says what it would do."""
        return replace(self, dry_run=True)

    def draft(self, kind: str, payload: dict[str, Any]) -> Draft:
        """An event of this run."""
        return Draft(id=self.parts.clock.new_id(), kind=kind, at=self.now, payload={**payload, "run": self.run})

    def entries(self) -> list[Record]:
        """The entries that may be recalled, in order of arrival."""
        found = (record for record in self.partition.records() if record.kind == ENTRY and record.live)
        return sorted(found, key=lambda record: record.origin)

    def evidence(self) -> set[str]:
        """The entries that beliefs were formed from."""
        return {item.id for item in self.partition.records() if item.kind == FORMED and item.body.get("segments")}

    def forget(self, ids: Sequence[str], reason: str, kept: str | None = None) -> tuple[str, ...]:
        """Forget those of the memories that can still be recalled; answers which."""
        about = {"reason": reason} | ({} if kept is None else {"kept": kept})

        def decide(view: View) -> Sequence[Draft]:
            live = [item for item in ids if (record := view.get(ENTRY, item)) is not None and record.live]
            stands = kept is None or ((other := view.get(ENTRY, kept)) is not None and other.live)
            return [self.draft(ENTRIES_FORGOTTEN, {"ids": live, **about})] if live and stands else []

        return tuple(memory_id for event in self.partition.commit(decide) for memory_id in event.payload["ids"])


Step = Callable[[Work], Any]


def is_free(record: Record) -> bool:
    """Whether upkeep may touch the entry: it is not pinned."""
    return PINNED not in record.body.get("tags", ())


def notes(records: Iterable[Record]) -> list[Record]:
    """The notes among entries: a conversation's turns stay as they were said."""
    return [record for record in records if record.body.get("kind") == NOTE]


def scope_key(record: Record) -> str:
    """Equal for entries of one scope: same agent, session, speaker, role, tags, metadata and validity."""
    body = record.body
    return canonical([sorted(body[key]) if key == "tags" and key in body else body.get(key) for key in SCOPE])


def age(record: Record, now: datetime) -> timedelta:
    """How long ago the entry was kept, or used, whichever was later."""
    times = [record.body["recorded_at"], *record.body.get("used", ())]
    latest = max(moment for moment in map(parse_time, times) if moment is not None)
    return now - latest
