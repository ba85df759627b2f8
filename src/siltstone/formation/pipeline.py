"""Formation: turns that were kept become beliefs. One writer a user in this process, one commit a turn.

Models are asked outside the commit. What the commit then finds changed, or a stage finds unanswered, is looked at again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from siltstone.domain.beliefs import PENDING, SEGMENT, STATE, STATE_ID, Segment, derived_id
from siltstone.domain.events import FORMATION_FAILED, Draft, Event
from siltstone.domain.records import Record, text_key
from siltstone.domain.values import ENTRY, Receipt
from siltstone.errors import (
    InvalidInput,
    MissingDependency,
    ModelAnswerInvalid,
    ModelError,
    ModelRefused,
    ModelUnavailable,
)
from siltstone.formation import archive, chain, decompose, regroup, stages
from siltstone.formation.closer import Glass, Sight
from siltstone.formation.index import BeliefIndex
from siltstone.formation.likeness import Calibration, calibrate
from siltstone.formation.linkage import Reach
from siltstone.formation.oracle import SUMMARIZE, BeliefModel, Oracle, Question, Unanswered
from siltstone.formation.plan import Plan
from siltstone.formation.worker import Worker
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder, Entailment
from siltstone.ports.stores import Partition, View
from siltstone.settings import FormationSettings

PART, BACKGROUND = "formation", "background"
NEVER = 1_000_000_000
ATTEMPTS = 100
USERS = 64
CATCH_UP = 8
"""Earlier turns that one `process` finishes beside its own."""


class _Moved(Exception):
    """Another writer formed beliefs since the index was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formed:
    """What one run of formation did: turns formed, turns that wait and why, turns that failed for good and why."""

    done: tuple[str, ...] = ()
    waiting: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    promoted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What formation may ask. Each may be absent: then rules decide, or words alone are compared.

    `closer` are embedders that are too slow for a write: consolidation asks them.
    """

    embedder: Embedder | None = None
    judge: Entailment | None = None
    writer: BeliefModel | None = None
    closer: Sequence[Embedder] = ()


@dataclass(slots=True)
class _Desk:
    """One user's index and the lock that makes this process write one turn of that user at a time.

    `behind` says that turns wait that could not be formed when they came.
    """

    lock: threading.RLock = field(default_factory=threading.RLock)
    index: BeliefIndex | None = None
    behind: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    """What one attempt to commit works with."""

    key: str
    oracle: Oracle
    rules: stages.Rules
    vectors: Mapping[str, bytes]


class Former:
    """Forms the pending turns of a store's users. Safe from any thread."""

    def __init__(self, models: Models, settings: FormationSettings, clock: Clock) -> None:
        self.models, self.settings, self._clock = models, settings, clock
        self._lock = threading.Lock()
        self._desks: OrderedDict[str, _Desk] = OrderedDict()
        self._calibration: Calibration | None = None
        self._worker = Worker()
        self._glasses = [Glass(embedder, clock) for embedder in models.closer]

    @contextmanager
    def desk(self, partition: Partition, *, thorough: bool = False) -> Iterator[BeliefIndex]:
        """The user's index, current, for this thread alone while the block runs; `thorough`: waiting turns included."""
        desk = self._desk(partition.user_id)
        with desk.lock:
            if desk.index is None:
                desk.index = self._index()
            desk.index.refresh(partition, thorough=thorough)
            yield desk.index

    def form(
        self, partition: Partition, wanted: Sequence[str] = (), *, limit: int | None = None, promote: bool = True
    ) -> Formed:
        """Form waiting turns in the order of their arrival: those `wanted`, and up to `limit` others (None: all).

        With `promote` False no cluster becomes an episode now, as in Bubble's `ingest`.
        """
        done: list[str] = []
        waiting: dict[str, str] = {}
        failed: dict[str, str] = {}
        try:
            due = self._due(partition, wanted, limit)
        except (ModelError, MissingDependency) as error:
            return Formed(waiting=dict.fromkeys(wanted, str(error)))
        for entry_id in due:
            try:
                if self._form(partition, entry_id, promote):
                    done.append(entry_id)
            except (ModelError, MissingDependency) as error:
                if not _is_final(error):
                    waiting[entry_id] = str(error)
                    self._desk(partition.user_id).behind = True
                    break
                self._fail(partition, entry_id, str(error))
                failed[entry_id] = str(error)
        return Formed(done=tuple(done), waiting=waiting, failed=failed)

    def receipt(self, kept: Receipt, partition: Partition, *, promote: bool) -> Receipt:
        """Form the turns that were just kept, and what waited before them; says what still waits.

        In the background mode this returns at once, and the receipt says that formation waits.
        """
        if self.settings.mode == BACKGROUND and promote:
            self._worker.put(lambda: self.form(partition, kept.ids, limit=CATCH_UP))
        elif not self.form(partition, kept.ids, limit=CATCH_UP, promote=promote).waiting:
            return kept
        return replace(kept, status="waiting", waiting_for=(*kept.waiting_for, PART))

    def close(self) -> None:
        """Stop the worker; what it has not formed stays pending."""
        self._worker.close()

    def consolidate(self, partition: Partition, threshold: float | None = None) -> tuple[str, ...]:
        """Group everything anew, then promote every cluster that is due, at another threshold where one is given.

        Answers the episodes made.
        """
        made: list[str] = []
        sights = self._sights(partition)

        def decide(plan: Plan, oracle: Oracle, rules: stages.Rules) -> None:
            made[:] = stages.consolidated(plan, oracle, rules, sights)

        self._decide(partition, decide, key=self._clock.new_id(), threshold=threshold)
        return tuple(made)

    def _sights(self, partition: Partition) -> list[Sight]:
        """What the closer embedders see; none are asked where a completion model decided what is one topic."""
        if self.models.writer is not None or not self._glasses:
            return []
        with self.desk(partition) as index:
            statements = regroup.movable(index)
        return [glass.look(partition, statements) for glass in self._glasses]

    def vectors(self, texts: Sequence[str]) -> tuple[str, dict[str, bytes]]:
        """(model, vectors by key) of these texts, as `Partition.commit` takes them. Raises ModelError."""
        return self._model(), self._embedded(texts)

    def drop(self, user_id: str) -> None:
        """Forget that user's index: it is read anew when it is next needed."""
        with self._lock:
            self._desks.pop(user_id, None)

    def rules(self, threshold: float | None = None) -> stages.Rules:
        """The thresholds in force; those that are 0 in the settings are the embedder's calibrated ones."""
        chosen, calibrated = self.settings, self.calibration()
        join = chosen.join_similarity or calibrated.join
        reach = 1 - chosen.chain_max_distance if chosen.chain_max_distance else calibrated.chain
        topic, lower = chosen.topic_similarity or join, calibrated.lower
        return stages.Rules(
            topic=topic,
            threshold=chosen.threshold,
            promote=chosen.promote if threshold is None else threshold,
            minimum=chosen.cluster_min_size,
            join=join,
            gate=chain.Gate(join=reach, band=calibrated.band),
            linkage=Reach(join=join - lower, topic=topic - lower, chain=reach - lower),
        )

    def calibration(self) -> Calibration:
        """What likeness means with this embedder, found on first use. Raises ModelError while it cannot answer."""
        if self._calibration is None:
            self._calibration = calibrate(self.models.embedder, self._dimension())
        return self._calibration

    def _due(self, partition: Partition, wanted: Sequence[str], limit: int | None) -> list[str]:
        """The turns to form. Where a `limit` says that others may wait, they are looked for only if some are known to."""
        desk = self._desk(partition.user_id)
        if limit is not None and desk.index is not None and not desk.behind:
            return list(wanted)
        with self.desk(partition, thorough=True) as index:
            found = sorted(index.pending.values(), key=lambda record: (record.origin, record.id))
        others = {record.id for record in found if record.id not in wanted and "failed" not in record.body}
        if limit is not None:
            others = {record.id for record in [r for r in found if r.id in others][:limit]}
        desk.behind = len(others) < sum("failed" not in record.body for record in found if record.id not in wanted)
        return [record.id for record in found if record.id in wanted or record.id in others]

    def _form(self, partition: Partition, entry_id: str, promote: bool) -> bool:
        """Form one turn; False where it is not there, forgotten, or formed by somebody else."""
        entry = partition.get(ENTRY, entry_id)
        if entry is None or not entry.live:
            return False
        decomposed = self._decomposed(entry)

        def decide(plan: Plan, oracle: Oracle, rules: stages.Rules) -> None:
            current = plan.get(ENTRY, entry_id)
            if plan.get(PENDING, entry_id) is not None and current is not None and current.body["text"] == text:
                stages.turn(plan, decomposed, oracle, rules if promote else replace(rules, minimum=NEVER))

        text = entry.body["text"]
        texts = [segment["text"] for segment in decomposed["segments"]]
        key = f"{entry_id}/{entry.body.get('revision', 1)}"
        return bool(self._decide(partition, decide, key=key, texts=texts))

    def segments(self, text: str, speaker: str | None, prior: str | None) -> Sequence[Segment]:
        """The statements in a text, by the completion model where there is one, else by rules. Raises ModelError."""
        writer = self.models.writer
        if writer is None:
            return decompose.decompose(text, speaker=speaker, prior=prior)
        own, pasted = decompose.without_paste(text)
        said = writer.decompose(own, speaker=speaker, prior=prior) if own.strip() else []
        return [*said, *pasted]

    def _decomposed(self, entry: Record) -> dict[str, Any]:
        """The payload of `turn_decomposed`, ids included. Raises ModelError."""
        body, writer = entry.body, self.models.writer
        judged = archive.judged(body)
        found = [judged] if judged else self.segments(body["text"], body.get("speaker"), body.get("prior"))
        rules = decompose.DECOMPOSER if writer is None else writer.name
        revision = body.get("revision", 1)
        segments = [
            {"id": derived_id(entry.id, SEGMENT, revision, place), **asdict(segment)}
            for place, segment in enumerate(found)
        ]
        return {
            "id": entry.id,
            "segments": segments,
            "decomposer": archive.DECOMPOSER if judged else rules,
        }

    def _decide(
        self,
        partition: Partition,
        stage: stages.Stage,
        *,
        key: str,
        texts: Sequence[str] = (),
        threshold: float | None = None,
    ) -> tuple[Event, ...]:
        """Commit what the stage plans, again and again until nothing moved and nothing is unanswered."""
        oracle = Oracle(model=self.models.writer, judge=self.models.judge)
        vectors = self._embedded(texts)
        rules = self.rules(threshold)
        for _ in range(ATTEMPTS):
            try:
                return self._attempt(partition, stage, _Try(key=key, oracle=oracle, rules=rules, vectors=vectors))
            except _Moved:
                continue
            except Unanswered as missing:
                vectors |= self._asked(oracle, missing.question)
        raise ModelError(
            f"the beliefs of {partition.user_id!r} changed {ATTEMPTS} times while one turn was formed; try again later"
        )

    def _attempt(self, partition: Partition, stage: stages.Stage, attempt: _Try) -> tuple[Event, ...]:
        """One commit. What is planned and not committed leaves the index dirty, unless it was undone."""
        with self.desk(partition) as index:
            index.hold(attempt.vectors)

            def decide(view: View) -> Sequence[Draft]:
                state = view.get(STATE, STATE_ID)
                if index.dirty or (0 if state is None else state.seq) != index.state:
                    raise _Moved
                index.dirty = True
                plan = Plan(view, index, self._clock.now(), attempt.key)
                try:
                    stage(plan, attempt.oracle, attempt.rules)
                except Unanswered:
                    plan.undo()
                    index.dirty = False
                    raise
                return plan.drafts

            events = partition.commit(decide, model=self._model(), vectors=attempt.vectors)
            index.dirty = False
            return events

    def _asked(self, oracle: Oracle, question: Question) -> dict[str, bytes]:
        """Ask what is unanswered. Answers the vector of what was written, for the index and the store."""
        oracle.ask(question)
        said = oracle.answers[question]
        return self._embedded([said]) if question[0] == SUMMARIZE else {}

    def _embedded(self, texts: Sequence[str]) -> dict[str, bytes]:
        embedder = self.models.embedder
        wanted = {text_key(text): text for text in texts}
        if embedder is None or not wanted:
            return {}
        try:
            rows = embedder.embed(list(wanted.values()))
        except ModelRefused as refusal:  # its set-up is at fault and not the turn, which waits until that is mended
            raise ModelUnavailable(str(refusal)) from refusal
        return {key: row.astype("<f4").tobytes() for key, row in zip(wanted, rows, strict=True)}

    def _model(self) -> str:
        return self.models.embedder.fingerprint if self.models.embedder else ""

    def _fail(self, partition: Partition, entry_id: str, reason: str) -> None:
        """Record that a turn cannot be formed as things are; it is not tried again unasked."""
        payload = {"id": entry_id, "reason": reason}
        draft = Draft(id=self._clock.new_id(), kind=FORMATION_FAILED, at=self._clock.now(), payload=payload)
        partition.commit(lambda view: () if view.get(PENDING, entry_id) is None else (draft,))

    def _desk(self, user_id: str) -> _Desk:
        with self._lock:
            desk = self._desks.get(user_id)
            if desk is None:
                desk = self._desks[user_id] = _Desk()
            self._desks.move_to_end(user_id)
            while len(self._desks) > USERS:
                self._desks.popitem(last=False)
            return desk

    def _index(self) -> BeliefIndex:
        embedder = self.models.embedder
        model = "" if embedder is None else embedder.fingerprint
        return BeliefIndex(model, self._dimension(), self.calibration())

    def _dimension(self) -> int:
        """How many leading dimensions of a vector are compared. Raises InvalidInput where a vector has fewer."""
        if self.models.embedder is None:
            return 0
        whole, wanted = self.models.embedder.dimension, self.settings.cluster_dimensions
        if not 0 <= wanted <= whole:
            raise InvalidInput(
                f"formation.cluster_dimensions cannot be {wanted}: {self.models.embedder.fingerprint} has {whole}; "
                f"give 0 for all, or a number up to {whole}"
            )
        return wanted or whole


def _is_final(error: Exception) -> bool:
    """Whether the same question would fail again: an answer of no use, or a refusal of this very turn."""
    return isinstance(error, ModelAnswerInvalid | ModelRefused)
