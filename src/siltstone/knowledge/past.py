"""The graph as it was known at an earlier moment: the journal folded up to there, in the process, written nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from siltstone.domain import fold
from siltstone.domain.events import upcast
from siltstone.domain.records import Record
from siltstone.knowledge.index import GraphIndex
from siltstone.ports.stores import Partition, Position


def known_at(partition: Partition, at: datetime) -> GraphIndex:
    """The graph that everything recorded up to `at` makes. Costs one pass over the journal."""
    records = sorted(_records(partition, at), key=lambda record: (record.seq, record.kind, record.id))
    index = GraphIndex()
    index.read_whole(records, Position(seq=records[-1].seq if records else 0))
    return index


def _records(partition: Partition, at: datetime) -> Iterator[Record]:
    found: dict[tuple[str, str], Record] = {}
    for event in partition.events():
        if event.at > at:
            continue
        for change in fold.apply(upcast(event), lambda kind, memory_id: found.get((kind, memory_id))):
            if isinstance(change, Record):
                found[change.kind, change.id] = change
            else:
                found.pop((change.kind, change.id), None)
    return iter(found.values())
