"""Importing Keepsake's fragments from its own server: one entry each, known by its key, so that a second time adds none."""

from __future__ import annotations

import hashlib
import math
from typing import Protocol

from siltstone.domain.values import Entry
from siltstone.errors import InvalidInput
from siltstone.ports.sources import Hashes
from siltstone.ports.stores import Progress
from siltstone.upkeep.sources import keepsake
from siltstone.upkeep.sources.items import Problem
from siltstone.upkeep.sources.keepsake import Fragment
from siltstone.upkeep.transfer import ImportReceipt, Keeper

FORMAT = "keepsake"
MOST_RATINGS = 5
PRAISE, BLAME = 1.0, 2.0
"""What one useful and one useless rating count for."""


class Rater(Keeper, Protocol):
    """What this import needs of a Memory beyond keeping."""

    def feedback(self, memory_id: str, *, user_id: str, useful: bool, turn: str | None = None) -> Entry:
        """Rate a memory; repeating it for the same turn changes nothing."""
        ...


def import_from(
    memory: Rater, hashes: Hashes, *, user_id: str, format: str = "auto", progress: Progress | None = None
) -> ImportReceipt:
    """The same for a source that was opened for this; closes it. Raises InvalidInput for another format."""
    try:
        if format not in ("auto", FORMAT):
            raise InvalidInput(f"a server is read as {FORMAT!r}, not as {format!r}; leave the format out")
        return import_fragments(memory, hashes, user_id=user_id, progress=progress)
    finally:
        hashes.close()


def import_fragments(memory: Rater, hashes: Hashes, *, user_id: str, progress: Progress | None = None) -> ImportReceipt:
    """Keep every fragment that is not consumed, with its agent, target, times and feedback."""
    found = list(keepsake.read(hashes))
    problems, added, known, waiting = [], 0, 0, 0
    for done, item in enumerate(found, 1):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        try:
            receipt = memory.add([item.message], user_id=user_id, idempotency_key=_key(item))
        except InvalidInput as error:
            problems.append(Problem(place=item.key, reason=str(error)))
            continue
        added, known = added + receipt.created, known + (not receipt.created)
        waiting += bool(receipt.waiting_for)
        _rate(memory, user_id, receipt.id, item.feedback)
        if progress is not None:
            progress(done, len(found))
    return ImportReceipt(
        format=FORMAT,
        users=(user_id,),
        added=added,
        skipped_existing=known,
        waiting=waiting,
        problems=tuple(map(str, problems)),
    )


def _rate(memory: Rater, user_id: str, memory_id: str, feedback: float) -> None:
    """Give the ratings that come closest to that sum."""
    count = min(math.ceil(abs(feedback) / (PRAISE if feedback > 0 else BLAME)), MOST_RATINGS)
    for n in range(count):
        memory.feedback(memory_id, user_id=user_id, useful=feedback > 0, turn=f"{FORMAT} {n}")


def _key(fragment: Fragment) -> str:
    return f"{FORMAT}-{hashlib.sha256(fragment.key.encode('utf-8', 'surrogatepass')).hexdigest()}"
