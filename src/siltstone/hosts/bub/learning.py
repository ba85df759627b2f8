"""Learning from tapes: keep what was said, read who and what is in it, write it down as snapshots. Each continues at a
durable mark, and doing any of it twice changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siltstone.domain.events import ENTRIES_PURGED, GRAPH_EXTRACTED
from siltstone.domain.values import ENTRY
from siltstone.formation.intake import keyed_id
from siltstone.hosts.bub import legacy, snapshots, tapes, turns
from siltstone.hosts.bub.options import Options
from siltstone.hosts.bub.reports import Reports
from siltstone.hosts.bub.tapes import Stretch
from siltstone.hosts.bub.turns import TOOL
from siltstone.memory import Memory
from siltstone.ports.knowledge import KnowledgeModel

if TYPE_CHECKING:
    from siltstone.hosts.bub.engine import Turn

UNASKED = "bub/unasked"
"""The reader that is recorded for tool traffic: nobody is asked what is in it."""
SNAPSHOTS = "snapshots"
"""The source whose mark says up to which place of the journal snapshots were written."""


def keep(memory: Memory, turn: Turn, *, folder: Path, reports: Reports, again: bool = False) -> int:
    """Keep what the tape says since its mark, `again` from its beginning; how many texts were new."""
    source = f"tape:{turn.tape}"
    mark = None if again else memory.followed(source, user_id=turn.user)
    stretch = _stretch(turn, folder, mark)
    if mark is None:
        legacy.adopt(memory, turn.user, tape=turn.tape, session=turn.session, folder=folder / "semantic")
    if stretch.damaged:
        reports.trouble(f"reading tape {turn.tape}", f"{stretch.damaged} damaged lines; the rest was kept")
    session = turn.session or turns.session_of(stretch.lines, turn.tape) or f"tape:{turn.tape}"
    items = turns.messages(stretch.lines, tape=turn.tape, session=session)
    if again or stretch.restarted:
        purged = _purged(memory, turn.user)
        items = [item for item in items if keyed_id(f"{source} {item['key']}", 0) not in purged]
    if not stretch.lines:
        return 0
    receipt = memory.follow(items, user_id=turn.user, source=source, mark=stretch.mark)
    quiet = {keyed_id(f"{source} {item['key']}", 0) for item in items if TOOL in item.get("tags", ())}
    for entry_id in receipt.ids:
        if entry_id in quiet:
            memory.graph.ingest(entry_id, user_id=turn.user, entities=(), extractor=UNASKED)
    return len(receipt.ids)


def behind(memory: Memory, user: str, *, folder: Path) -> list[str]:
    """The tapes of the workspace that were followed before and have grown, or begun anew, since."""
    found = []
    for tape in tapes.tape_names(folder, turns.short_hash(user)):
        mark = memory.followed(f"tape:{tape}", user_id=user)
        if mark is not None and mark.get("to") not in (None, (folder / f"{tape}.jsonl").stat().st_size):
            found.append(tape)
    return found


def read(memory: Memory, user: str, *, by: KnowledgeModel | None, options: Options, reports: Reports) -> None:
    """Read what was not read yet: by rules at once, then, a batch a call and so many calls, by the model `by`.

    What the model cannot answer waits for the next turn; the rules' reading stands until then.
    """
    memory.graph.extract(user_id=user, by="rules")
    reports.well("reading by rules")
    if by is None:
        return
    for _ in range(options.calls):
        done = memory.graph.extract(user_id=user, by=by, limit=options.batch)
        trouble = next(iter((*done.waiting.values(), *done.failed.values())), None)
        if trouble is None:
            reports.well("reading by the model")
        else:
            reports.trouble("reading by the model", trouble)
        if done.waiting or len(done.read) + len(done.failed) < options.batch:
            return


def snapshot(memory: Memory, user: str, *, folder: Path) -> int:
    """Write what was read since the mark, one snapshot a tape, as it stands now; how many were written."""
    mark = memory.followed(SNAPSHOTS, user_id=user) or {}
    entries, reached = _read_since(memory, user, int(mark.get("seq", 0)))
    if not reached:
        return 0
    store, written = snapshots.SemanticStore(folder), 0
    for tape, ids in _by_tape(memory, user, entries).items():
        found = _snapshot(memory, user, tape, ids)
        if found:
            store.write(tape, found)
            written += 1
    memory.follow([], user_id=user, source=SNAPSHOTS, mark={"seq": reached})
    return written


def _stretch(turn: Turn, folder: Path, mark: Mapping[str, Any] | None) -> Stretch:
    if turn.entries is not None:
        return tapes.read_entries(turn.entries, mark)
    return tapes.read_file(folder / f"{turn.tape}.jsonl", mark)


def _purged(memory: Memory, user: str) -> set[str]:
    """The ids of texts that were erased: a tape that is read again must not bring them back."""
    events = memory.store.partition(user).events()
    return {memory_id for event in events if event.kind == ENTRIES_PURGED for memory_id in event.payload["ids"]}


def _read_since(memory: Memory, user: str, seq: int) -> tuple[list[str], int]:
    """The entries that were read after that place of the journal, in order, and the last such place; 0 for none."""
    found, reached = dict[str, None](), 0
    for event in memory.store.partition(user).events(after=seq):
        if event.kind == GRAPH_EXTRACTED and event.payload.get("extractor") != UNASKED:
            found[event.payload["id"]] = None
            reached = event.seq
    return list(found), reached


def _by_tape(memory: Memory, user: str, entries: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for record in memory.store.partition(user).get_many(ENTRY, entries).values():
        tape = record.body.get("metadata", {}).get("tape")
        if record.live and tape:
            found.setdefault(tape, []).append(record.id)
    return found


def _snapshot(memory: Memory, user: str, tape: str, entries: Sequence[str]) -> snapshots.SemanticSnapshot:
    mentioned = memory.graph.mentioned(entries, user_id=user)
    entities = {entity.id: entity for found in mentioned.values() for entity in found}
    relations = {
        relation.id: relation
        for entity in entities
        for relation in memory.graph.relations(entity, user_id=user)
        if set(relation.sources) & set(entries) and {relation.source, relation.target} <= entities.keys()
    }
    mark = memory.followed(f"tape:{tape}", user_id=user) or {}
    return snapshots.SemanticSnapshot(
        entities=[
            snapshots.Entity(id=found.id, type=found.type, name=found.name, metadata=dict(found.attributes))
            for found in entities.values()
        ],
        relations=[
            snapshots.Relation(from_id=one.source, to_id=one.target, type=one.type, metadata=dict(one.attributes))
            for one in relations.values()
        ],
        tape_id=tape,
        anchor_id=mark.get("anchor"),
    )
