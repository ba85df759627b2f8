"""Notes: what a host tells a memory to keep, each text once for an agent, superseded instead of overwritten.

The id of a note follows from its agent and its words, so that two processes that keep the same text keep it once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from siltstone.domain.values import Entry
from siltstone.errors import InvalidInput, NotFound
from siltstone.hosts.hermes.recalled import digest, normal
from siltstone.hosts.hermes.scope import Scope
from siltstone.memory import Memory

TAG = "hermes"
PAGE = 10_000
LATER = 64
"""How often one id may have been taken over by another text before a new note of the first is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What became of a note: its id, and whether it is new, was made valid again, or was known as it is."""

    id: str
    status: str


class Notes:
    """The notes of one scope."""

    def __init__(self, memory: Memory, scope: Scope) -> None:
        self.memory, self.scope = memory, scope

    def keep(
        self, text: str, *, source: str, about: Mapping[str, Any] | None = None, asked: bool = True
    ) -> Kept | None:
        """Keep a text once. One that was retired holds again; one that was forgotten comes back only where `asked`.

        None: it was forgotten on purpose and nobody asks for it now.
        """
        metadata = {"source": source, **(about or {})}
        for generation in range(LATER):
            receipt = self.memory.add(
                text,
                user_id=self.scope.user_id,
                agent_id=self.scope.agent_id,
                tags=[TAG, source],
                metadata=metadata,
                idempotency_key=f"note {generation} {self.scope.agent_id} {digest(text)}",
            )
            if receipt.created:
                return Kept(id=receipt.id, status="kept")
            known = self.memory.get(receipt.id, user_id=self.scope.user_id)
            if known is not None and normal(known.text) == normal(text):
                return self._again(known, metadata, asked)
        raise InvalidInput(f"the note {text[:40]!r} was kept and changed {LATER} times; reword it")

    def _again(self, known: Entry, metadata: dict[str, Any], asked: bool) -> Kept | None:
        """What becomes of a note that is there already."""
        user = self.scope.user_id
        removed = known.metadata.get("removed") is not None
        if known.forgotten_at is not None and not asked and not removed:
            return None
        changes: dict[str, Any] = {}
        merged = {**known.metadata, **({} if metadata["source"] == "tool" else metadata)}
        if (merged := {key: value for key, value in merged.items() if key not in ("removed", "replaced_by")}) != dict(
            known.metadata
        ):
            changes |= {"metadata": merged, "tags": [TAG, merged["source"]]}
        if known.invalid_at is not None and known.invalid_at <= datetime.now(UTC):
            changes["clear"] = ["invalid_at"]
        back = known.forgotten_at is not None or "clear" in changes
        if changes:
            self.memory.update(known.id, user_id=user, **changes)
        if known.forgotten_at is not None:
            self.memory.revive(known.id, user_id=user)
        return Kept(id=known.id, status="revived" if back else "known")

    def supersede(self, old: Entry, by: str) -> None:
        """The old note no longer holds: another one says how it is now. Both stay in the history."""
        if old.id != by:
            self._taken_apart(old)
            self.memory.update(
                old.id,
                user_id=self.scope.user_id,
                invalid_at=datetime.now(UTC),
                metadata={**old.metadata, "replaced_by": by},
            )

    def retire(self, old: Entry) -> None:
        """The old note was taken out where it stood: no recall finds it, its history stays."""
        user = self.scope.user_id
        self._taken_apart(old)
        self.memory.update(old.id, user_id=user, metadata={**old.metadata, "removed": True})
        self.memory.forget(old.id, user_id=user)

    def _taken_apart(self, old: Entry) -> None:
        """Undo a merged memory that upkeep made from this note and others: it still says what no longer holds."""
        if old.consolidated_into is not None:
            self.memory.upkeep.undo(old.consolidated_into, user_id=self.scope.user_id)

    def used(self, memory_ids: Sequence[str], *, turn: str) -> None:
        """These were put before a model in this turn; what was forgotten meanwhile counts for nothing."""
        user = self.scope.user_id
        there = [name for name in memory_ids if (entry := self.memory.get(name, user_id=user)) and holds(entry)]
        if there:
            self.memory.used(there, user_id=user, turn=turn)

    def said(self, text: str) -> Entry | None:
        """The note that says this and holds now."""
        for generation in range(LATER):
            known = self.memory.get(self._id(text, generation), user_id=self.scope.user_id)
            if known is None:
                return None
            if normal(known.text) == normal(text):
                return known if holds(known) else None
        return None

    def holding(self, source: str) -> Iterator[Entry]:
        """This agent's notes of one source that hold now, oldest first."""
        after = None
        while True:
            page = self.memory.list(
                user_id=self.scope.user_id, agent_id=self.scope.agent_id, tags=[TAG, source], limit=PAGE, after=after
            )
            yield from (entry for entry in page if holds(entry))
            if len(page) < PAGE:
                return
            after = page[-1].id

    def named(self, name: str, shown: Mapping[str, str]) -> Entry:
        """The memory that an id means which was shown, whole or by its end. Raises NotFound where none of this scope is.

        `shown` maps ids as they were printed to whole ones.
        """
        name = name.strip().strip("()[]#").strip()
        entry = self.memory.get(shown.get(name, name), user_id=self.scope.user_id) if name else None
        if entry is None and len(name) >= 6:
            ends = [item for item in self._all() if item.id.endswith(name)]
            entry = ends[0] if len(ends) == 1 else None
        if entry is None or entry.forgotten_at is not None or not self._mine(entry):
            raise NotFound(f"there is no memory {name!r} here; use an id as recall or siltstone_search shows it")
        return entry

    def _mine(self, entry: Entry) -> bool:
        return self.scope.primary or entry.agent_id == self.scope.agent_id

    def _all(self) -> Iterator[Entry]:
        after = None
        while page := self.memory.list(user_id=self.scope.user_id, limit=PAGE, after=after, **_narrow(self.scope)):
            yield from page
            after = page[-1].id

    def _id(self, text: str, generation: int) -> str:
        from siltstone.formation.intake import keyed_id

        return keyed_id(f"note {generation} {self.scope.agent_id} {digest(text)}", 0)


def holds(entry: Entry) -> bool:
    """Whether a note is neither forgotten nor out of date."""
    return entry.forgotten_at is None and (entry.invalid_at is None or entry.invalid_at > datetime.now(UTC))


def _narrow(scope: Scope) -> dict[str, Any]:
    return dict(scope.narrow)
