"""A small projector: the domain's fold, words as terms, and a second kind of record that many memories share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from siltstone.domain import fold
from siltstone.domain.events import ENTRY_ADDED, Event
from siltstone.domain.records import Get, Gone, Record, text_key

SESSION = "session"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordProjector:
    """Entries with their lower-cased words as terms, and for each session how many entries it was given.

    Another `version` puts itself in front of the terms, so that a projection shows which version made it.
    """

    version: str = "1"

    def __call__(self, event: Event, get: Get) -> Iterator[Record | Gone]:
        """The changed records, as `ports.stores.Projector` says."""
        for change in fold.apply(event, get):
            yield self._indexed(change) if isinstance(change, Record) else change
        session_id = event.payload.get("session_id")
        if event.kind == ENTRY_ADDED and session_id and not event.payload.get("purged"):
            yield _counted(event, get(SESSION, session_id))

    def _indexed(self, record: Record) -> Record:
        text = record.body.get("text", "")
        words = text.lower().split() if record.live else []
        prefix = [] if self.version == "1" else [f"version{self.version}"]
        return replace(record, terms=" ".join([*prefix, *words]), vector_key=text_key(text))


def _counted(event: Event, session: Record | None) -> Record:
    count = 1 + (session.body["entries"] if session is not None else 0)
    return Record(
        kind=SESSION,
        id=event.payload["session_id"],
        seq=event.seq,
        origin=event.seq if session is None else session.origin,
        body={"entries": count, "last": event.payload["id"]},
    )
