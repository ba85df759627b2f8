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
from siltstone.knowledge.edges import Claim, Edges, Node
from siltstone.knowledge.identity import Identity
from siltstone.knowledge.bridges import bridges
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
        self._fresh = -1
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
            number = self._edge(*ends, told["type"], recorded)
            if self._fresh != number and number not in self.edges.claims:
                self.edges.told.setdefault(number, {})
            claim = Claim(entry_id, at, told if body.get("until") is None else {"valid_until": body["until"], **told})
            claims = self.edges.claims.setdefault(number, [])
            claims.append(claim)
            if number not in self.edges.told:
                self.edges.weight[number] = max(said.weight for said in claims[-2:])

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
        for told in body.get("edges", ()):
            source, target = self.identity.end(told["source"], recorded), self.identity.end(told["target"], recorded)
            number = self._edge(source, target, told.get("type", RELATED), recorded)
            self.edges.tell(number, told)
        for node_id in body.get("removed_nodes", ()):
            self._remove(node_id)
        for source, kind, target in body.get("removed_edges", ()):
            self._remove_edge(source, kind, target)

    def _edge(self, source: int, target: int, kind: str, recorded: str) -> int:
        code = self.edges.code(kind)
        number, self._fresh = self.edges.find(source, code, target), -1
        if number >= 0 and not self.edges.live[number]:
            self._fresh = number
        if number >= 0:
            self.edges.revive(number)
            return number
        number = self.edges.add(source, code, target, recorded)
        self._fresh = number
        start, end = self.nodes[source], self.nodes[target]
        if start.out is None:
            start.out = []
        start.out.append(number)
        if end.into is None:
            end.into = []
        end.into.append(number)
        return number

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
