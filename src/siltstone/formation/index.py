"""A user's beliefs in process: every cluster and chain as one row of a matrix, for finding the nearest in one pass.

It is a cache of the projection, like the corpus of the read path: kept current by journal position, thrown away when
the epoch changes. Finding the nearest groups costs one matrix product over the groups, and a closer look at few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.beliefs import CHAIN, CLUSTER, EPISODE, FORMED, PENDING, SEGMENT, STATE, STATE_ID
from siltstone.domain.records import Record, text_key
from siltstone.formation.likeness import Calibration, Probe, Vector, Weighed, Words, leading, likeness, probe
from siltstone.ports.stores import Partition, Position

CANDIDATES = 10
ROUND = 32
COMMON = 256
"""Groups from which a word that more than an eighth of all hold tells no candidate from another."""
LOOKED_AT = 32
"""Members of a group that are looked at closely: the newest."""


@dataclass(slots=True, kw_only=True)
class Group:
    """A cluster or a chain: the statements that count for it, oldest first."""

    kind: str
    id: str
    origin: int
    row: int
    live: bool = True
    members: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A group and how like it the statement is."""

    group: Group
    likeness: float


@dataclass(slots=True)
class Rows:
    """The sums of the groups' vectors, one row a group, growing by doubling; how many are in each; which are live."""

    dimension: int
    sums: NDArray[np.float32] = field(init=False)
    counts: NDArray[np.float32] = field(init=False)
    live: NDArray[np.bool_] = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.sums = np.zeros((16, max(self.dimension, 1)), np.float32)
        self.counts = np.zeros(16, np.float32)
        self.live = np.zeros(16, np.bool_)

    def new(self) -> int:
        """The place of one more row, empty."""
        if self.size == len(self.sums):
            self.sums = np.vstack([self.sums, np.zeros_like(self.sums)])
            self.counts = np.concatenate([self.counts, np.zeros_like(self.counts)])
            self.live = np.concatenate([self.live, np.zeros_like(self.live)])
        self.size += 1
        return self.size - 1

    def empty(self, row: int) -> None:
        """The row holds no vector."""
        self.counts[row], self.sums[row] = 0, 0

    def add(self, row: int, vectors: Sequence[Vector]) -> None:
        """Add these vectors to the row."""
        if vectors:
            self.counts[row] += len(vectors)
            self.sums[row] += np.sum(vectors, axis=0)

    def means(self, vector: Vector) -> NDArray[np.float32]:
        """The mean cosine with the members of each row, shape (size,)."""
        sums: NDArray[np.float32] = self.sums[: self.size] @ vector
        return np.divide(sums, np.maximum(self.counts[: self.size], 1), dtype=np.float32)


class BeliefIndex:
    """The clusters and chains of one user, for one embedding model ("" = none)."""

    def __init__(self, model: str, dimension: int, calibration: Calibration) -> None:
        self.model, self.dimension = model, dimension
        self.lens, self.weights = calibration.lens, calibration.weights
        self.clear()

    def clear(self) -> None:
        """Forget everything: the next refresh reads it anew."""
        self.position = Position()
        self.state, self.dirty = 0, False
        self.reset: int | None = None
        self.words = Words()
        self.rows = Rows(self.dimension)
        self.statements: dict[str, Record] = {}
        self.episodes: dict[str, Record] = {}
        self.pending: dict[str, Record] = {}
        self.groups: dict[tuple[str, str], Group] = {}
        self._probes: dict[str, Probe] = {}
        self._weights: dict[str, tuple[int, Weighed]] = {}
        self._vectors: dict[str, Vector] = {}
        self._bare: set[str] = set()
        self._holding: dict[str, dict[int, int]] = {}
        self._home: dict[str, tuple[str, str]] = {}
        self._by_row: list[Group] = []

    def refresh(self, partition: Partition, *, thorough: bool = False) -> None:
        """Bring everything up to the partition's position; unless `thorough`, only where beliefs changed meanwhile."""
        position = partition.position()
        if self.dirty or position.epoch != self.position.epoch:
            self.clear()
        if position.seq == self.position.seq:
            return
        if not thorough and self.position.seq and not self._bare:
            state = partition.get(STATE, STATE_ID)
            if (0 if state is None else state.seq) == self.state:
                return
        self._read(partition)
        self.position = position

    def _read(self, partition: Partition) -> None:
        """Read what came since. Records first: a vector that another process adds meanwhile is then read, not missed."""
        records = list(partition.records(after=self.position.seq))
        state = next((record for record in records if record.kind == STATE), None)
        if state is not None and state.body.get("reset") != self.reset and self.position.seq:
            self.clear()
            return self._read(partition)
        keys = {record.vector_key for record in records if record.kind == SEGMENT} - self._vectors.keys()
        if self.model and (keys or self._bare):
            found = partition.vectors(self.model, after=self.position.seq)
            fresh = {vector.key: vector.data for vector in found if vector.key in keys or vector.key in self._bare}
            if self._bare & fresh.keys() and self.position.seq:
                self.clear()
                return self._read(partition)
            self.hold(fresh)
        return self.put(records)

    def hold(self, vectors: Mapping[str, bytes]) -> None:
        """Keep these vectors, by text key."""
        for key, data in vectors.items():
            vector = np.frombuffer(data, np.float32)
            if vector.size >= self.dimension:
                self._vectors[key] = leading(vector, self.dimension)

    def put(self, records: Iterable[Record]) -> None:
        """Take over these records as they are now. Records of other kinds are passed by."""
        statements = []
        for record in records:
            if record.kind in (CLUSTER, CHAIN):
                self._put_group(record)
            elif record.kind == EPISODE:
                self.episodes[record.id] = record
                statements += [self.statements[s] for s in record.body["segments"] if s in self.statements]
            elif record.kind == SEGMENT:
                self._put_statement(record)
                statements.append(record)
            elif record.kind == STATE:
                self.state, self.reset = record.seq, record.body.get("reset")
            elif record.kind == PENDING:
                self.pending[record.id] = record
            elif record.kind == FORMED:
                self.pending.pop(record.id, None)
        for statement in statements:
            self._settle(statement.id)

    def drop(self, kind: str, memory_id: str) -> None:
        """Take out a record that never came to be."""
        if kind == SEGMENT and memory_id in self.statements:
            self._move(memory_id, None)
            self.words.add(self._probes[memory_id], -1)
            del self.statements[memory_id]
        elif kind == EPISODE:
            self.episodes.pop(memory_id, None)
        elif (kind, memory_id) in self.groups:
            group = self.groups[kind, memory_id]
            group.live = self.rows.live[group.row] = False

    def probe(self, text: str, indexed: str = "") -> Probe:
        """A text as it is compared; without a vector where none is held."""
        raw = self._vectors.get(text_key(text))
        return probe(text, None if raw is None else self.lens.focus(raw, text), indexed)

    def nearest(self, probe: Probe, kinds: Sequence[str]) -> list[Near]:
        """The groups of these kinds that are most like the statement, best first; ties go to the older one."""
        weighed = self.words.weighed(probe)
        found = [
            Near(group=group, likeness=self.like(weighed, group))
            for group in self._candidates(probe)
            if group.live and group.kind in kinds and group.members
        ]
        return sorted(found, key=lambda near: (-round(near.likeness, 6), near.group.origin, near.group.id))

    def group(self, kind: str, group_id: str) -> Group | None:
        """The group of that name."""
        return self.groups.get((kind, group_id))

    def members(self, group: Group) -> list[Weighed]:
        """The newest members of a group, as they are compared."""
        return [self._weighed(statement_id) for statement_id in group.members[-LOOKED_AT:]]

    def home(self, statement_id: str) -> Group | None:
        """The group that the statement counts for; None for one that waits, or whose turn was forgotten."""
        name = self._home.get(statement_id)
        return None if name is None else self.groups[name]

    def weighed(self, statement_id: str) -> Weighed:
        """A statement with what its words are worth now."""
        return self.words.weighed(self._probes[statement_id])

    def parts(self, chain: Group) -> dict[str, list[str]]:
        """The ids of a chain's episodes, and of the weak statements that speak for it, forgotten ones included."""
        episodes = [e.id for e in self.episodes.values() if e.body.get("chain_id") == chain.id]
        segments = [s.id for s in self.statements.values() if s.body.get("chain_id") == chain.id]
        return {"episodes": sorted(episodes), "segments": sorted(segments)}

    def like(self, weighed: Weighed, group: Group) -> float:
        """How like a statement is to a group."""
        return likeness(weighed, self.members(group), self.weights)

    def _weighed(self, statement_id: str) -> Weighed:
        """A statement weighed as of the last round number of statements: weighing all anew each time would cost most."""
        stamp = self.words.count // ROUND
        known = self._weights.get(statement_id)
        if known is None or known[0] != stamp:
            known = self._weights[statement_id] = stamp, self.words.weighed(self._probes[statement_id])
        return known[1]

    def _candidates(self, probe: Probe) -> list[Group]:
        """The groups worth a closer look: the nearest by mean vector and by shared words."""
        scores = np.zeros(self.rows.size, np.float32)
        if probe.vector is not None:
            scores += self.rows.means(probe.vector)
        most = max(COMMON, self.rows.size // 8)
        for term in probe.marks:
            holding = self._holding.get(term)
            if holding and len(holding) <= most:
                scores[list(holding)] += 0.05 * self.words.worth(term)
        scores[~self.rows.live[: self.rows.size]] = -np.inf
        count = min(CANDIDATES, len(scores))
        if not count:
            return []
        return [self._by_row[row] for row in np.argpartition(-scores, count - 1)[:count]]

    def _put_group(self, record: Record) -> None:
        group = self._group((record.kind, record.id), record.origin)
        group.live = self.rows.live[group.row] = record.live

    def _group(self, name: tuple[str, str], origin: int) -> Group:
        group = self.groups.get(name)
        if group is None:
            group = self.groups[name] = Group(kind=name[0], id=name[1], origin=origin, row=self.rows.new())
            self._by_row.append(group)
        return group

    def _put_statement(self, record: Record) -> None:
        if record.id not in self.statements:
            made = self._probes[record.id] = self.probe(record.body["text"], record.terms)
            self.words.add(made)
            if made.vector is None:
                self._bare.add(text_key(record.body["text"]))
        self.statements[record.id] = record

    def _settle(self, statement_id: str) -> None:
        """Count the statement to the group that it belongs to now."""
        body = self.statements[statement_id].body
        name = None
        if body["state"] == "weak":
            name = CLUSTER, body.get("cluster_id", "")
        elif body["state"] == "reinforcing":
            name = CHAIN, body["chain_id"]
        elif body.get("episode_id") in self.episodes:
            name = CHAIN, self.episodes[body["episode_id"]].body.get("chain_id")
        known = name is not None and name in self.groups and not body.get("withdrawn")
        self._move(statement_id, name if known else None)

    def _move(self, statement_id: str, name: tuple[str, str] | None) -> None:
        before = self._home.get(statement_id)
        if before == name:
            return
        probe = self._probes[statement_id]
        if before is not None:
            group = self.groups[before]
            group.members.remove(statement_id)
            self._count(probe.marks, group.row, -1)
            vectors = [self._probes[member].vector for member in group.members]
            self.rows.empty(group.row)
            self.rows.add(group.row, [vector for vector in vectors if vector is not None])
        if name is None:
            self._home.pop(statement_id, None)
            return
        group = self.groups[name]
        group.members.append(statement_id)
        self._home[statement_id] = name
        self._count(probe.marks, group.row, 1)
        self.rows.add(group.row, [] if probe.vector is None else [probe.vector])

    def _count(self, terms: Iterable[str], row: int, by: int) -> None:
        for term in terms:
            rows = self._holding.setdefault(term, {})
            rows[row] = rows.get(row, 0) + by
            if not rows[row]:
                del rows[row]
