"""`memory.upkeep`: what keeps a memory in order, for people, hosts and schedules."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime

from siltstone.domain.events import (
    CONSOLIDATIONS_UNDONE,
    ENTRIES_REVIVED,
    MEMORY_PAUSED,
    MEMORY_RESUMED,
    SYNONYMS_CHANGED,
    Draft,
)
from siltstone.errors import InvalidInput
from siltstone.parts import Parts
from siltstone.ports.stores import Decide, Partition, Store
from siltstone.retrieval.dictionary import Words
from siltstone.retrieval.indexes import indexed
from siltstone.retrieval.topics import Topic, Topics
from siltstone.text import checks
from siltstone.upkeep import maintain as maintenance
from siltstone.upkeep import pauses, synonyms, undoing
from siltstone.upkeep.report import Report, Suggestion, Undone
from siltstone.upkeep.work import Work


class UpkeepVerbs:
    """Upkeep of one memory's users. Everything that it does is an event, and but for erasing it can be undone."""

    def __init__(self, parts: Parts, store: Store) -> None:
        self._parts, self._store = parts, store

    def maintain(
        self,
        *,
        user_id: str,
        steps: Iterable[str] | None = None,
        dry_run: bool = False,
        budget_seconds: float | None = None,
    ) -> Report:
        """Run the named steps (default: all), or with `dry_run` only say what they would do.

        After `budget_seconds` no further piece of work is begun; `unfinished` names the steps that are left. While
        writes are paused nothing is done, and `skipped` says so.
        """
        wanted = maintenance.chosen(steps)
        return maintenance.maintain(self._work(user_id, dry_run=dry_run, budget=budget_seconds), wanted)

    def due(self, *, user_id: str) -> tuple[str, ...]:
        """The steps that the schedule for hosts wants run now: `maintain(steps=due, budget_seconds=…)` does it."""
        return maintenance.due(self._partition(user_id), self._parts.resolved.settings.upkeep, self._parts.clock.now())

    def undo(self, target: str, *, user_id: str) -> Undone:
        """Take back a merged memory, a forgetting by upkeep (by the id of the memory), or all of a run (by its id).

        Raises NotFound for an id that names none of them, InvalidInput for a merged memory that was merged again.
        """
        partition = self._partition(user_id)
        merged, forgotten = undoing.meant(target, partition)
        drafts = [self._draft(CONSOLIDATIONS_UNDONE, {"ids": merged})] if merged else []
        drafts += [self._draft(ENTRIES_REVIVED, {"ids": forgotten})] if forgotten else []
        partition.commit(lambda view: drafts)
        return Undone(restored=undoing.restored(merged, forgotten, partition), removed=tuple(merged))

    def topics(self, *, user_id: str) -> list[Topic]:
        """The ten hottest topics of the last 90 days, hottest first."""
        ranking = self._parts.resolved.settings.ranking
        return indexed(self._partition(user_id)).tally(Topics).hot(self._parts.clock.now(), ranking)

    def dictionary(self, *, user_id: str) -> list[tuple[str, int]]:
        """The Chinese words that the user's own memories show to be words, with how often each comes."""
        return indexed(self._partition(user_id)).tally(Words).all_words()

    # synonyms

    def synonyms(self, *, user_id: str) -> dict[str, tuple[str, ...]]:
        """The user's table: each word with its synonyms."""
        return synonyms.table(self._partition(user_id).records())

    def set_synonyms(self, word: str, words: str | Sequence[str], *, user_id: str) -> tuple[str, ...]:
        """The word has these synonyms, and no others; a query for one of them finds the others too, at lower weight."""
        key, others = synonyms.checked_words(word, words)
        return self._change(user_id, key, synonyms.replaced(self._changing(), key, others, synonyms.TOLD))

    def remove_synonyms(self, word: str, words: str | Sequence[str] = (), *, user_id: str) -> tuple[str, ...]:
        """The word loses these synonyms, or all. Raises InvalidInput where it has none."""
        key, others = synonyms.checked_words(word, words)
        return self._change(user_id, key, synonyms.removed(self._changing(), key, others))

    def accept_synonyms(self, word: str, words: str | Sequence[str], *, user_id: str) -> tuple[str, ...]:
        """The word has these synonyms too, as after a suggestion."""
        key, others = synonyms.checked_words(word, words)
        return self._change(user_id, key, synonyms.extended(self._changing(), key, others, synonyms.ACCEPTED))

    def discover_synonyms(self, *, user_id: str) -> list[Suggestion]:
        """Pairs of words that seem to say the same, with the evidence. Changes nothing."""
        return synonyms.suggested(self._work(user_id, dry_run=True))

    # pauses

    def pause(self, *, user_id: str, seconds: float, what: str = "recall") -> datetime:
        """Stop `what` ("recall", "writes", "both") for so long, at most 30 days; answers when it ends by itself.

        A recall is then empty and says so in `degraded`; a write raises MemoryPaused. Forgetting always works.
        """
        payload = pauses.payload(what, seconds, self._parts.clock.now())
        draft = self._draft(MEMORY_PAUSED, payload)
        self._partition(user_id).commit(lambda view: [draft])
        return datetime.fromisoformat(payload["until"])

    def resume(self, *, user_id: str, what: str = "both") -> None:
        """End a pause before its time."""
        draft = self._draft(MEMORY_RESUMED, {"what": pauses.named(what)})
        self._partition(user_id).commit(lambda view: [draft])

    def paused(self, *, user_id: str) -> dict[str, datetime]:
        """What is paused now, and until when."""
        partition, now = self._partition(user_id), self._parts.clock.now()
        ends = {what: pauses.until(partition.get, what, now) for what in pauses.WHAT["both"]}
        return {what: end for what, end in ends.items() if end is not None}

    def _partition(self, user_id: str) -> Partition:
        return self._store.partition(checks.user(user_id))

    def _work(self, user_id: str, *, dry_run: bool, budget: float | None = None) -> Work:
        if budget is not None and (isinstance(budget, bool) or budget < 0):
            raise InvalidInput(f"budget_seconds cannot be {budget!r}; give a number of seconds, or leave it out")
        return Work(
            partition=self._partition(user_id),
            parts=self._parts,
            now=self._parts.clock.now(),
            run=self._parts.clock.new_id(),
            dry_run=dry_run,
            deadline=None if budget is None else time.monotonic() + budget,
        )

    def _draft(self, kind: str, payload: dict[str, object]) -> Draft:
        return Draft(id=self._parts.clock.new_id(), kind=kind, at=self._parts.clock.now(), payload=payload)

    def _changing(self) -> Draft:
        return self._draft(SYNONYMS_CHANGED, {})

    def _change(self, user_id: str, key: str, decide: Decide) -> tuple[str, ...]:
        partition = self._partition(user_id)
        partition.commit(pauses.refusing(decide, user_id, self._parts.clock.now()))
        return synonyms.table(partition.records()).get(key, ())
