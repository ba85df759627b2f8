"""Pauses: recall or writes of a user stopped for a while, e.g. while an automated workflow runs. A pause always ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from siltstone.domain.events import Draft
from siltstone.domain.records import Record
from siltstone.domain.upkeep_fold import PAUSE, RECALL, WRITES
from siltstone.domain.values import Degraded, format_time, parse_time
from siltstone.errors import InvalidInput, MemoryPaused, nearest
from siltstone.ports.clock import Clock
from siltstone.ports.stores import Decide, Partition, View
from siltstone.retrieval.guard import Guard
from siltstone.retrieval.recall import Recall

WHAT = {"recall": (RECALL,), "writes": (WRITES,), "both": (RECALL, WRITES)}
LONGEST = 30 * 86_400.0
"""Seconds that a pause may last: nobody is to find a memory silent for good."""

Find = Callable[[str, str], Record | None]


def named(what: object) -> list[str]:
    """What is meant by "recall", "writes" or "both"."""
    if not isinstance(what, str) or what not in WHAT:
        raise InvalidInput(f"what cannot be {what!r}; {nearest(str(what), WHAT)}")
    return list(WHAT[what])


def payload(what: object, seconds: object, now: datetime) -> dict[str, Any]:
    """The checked payload of one `memory_paused`."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST:
        raise InvalidInput(f"seconds cannot be {seconds!r}; give a number above 0 and up to {LONGEST:.0f} (30 days)")
    return {"what": named(what), "until": format_time(now + timedelta(seconds=seconds))}


def until(find: Find, what: str, now: datetime) -> datetime | None:
    """When the pause ends; None where there is none, or it is over."""
    record = find(PAUSE, what)
    end = None if record is None or not record.live else parse_time(record.body["until"])
    return end if end is not None and now < end else None


def gap(end: datetime, user_id: str) -> Degraded:
    """The declared gap of a recall that is paused."""
    return Degraded(
        part="recall", reason=f"paused until {format_time(end)}", remedy=f"run: siltstone resume -u {user_id}"
    )


def refusing(decide: Decide, user_id: str, now: datetime) -> Decide:
    """The decision, which raises MemoryPaused while writes are paused: whoever writes is told, and nothing is lost unseen."""

    def guarded(view: View) -> Sequence[Draft]:
        end = until(view.get, WRITES, now)
        if end is not None:
            raise MemoryPaused(
                f"writes of {user_id!r} are paused until {format_time(end)}; nothing was kept: write again then, or "
                f"run: siltstone resume -u {user_id}"
            )
        return decide(view)

    return guarded


class Gate:
    """What a recall passes before anything is looked up: the guard, then the pause of the user."""

    def __init__(self, guard: Guard, clock: Clock) -> None:
        self._guard, self._clock = guard, clock

    def look(self, query: str) -> tuple[Recall | None, tuple[Degraded, ...]]:
        """The empty answer of a query that is not asked, with the reason in its trace; None where it is; and the gaps."""
        reason, gaps = self._guard.skip(query)
        return (Recall(query=query, trace={"skipped": reason}) if reason else None), gaps

    def paused(self, query: str, partition: Partition) -> Recall | None:
        """The empty answer while the user's recall is paused; None where it is not."""
        end = until(partition.get, RECALL, self._clock.now())
        if end is None:
            return None
        return Recall(query=query, degraded=(gap(end, partition.user_id),), trace={"skipped": "recall is paused"})
