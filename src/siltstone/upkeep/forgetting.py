"""Forgetting by itself: what is old and nobody needs is archived, what a retention rule names too, then erased for good.

Archived means forgotten with a reason: no recall finds it, `undo` and `revive` bring it back until the grace period is
over. Then it is purged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from siltstone.domain.events import ENTRIES_PURGED
from siltstone.domain.filters import Filter
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY, parse_time
from siltstone.retrieval import factors
from siltstone.retrieval.indexes import indexed
from siltstone.text.emotion import emotion
from siltstone.upkeep import entries
from siltstone.upkeep.report import Action
from siltstone.upkeep.work import Work, age, is_free

ARCHIVED, RETENTION = "archived", "retention"
CALM = 0.3
"""Intensity from which a text is never forgotten by itself."""
UNATTENDED = 1.1
"""Attention factor up to which nobody needs a memory, where the factor goes up to 1.5."""
ATTENTION = 1.5


def forget(work: Work) -> list[Action]:
    """Archive what is old, calm, without good feedback, unused, off the topics of the day, and no belief's evidence."""
    least = timedelta(days=work.settings.upkeep.forget_min_age_days)
    evidence = work.evidence()
    old = [
        record
        for record in work.entries()
        if is_free(record)
        and not record.body.get("level")
        and record.body.get("feedback", 0.0) <= 0
        and age(record, work.now) >= least
        and emotion(record.body["text"]).intensity < CALM
        and record.id not in evidence
    ]
    reason = f"older than {least.days} days, calm, unused, no good feedback, little attention"
    return _archived(work, _unattended(work, old), ARCHIVED, reason)


def _unattended(work: Work, records: Sequence[Record]) -> list[Record]:
    if not records:
        return []
    corpus = indexed(work.partition)
    ranking = replace(work.settings.ranking, attention_boost=ATTENTION)
    rows = np.flatnonzero(corpus.live.view)
    values = factors.attention(corpus, rows, work.now, replace(work.settings, ranking=ranking))
    lifted = {corpus.ids[row] for row in rows[values > UNATTENDED].tolist()} if values is not None else set()
    return [record for record in records if record.id not in lifted]


def retain(work: Work) -> list[Action]:
    """Archive what is older than the retention allows, and the oldest beyond the number of memories that it allows."""
    settings, records = work.settings.upkeep, work.entries()
    days, most = settings.retention_days, settings.max_memories
    least = timedelta(days=days)
    old = [record for record in records if days > 0 and is_free(record) and work.now - _kept_at(record) >= least]
    gone = {record.id for record in old}
    left = [record for record in records if record.id not in gone]
    beyond = [record for record in left if is_free(record)][: max(len(left) - most, 0)] if most > 0 else []
    done = _archived(work, old, RETENTION, f"kept for {days:g} days")
    return done + _archived(work, beyond, RETENTION, f"more than {most} memories")


def _archived(work: Work, records: Iterable[Record], reason: str, said: str) -> list[Action]:
    ids = tuple(record.id for record in records)
    if ids and not work.dry_run:
        ids = work.forget(ids, reason)
    return [Action(ids=ids, reason=said)] if ids else []


def erase(work: Work) -> list[Action]:
    """Purge what upkeep archived and the grace period has passed for. Cannot be undone."""
    grace = timedelta(days=work.settings.upkeep.grace_days)
    records = [record for record in work.partition.records() if record.kind == ENTRY]
    due = [record.id for record in records if _is_due(record, work, grace)]
    if not due:
        return []
    ids = entries.chosen_ids(records, entries.Selector(ids=tuple(due), wanted=Filter()))
    if not work.dry_run:
        work.partition.purge(ids, work.draft(ENTRIES_PURGED, {"ids": list(ids)}))
    return [Action(ids=ids, reason=f"archived for {grace.days} days")]


def _is_due(record: Record, work: Work, grace: timedelta) -> bool:
    forgotten = parse_time(record.body.get("forgotten_at"))
    by_upkeep = record.body.get("forgotten_reason") in (ARCHIVED, RETENTION)
    return by_upkeep and forgotten is not None and work.now - forgotten >= grace


def _kept_at(record: Record) -> datetime:
    moment = parse_time(record.body["recorded_at"])
    assert moment is not None
    return moment
