"""Learning from tapes: keep what was said, read who and what is in it, write it down as snapshots. Each continues at a
durable mark, and doing any of it twice changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siltstone.domain.events import ENTRIES_PURGED, GRAPH_EXTRACTED
from siltstone.formation.intake import keyed_id
from siltstone.hosts.bub import snapshots, tapes, turns
from siltstone.hosts.bub.options import Options
from siltstone.hosts.bub.reports import Reports
from siltstone.hosts.bub.tapes import Stretch
from siltstone.memory import Memory

if TYPE_CHECKING:
    from siltstone.hosts.bub.engine import Turn

SNAPSHOTS = "snapshots"
"""The source whose mark says up to which place of the journal snapshots were written."""


def keep(memory: Memory, turn: Turn, *, folder: Path, reports: Reports, again: bool = False) -> int:
    """Keep what the tape says since its mark, `again` from its beginning; how many texts were new."""
    source = f"tape:{turn.tape}"
    mark = None if again else memory.followed(source, user_id=turn.user)
    stretch = read(turn, folder, mark)
    if stretch.damaged:
        reports.trouble(f"reading tape {turn.tape}", f"{stretch.damaged} damaged lines, the rest was kept")
    session = turn.session or turns.session_of(stretch.lines, turn.tape) or f"tape:{turn.tape}"
    items = turns.messages(stretch.lines, tape=turn.tape, session=session)
    if stretch.restarted or again:
        purged = _purged(memory, turn.user)
        items = [item for item in items if keyed_id(f"{source} {item['key']}", 0) not in purged]
    if not items and not memory.users():
        return 0
    receipt = memory.follow(items, user_id=turn.user, source=source, mark=stretch.mark)
    return len(receipt.ids)
