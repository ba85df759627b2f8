"""`memory.beliefs`: what was formed, and the verbs that act on it. Reading writes nothing but a summary's first text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from siltstone.domain.beliefs import (
    BELIEF_KINDS,
    CHAIN,
    EPISODE,
    FORMED,
    PENDING,
    SEGMENT,
    SNAPSHOT,
    Chain,
    Episode,
    PoolCluster,
    Segment,
    Snapshot,
    Status,
)
from siltstone.domain.events import BELIEFS_RESET, SNAPSHOT_SUMMARIZED, Draft
from siltstone.domain.values import ENTRY, Hit
from siltstone.errors import ModelError
from siltstone.formation import archive, diagnosis
from siltstone.formation.pipeline import Formed, Former
from siltstone.formation.reading import AsEntry, Beliefs
from siltstone.ports.clock import Clock
from siltstone.ports.stores import Partition


class BeliefVerbs:
    """The beliefs of a memory's users, listed, explained, promoted, written down, thrown away."""

    def __init__(self, former: Former, partition: Callable[[str], Partition], entry: AsEntry, clock: Clock) -> None:
        self._former, self._partition, self._entry, self._clock = former, partition, entry, clock

    def read(self, user_id: str) -> Beliefs:
        """Everything that was formed, as one consistent reading."""
        return Beliefs(self._partition(user_id).records(), self._entry)

    def about(self, chain_ids: Sequence[str], *, user_id: str) -> Beliefs:
        """These chains with all that is in them, read by name: the cost does not grow with what else is kept."""
        partition = self._partition(user_id)
        with self._former.desk(partition) as index:
            groups = [index.group(CHAIN, chain_id) for chain_id in chain_ids]
            segments = [statement_id for group in groups if group is not None for statement_id in group.members]
        chains = partition.get_many(CHAIN, chain_ids)
        episodes = [episode_id for chain in chains.values() for episode_id in chain.body["episodes"]]
        found = [*chains.values(), *partition.get_many(SNAPSHOT, chain_ids).values()]
        found += partition.get_many(EPISODE, episodes).values()
        found += (statements := partition.get_many(SEGMENT, segments)).values()
        entries = list(dict.fromkeys(statement.body["entry_id"] for statement in statements.values()))
        return Beliefs([*found, *partition.get_many(ENTRY, entries).values()], self._entry)

    def chain_ids(self, hits: Iterable[Hit], *, user_id: str) -> dict[str, float]:
        """The chains that hits of kind "episode" and "snapshot" belong to, best first, with their best score."""
        found = list(hits)
        episodes = self._partition(user_id).get_many(EPISODE, [hit.id for hit in found if hit.kind == EPISODE])
        scores: dict[str, float] = {}
        for hit in found:
            chain_id = episodes[hit.id].body.get("chain_id") if hit.id in episodes else hit.id
            if chain_id is not None:
                scores.setdefault(chain_id, hit.score)
        return scores

    def pool(self, *, user_id: str) -> list[PoolCluster]:
        """The clusters of weak statements that wait for company, oldest first."""
        return self.read(user_id).pool()

    def episodes(self, *, user_id: str) -> list[Episode]:
        """The episodes by event time, superseded ones included."""
        return self.read(user_id).episodes()

    def chains(self, *, user_id: str) -> list[Chain]:
        """The chains, oldest first."""
        return self.read(user_id).chains()

    def snapshots(self, *, user_id: str) -> list[Snapshot]:
        """What each chain says now. Writes no summary; `snapshot` does."""
        return self.read(user_id).snapshots()

    def snapshot(self, chain_id: str, *, user_id: str) -> Snapshot | None:
        """What one chain says now, or None. With a completion model its summary is written on first read and recorded.

        Where the model fails, the summary is the one that follows from the episodes, and nothing is recorded.
        """
        found = self.about([chain_id], user_id=user_id).snapshot_of(chain_id)
        if found is None or not self._to_write(found):
            return found
        try:
            self._write_summary(found, user_id)
        except ModelError:
            return found  # said by `written_by`: the words are not a model's
        return self.about([chain_id], user_id=user_id).snapshot_of(chain_id)

    def decompose(self, text: str, *, speaker: str | None = None, prior: str | None = None) -> Sequence[Segment]:
        """The statements that a text would be taken apart into; nothing is kept. Raises ModelError."""
        return self._former.segments(text, speaker, prior)

    def form(self, *, user_id: str, again: bool = False) -> Formed:
        """Form every turn that waits; with `again` also those that failed for good."""
        partition = self._partition(user_id)
        failed = tuple(self.read(user_id).status().failed) if again else ()
        return self._former.form(partition, failed)

    def consolidate(self, *, user_id: str, theta: float | None = None) -> list[Episode]:
        """Group statements and episodes anew, and promote every cluster that is due; the new episodes.

        `theta` stands in place of the configured score. Without a completion model, what proves to be on another topic
        moves: chains part and unite, and a distilled episode of several topics is taken back.
        """
        made = self._former.consolidate(self._partition(user_id), theta)
        read = self.read(user_id)
        return [episode for episode in map(read.episode, made) if episode is not None]

    def diagnose(self, *, user_id: str, theta: float | None = None) -> dict[str, Any]:
        """Thresholds, clusters with scores and distances, chains, and what would change at `theta`; plain JSON."""
        partition = self._partition(user_id)
        with self._former.desk(partition) as index:
            return diagnosis.report(index, self._former.rules(), theta)

    def neighbours(self, chain_id: str, *, user_id: str) -> list[dict[str, Any]]:
        """The chains nearest to a chain that are not too far to have to do with it: id, summary, distance."""
        with self._former.desk(self._partition(user_id)) as index:
            near = diagnosis.neighbours(index, chain_id, self._former.rules())
        read = self.about([item for item, _ in near], user_id=user_id)
        found = [(read.snapshot_of(item), distance) for item, distance in near]
        return [
            {"id": item.id, "summary": item.summary, "distance": distance}
            for item, distance in found
            if item is not None
        ]

    def archive_lines(self, *, user_id: str) -> Iterator[str]:
        """The user's statements as lines of Bubble's archive, by event time, those of the pool included."""
        records = list(self._partition(user_id).records())
        priors = {record.id: said for record in records if (said := archive.prior(record.body))}
        return archive.lines(Beliefs(records, self._entry).statements(), priors)

    def rederive(self, *, user_id: str) -> Formed:
        """Form every turn anew with the models and rules of today: models are asked again. `replay` asks none."""
        self.reset(user_id=user_id, reopen=True)
        return self.form(user_id=user_id)

    def status(self, *, user_id: str) -> Status:
        """How much there is of each kind, and which turns wait or failed, and why."""
        return self.read(user_id).status()

    def reset(self, *, user_id: str, reopen: bool = False) -> int:
        """Throw all beliefs of the user away; entries stay. With `reopen` their turns wait to be formed anew.

        Answers how many beliefs there were. It is an event like any other: `replay` keeps to it.
        """
        made: list[int] = []
        partition = self._partition(user_id)

        def decide(view: Any) -> Sequence[Draft]:
            kinds = (*BELIEF_KINDS, FORMED, PENDING)
            records = {kind: [record.id for record in view.records(kind)] for kind in kinds}
            made[:] = [sum(len(records[kind]) for kind in BELIEF_KINDS)]
            turns = [*records[FORMED], *records[PENDING]]
            payload = {"records": records, "reopened": turns if reopen else []}
            draft = Draft(id=self._clock.new_id(), kind=BELIEFS_RESET, at=self._clock.now(), payload=payload)
            return (draft,) if any(records.values()) else ()

        partition.commit(decide)
        self._former.drop(user_id)
        return made[0]

    def _to_write(self, found: Snapshot) -> bool:
        return self._former.models.writer is not None and found.written_by == "rules" and len(found.episodes) > 1

    def _write_summary(self, found: Snapshot, user_id: str) -> None:
        writer = self._former.models.writer
        assert writer is not None
        text = writer.synthesize([f"{episode.occurred_at:%Y-%m-%d} {episode.text}" for episode in found.episodes])
        entries = sorted({turn.id for turn in found.turns})
        payload = {"id": found.id, "version": found.version, "text": text, "model": writer.name, "entries": entries}
        draft = Draft(id=self._clock.new_id(), kind=SNAPSHOT_SUMMARIZED, at=self._clock.now(), payload=payload)

        def decide(view: Any) -> Sequence[Draft]:
            record = view.get(SNAPSHOT, found.id)
            stands = record is not None and record.body["version"] == found.version
            return (draft,) if stands and "written_by" not in record.body else ()

        model, vectors = self._former.vectors([text])
        self._partition(user_id).commit(decide, model=model, vectors=vectors)
