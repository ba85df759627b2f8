"""The plan of one turn: the events decided so far, and the state as they leave it.

Each event is folded at once, into an overlay and into the index, so that a turn's second statement meets its first.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from siltstone.domain import fold
from siltstone.domain.beliefs import derived_id
from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Record
from siltstone.formation.index import BeliefIndex
from siltstone.ports.stores import View


class Plan:
    """Drafts on top of a view. What is planned and not committed has to be undone."""

    def __init__(self, view: View, index: BeliefIndex, at: datetime, key: str) -> None:
        self._view, self.index, self._at, self._key = view, index, at, key
        self.drafts: list[Draft] = []
        self._changed: dict[tuple[str, str], Record | None] = {}

    @property
    def seq(self) -> int:
        """The place in the journal that the plan begins after."""
        return self._view.seq

    def get(self, kind: str, memory_id: str) -> Record | None:
        """The record as the drafts so far leave it."""
        name = (kind, memory_id)
        return self._changed[name] if name in self._changed else self._view.get(kind, memory_id)

    def add(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Decide one more event. Its id follows from the turn and the place, so a turn formed twice shows."""
        draft = Draft(id=derived_id(self._key, "event", len(self.drafts)), kind=kind, at=self._at, payload=payload)
        self.drafts.append(draft)
        event = Event.of(draft, user_id="", seq=self._view.seq + len(self.drafts))
        changes = fold.apply(event, self.get)
        self._changed |= {(c.kind, c.id): c if isinstance(c, Record) else None for c in changes}
        for change in changes:
            if not isinstance(change, Record):
                self.index.drop(change.kind, change.id)
        self.index.put(change for change in changes if isinstance(change, Record))

    def undo(self) -> None:
        """Take all that was planned out of the index again."""
        for kind, memory_id in self._changed:
            before = self._view.get(kind, memory_id)
            if before is None:
                self.index.drop(kind, memory_id)
        known = [self._view.get(kind, memory_id) for kind, memory_id in self._changed]
        self.index.put(record for record in known if record is not None)
