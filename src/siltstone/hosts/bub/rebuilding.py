"""Reading all tapes of a workspace again, from their beginning: what a lost or damaged store is made anew from."""

from __future__ import annotations

from pathlib import Path

from siltstone.hosts.bub import learning
from siltstone.hosts.bub.engine import Engine, Scope, Turn
from siltstone.hosts.bub.options import MODEL
from siltstone.hosts.bub.tapes import tape_names
from siltstone.hosts.bub.turns import short_hash


def rebuild(engine: Engine, scope: Scope, *, model: bool) -> str:
    """Keep what the tapes hold and memory does not, fold the journal, read by rules, and by the `model` if asked."""
    names = list(tape_names(engine.tapes, short_hash(str(Path(scope.user)))))
    memory, kept = engine.memory(), 0
    for tape in names:
        turn = Turn(user=scope.user, session=None, tape=tape)
        kept += learning.keep(memory, turn, folder=engine.tapes, reports=engine.reports, again=True)
    replayed = memory.replay(user_id=scope.user)
    by = engine.reader() if model and engine.options.extraction == MODEL else None
    learning.read(memory, scope.user, by=by, options=engine.options, reports=engine.reports)
    learning.snapshot(memory, scope.user, folder=engine.tapes / "semantic")
    return f"{len(names)} tapes read, {kept} texts were missing and are kept now, {replayed.events} events folded"
