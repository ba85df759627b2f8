"""Maintenance: the steps of upkeep in their order, within the time that is given, and when each is due again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from siltstone.domain.events import UPKEEP_FINISHED
from siltstone.domain.upkeep_fold import UPKEEP, WRITES
from siltstone.domain.values import parse_time
from siltstone.errors import InvalidInput, nearest
from siltstone.ports.stores import Partition
from siltstone.settings import UpkeepSettings
from siltstone.upkeep import consolidate, deduplicate, forgetting, pauses, synonyms
from siltstone.upkeep.report import Action, Report, StepReport
from siltstone.upkeep.work import Work

STEPS: dict[str, Callable[[Work], list[Action]]] = {
    "erase": forgetting.erase,
    "deduplicate": deduplicate.deduplicate,
    "consolidate": consolidate.consolidate,
    "forget": forgetting.forget,
    "retain": forgetting.retain,
    "synonyms": synonyms.discover,
}
"""In the order in which they run."""


def chosen(names: Iterable[str] | None) -> list[str]:
    """The named steps in their order; all for None. Raises InvalidInput for a step that there is not."""
    wanted = list(STEPS) if names is None else [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in STEPS:
            raise InvalidInput(f"there is no step {name!r} of upkeep; {nearest(name, STEPS)}")
    return [name for name in STEPS if name in wanted]


def maintain(work: Work, steps: Sequence[str]) -> Report:
    """Run the steps until they are done or the time is up; what was finished is recorded for the schedule."""
    if pauses.until(work.partition.get, WRITES, work.now) is not None and not work.dry_run:
        return _report(work, [], steps, skipped="writes are paused")
    done: list[StepReport] = []
    left: list[str] = []
    for name in steps:
        if work.out_of_time():
            left.append(name)
            continue
        done.append(_step(work, name))
        left += [name] if name in work.notes else []
    finished = {step.name: step.count for step in done if step.name not in left}
    if finished and not work.dry_run:
        draft = work.draft(UPKEEP_FINISHED, {"steps": finished})
        work.partition.commit(lambda view: [draft])
    return _report(work, done, left)


def _step(work: Work, name: str) -> StepReport:
    dry = work.dry_run or (name == "forget" and work.settings.upkeep.forget_dry_run)
    before = len(work.notes)
    actions = STEPS[name](work.dry() if dry else work)
    note = "; ".join(dict.fromkeys(item for item in work.notes[before:] if item != name))
    return StepReport(name=name, done=not dry, actions=tuple(actions), note=note)


def _report(work: Work, steps: Sequence[StepReport], left: Sequence[str], skipped: str = "") -> Report:
    return Report(
        user_id=work.partition.user_id,
        run=work.run,
        dry_run=work.dry_run,
        steps=tuple(steps),
        unfinished=tuple(left),
        skipped=skipped,
    )


def due(partition: Partition, settings: UpkeepSettings, now: datetime) -> tuple[str, ...]:
    """The steps whose last run is longer ago than the schedule says, in their order."""
    hours = {
        "deduplicate": settings.deduplicate_every_hours,
        "synonyms": settings.synonyms_every_hours,
    }
    records = partition.get_many(UPKEEP, list(STEPS))
    found = []
    for name in STEPS:
        last = parse_time(records[name].body["at"]) if name in records else None
        if last is None or now - last >= timedelta(hours=hours.get(name, settings.every_hours)):
            found.append(name)
    return tuple(found)
