"""Beliefs read back from records, with the verbatim turns behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from siltstone.domain.beliefs import (
    CHAIN,
    CLUSTER,
    EPISODE,
    FORMED,
    PENDING,
    SEGMENT,
    SNAPSHOT,
    Chain,
    Episode,
    PoolCluster,
    Snapshot,
    Statement,
    Status,
)
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY, Entry, parse_time
from siltstone.formation import promote, snapshot

AsEntry = Callable[[Record], Entry]
RULES = "rules"


def _time(text: str) -> datetime:
    found = parse_time(text)
    assert found is not None
    return found


class Beliefs:
    """All beliefs of one user at one moment, from one reading of the records."""

    def __init__(self, records: Iterable[Record], entry: AsEntry) -> None:
        self._entry = entry
        self._records: dict[str, dict[str, Record]] = {}
        for record in records:
            self._records.setdefault(record.kind, {})[record.id] = record
        self._in_cluster: dict[str, list[Record]] = {}
        self._for_chain: dict[str, list[Record]] = {}
        for segment in self._of(SEGMENT):
            if segment.body["state"] == "weak":
                self._in_cluster.setdefault(segment.body["cluster_id"], []).append(segment)
            elif segment.body["state"] == "reinforcing":
                self._for_chain.setdefault(segment.body["chain_id"], []).append(segment)

    def pool(self) -> list[PoolCluster]:
        """The clusters that wait, oldest first."""
        return [self._cluster(record) for record in self._of(CLUSTER) if record.live]

    def statements(self) -> list[Statement]:
        """Every findable statement by event time."""
        found = [self._statement(record) for record in self._of(SEGMENT) if not record.body.get("withdrawn")]
        return sorted(found, key=lambda item: (item.occurred_at, item.id))

    def episodes(self) -> list[Episode]:
        """The findable episodes by event time."""
        found = [self.episode(record.id) for record in self._of(EPISODE) if record.live]
        return sorted((item for item in found if item is not None), key=lambda item: (item.occurred_at, item.id))

    def chains(self) -> list[Chain]:
        """The chains, oldest first."""
        return [chain for record in self._of(CHAIN) if record.live and (chain := self.chain(record.id)) is not None]

    def snapshots(self) -> list[Snapshot]:
        """What each chain says now, oldest chain first."""
        return [self.snapshot(record) for record in self._of(SNAPSHOT) if record.live]

    def episode(self, episode_id: str) -> Episode | None:
        """That episode, or None."""
        record = self._get(EPISODE, episode_id)
        if record is None:
            return None
        body = record.body
        statements = self._statements(body["segments"])
        return Episode(
            id=record.id,
            text=body["text"],
            vivid=body["vivid"],
            confidence=body["confidence"],
            valence=body["valence"],
            occurred_at=_time(body["occurred_at"]),
            recorded_at=_time(body["recorded_at"]),
            score=body.get("score", 0.0),
            chain_id=body.get("chain_id"),
            superseded_by=self._superseding(body.get("superseded_by")),
            statements=statements,
            turns=self.turns(statements),
        )

    def chain(self, chain_id: str) -> Chain | None:
        """That chain with its findable episodes, or None."""
        record = self._get(CHAIN, chain_id)
        if record is None:
            return None
        found = [self.episode(i) for i in record.body["episodes"] if self._is_live(EPISODE, i)]
        reinforcing = tuple(self._statement(segment) for segment in self._for_chain.get(chain_id, ()))
        return Chain(
            id=chain_id,
            episodes=tuple(episode for episode in found if episode is not None),
            reinforcing=tuple(statement for statement in reinforcing if statement.found),
            version=record.body["version"],
        )

    def snapshot_of(self, chain_id: str) -> Snapshot | None:
        """What that chain says now, or None."""
        record = self._get(SNAPSHOT, chain_id)
        return self.snapshot(record) if record is not None and record.live else None

    def snapshot(self, record: Record) -> Snapshot:
        """What a chain says now; the words follow from its episodes unless a model wrote them for this version."""
        chain = self.chain(record.id)
        episodes = chain.episodes if chain is not None else ()
        written = record.body.get("written_by")
        return Snapshot(
            id=record.id,
            summary=record.body["text"] if written else self.plain_summary(episodes) or record.body["text"],
            version=record.body["version"],
            written_by=written or RULES,
            occurred_at=_time(record.body["occurred_at"]),
            episodes=episodes,
            turns=self.turns([statement for episode in episodes for statement in episode.statements]),
        )

    def plain_summary(self, episodes: Sequence[Episode]) -> str:
        """The summary that no model wrote."""
        holding = [episode for episode in episodes if episode.superseded_by is None] or episodes
        return snapshot.summary([episode.text for episode in holding])

    def of_turn(self, entry_id: str) -> tuple[Statement, ...]:
        """The statements that were formed from a turn, in order."""
        formed = self._get(FORMED, entry_id)
        return self._statements(formed.body["segments"]) if formed is not None else ()

    def episode_of(self, statement_id: str) -> Episode | None:
        """The episode that a statement went into, or None."""
        segment = self._get(SEGMENT, statement_id)
        return (
            self.episode(segment.body["episode_id"]) if segment is not None and "episode_id" in segment.body else None
        )

    def turns(self, statements: Iterable[Statement]) -> tuple[Entry, ...]:
        """The distinct turns behind these statements that are still findable, in order."""
        ids = dict.fromkeys(statement.entry_id for statement in statements)
        found = [record for record in (self._get(ENTRY, i) for i in ids) if record is not None and record.live]
        return tuple(map(self._entry, found))

    def status(self) -> Status:
        """Counts by kind, and what waits or failed."""
        counts = {kind: len([r for r in self._of(kind) if r.live]) for kind in (CLUSTER, EPISODE, CHAIN, SNAPSHOT)}
        states = [segment.body["state"] for segment in self._of(SEGMENT) if not segment.body.get("withdrawn")]
        waiting = [record for record in self._of(PENDING) if "failed" not in record.body]
        failed = {record.id: record.body["failed"] for record in self._of(PENDING) if "failed" in record.body}
        return Status(
            counts={**counts, SEGMENT: len(states), "weak": states.count("weak")},
            waiting=tuple(record.id for record in waiting),
            failed=failed,
        )

    def ids(self, *kinds: str) -> dict[str, list[str]]:
        """All record ids by kind, as a reset takes them away."""
        return {kind: [record.id for record in self._of(kind)] for kind in kinds}

    def _cluster(self, record: Record) -> PoolCluster:
        statements = tuple(self._statement(segment) for segment in self._in_cluster.get(record.id, ()))
        found = tuple(statement for statement in statements if statement.found)
        mean = promote.mean([statement.intensity for statement in found])
        score = promote.score(len({statement.entry_id for statement in found}), mean)
        return PoolCluster(id=record.id, statements=found, score=round(score, 4), turns=self.turns(found))

    def _superseding(self, episode_id: str | None) -> str | None:
        return episode_id if episode_id and self._is_live(EPISODE, episode_id) else None

    def _statements(self, ids: Iterable[str]) -> tuple[Statement, ...]:
        records = (self._get(SEGMENT, memory_id) for memory_id in ids)
        return tuple(self._statement(record) for record in records if record is not None)

    def _statement(self, record: Record) -> Statement:
        body = record.body
        return Statement(
            id=record.id,
            entry_id=body["entry_id"],
            text=body["text"],
            intensity=body["intensity"],
            valence=body["valence"],
            occurred_at=_time(body["occurred_at"]),
            state=body["state"],
            found=not body.get("withdrawn"),
        )

    def _is_live(self, kind: str, memory_id: str) -> bool:
        record = self._get(kind, memory_id)
        return record is not None and record.live

    def _get(self, kind: str, memory_id: str) -> Record | None:
        return self._records.get(kind, {}).get(memory_id)

    def _of(self, kind: str) -> list[Record]:
        return sorted(self._records.get(kind, {}).values(), key=lambda record: (record.origin, record.id))
