"""One user's graph in the process: made from the store's records, kept current by journal position.

What is appended is taken in as it comes. Where something that was taken in is taken back (an entry forgotten or
reworded), everything is read anew: who is whom may hang on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from siltstone.domain import events as e
from siltstone.domain.beliefs import CHAIN, EPISODE, SNAPSHOT
from siltstone.domain.graph import EXTRACTED, GRAPH, RELATED, UNREAD
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY
from siltstone.knowledge.bridges import bridges
from siltstone.knowledge.edges import NEW, Claim, Edges, Node
from siltstone.knowledge.identity import Identity
from siltstone.knowledge.words import Words
from siltstone.ports.stores import Partition, Position

BELIEFS = (EPISODE, SNAPSHOT, CHAIN)


class GraphIndex:
    """The nodes and edges of one user, and which entries were read, by whom."""

    def __init__(self) -> None:
        self.changes = 0
        self._clear()

    def _clear(self, apart: Iterable[str] = ()) -> None:
        self.position = Position()
        self.edges = Edges()
        self.identity = Identity(apart)
        self.read: dict[str, tuple[str, int]] = {}
        self.unread: dict[str, int] = {}
        self.failed: dict[str, Mapping[str, Any]] = {}
        self.dead: set[str] = set()
        self.mentioned: dict[str, list[int]] = {}
        self.beliefs: dict[tuple[str, str], Record] = {}
        self.bridges: dict[int, list[tuple[int, str, bool]]] = {}
        self._stale = self._unbridged = False
        self._words: Words | None = None

    @property
    def nodes(self) -> list[Node]:
        """All nodes, those merged into others included."""
        return self.identity.nodes

    def refresh(self, partition: Partition) -> None:
        """Bring the graph up to the partition's position."""
        position = partition.position()
        if position.epoch != self.position.epoch:
            self._clear()
        elif self._stale:
            self._clear(self.identity.apart)
        if position.seq > self.position.seq:
            self._take(partition.records(after=self.position.seq))
            while self._stale:
                self._clear(self.identity.apart)
                self._take(partition.records())
        self.position = position

    def read_whole(self, records: Sequence[Record], position: Position) -> None:
        """Make the graph from all records of a user, ordered by seq."""
        self._take(records)
        while self._stale:
            self._clear(self.identity.apart)
            self._take(records)
        self.position = position

    def follow(self, records: Iterable[Record], position: Position) -> None:
        """Take in what this process has just written, without reading it back; at the next refresh, where that will not do."""
        self._take(records)
        self.position = Position() if self._stale else position

    def _take(self, records: Iterable[Record]) -> None:
        for record in records:
            step = STEPS.get(record.kind)
            if step is not None:
                step(self, record)
                self.changes += 1
            if self._stale:
                return

    # entries and what was read out of them

    def _entry(self, record: Record) -> None:
        if record.live:
            self.dead.discard(record.id)
        else:
            self.dead.add(record.id)
        known = self.read.get(record.id)
        if known is not None and known[1] < record.body.get("revision", 1):
            self._stale = True
        elif known is None and record.live:
            self.unread[record.id] = record.origin
        elif known is None:
            self.unread.pop(record.id, None)

    def _extracted(self, record: Record) -> None:
        body = record.body
        if record.id in self.read and (record.id in self.mentioned or (record.live and body.get("entities"))):
            self._stale = True
            return
        self.read[record.id] = (body["extractor"], body.get("revision", 1))
        self.unread.pop(record.id, None)
        self.failed.pop(record.id, None)
        if record.live:
            self._claimed(record)

    def _claimed(self, record: Record) -> None:
        body, entry_id = record.body, record.id
        at, recorded = body["at"], body["recorded_at"]
        numbers = []
        for told in body.get("entities", ()):
            number = self.identity.mention(told, recorded)
            node = self.nodes[number]
            _note(node, told, at, entry_id)
            numbers.append(number)
        if numbers:
            self.mentioned[entry_id] = list(dict.fromkeys(numbers))
            self._unbridged = bool(self.beliefs)
        for told in body.get("relations", ()):
            ends = numbers[told["source"]], numbers[told["target"]]
            number, before = self.edges.put(ends[0], self.edges.code(told["type"]), ends[1], recorded)
            if before == NEW:
                _attach(self.nodes[ends[0]], self.nodes[ends[1]], number)
            claim = Claim(entry_id, at, told if body.get("until") is None else {"valid_until": body["until"], **told})
            self.edges.claim(number, claim, before)

    def _unread(self, record: Record) -> None:
        self.failed[record.id] = record.body

    # changes by hand

    def _graph(self, record: Record) -> None:
        body = record.body
        if body["event"] == e.ENTITIES_MERGED:
            self.identity.link(body["into"], body["from"], body["recorded_at"])
        elif body["event"] == e.ENTITIES_SPLIT:
            self._split(body["ids"])
        else:
            self._changed(body)

    def _split(self, ids: Sequence[str]) -> None:
        if self.identity.apart.issuperset(ids):
            self.identity.split(ids)
            return
        # What was joined by itself has to be kept apart from the start.
        self.identity.apart.update(ids)
        self._stale = True

    def _changed(self, body: Mapping[str, Any]) -> None:
        recorded = body["recorded_at"]
        for told in body.get("nodes", ()):
            self.identity.put(told, recorded)
        self._put_edges(body.get("edges", ()), recorded)
        for node_id in body.get("removed_nodes", ()):
            self._remove(node_id)
        for source, kind, target in body.get("removed_edges", ()):
            self._remove_edge(source, kind, target)

    def _put_edges(self, told: Sequence[Mapping[str, Any]], recorded: str) -> None:
        """Enter edges told by hand; there may be very many."""
        ids, end, edges, nodes = self.identity.ids, self.identity.end, self.edges, self.nodes
        put, code = edges.put, edges.code
        for item in told:
            source, target = ids.get(item["source"], -1), ids.get(item["target"], -1)
            if source < 0 or target < 0:
                source, target = end(item["source"], recorded), end(item["target"], recorded)
            number, before = put(source, code(item.get("type", RELATED)), target, recorded)
            if before == NEW:
                _attach(nodes[source], nodes[target], number)
            if len(item) > 3 or before != NEW:
                edges.tell(number, item)

    def _remove(self, node_id: str) -> None:
        for number in self.identity.remove(node_id):
            node = self.nodes[number]
            for edge in (*(node.out or ()), *(node.into or ())):
                self.edges.drop(edge)

    def _remove_edge(self, source: str, kind: str, target: str) -> None:
        starts, ends, code = self.identity.same(source), self.identity.same(target), self.edges.known(kind)
        for start in starts:
            for end in ends:
                number = self.edges.find(start, code, end) if code >= 0 else -1
                if number >= 0:
                    self.edges.drop(number)

    # beliefs

    def _belief(self, record: Record) -> None:
        self.beliefs[record.kind, record.id] = record
        self._unbridged = True

    def words(self) -> Words:
        """Which words the nodes hold, made anew where something changed since."""
        if self._words is None or self._words.changes != self.changes:
            self._words = Words(self.changes, self.identity)
        return self._words

    def bridge(self) -> dict[int, list[tuple[int, str, bool]]]:
        """For each node its edges from and to beliefs: (other node, type, whether it leads out of this node)."""
        if self._unbridged:
            self.bridges, self._unbridged = bridges(self.beliefs, self.identity, self.mentioned), False
        return self.bridges


def _attach(source: Node, target: Node, number: int) -> None:
    """Enter a new edge at its ends."""
    if source.out is None:
        source.out = [number]
    else:
        source.out.append(number)
    if target.into is None:
        target.into = [number]
    else:
        target.into.append(number)


def _note(node: Node, told: Mapping[str, Any], at: str, entry_id: str) -> None:
    """Enter what an entry says of a node."""
    if node.entries is None:
        node.entries = []
    if not node.entries or node.entries[-1] != entry_id:
        node.entries.append(entry_id)
    if told.get("attributes"):
        if node.facts is None:
            node.facts = []
        node.facts += [(name, value, at, entry_id) for name, value in told["attributes"].items()]


STEPS: dict[str, Callable[[GraphIndex, Record], None]] = {
    ENTRY: GraphIndex._entry,
    EXTRACTED: GraphIndex._extracted,
    UNREAD: GraphIndex._unread,
    GRAPH: GraphIndex._graph,
    **dict.fromkeys(BELIEFS, GraphIndex._belief),
}
