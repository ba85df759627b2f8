"""Chains: a new episode joins the chain on its topic, or founds one; within a chain a contradiction supersedes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from siltstone.domain.beliefs import CHAIN, CLUSTER, CONTRADICTS, EPISODE, NEW, SAME_TOPIC, derived_id
from siltstone.domain.events import EPISODE_CHAINED
from siltstone.domain.records import Record
from siltstone.formation.cues import marks_change
from siltstone.formation.index import Group, Near
from siltstone.formation.oracle import RELATE, Oracle
from siltstone.formation.plan import Plan
from siltstone.formation.pool import absorb, united

COMPARED = 6
"""Episodes of a chain, newest first, that a new one is held against."""
CLASH = 0.5
"""Likelihood of a contradiction from which the older of two episodes no longer holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """From which likeness an episode joins a chain. Within `band` around it a completion model has the last word."""

    join: float
    band: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Which chain an episode belongs to, why, and which episodes no longer hold: (superseded, by)."""

    chain_id: str
    kind: str
    likeness: float | None = None
    supersedes: Sequence[tuple[str, str]] = field(default_factory=tuple)


def assign(plan: Plan, episode: Record, oracle: Oracle, gate: Gate) -> None:
    """Chain the episode, and let the pool's clusters on its topic speak for the chain."""
    decision = decide(plan, episode, oracle, gate)
    pairs = [{"id": old, "by": by} for old, by in decision.supersedes]
    scores = {} if decision.likeness is None else {"likeness": round(decision.likeness, 4)}
    payload = {"chain_id": decision.chain_id, "decision": decision.kind, "scores": scores, "supersedes": pairs}
    plan.add(EPISODE_CHAINED, {"id": episode.id, **payload})
    chain = plan.index.group(CHAIN, decision.chain_id)
    if chain is not None:
        near = plan.index.nearest(plan.index.probe(episode.body["text"]), (CLUSTER, CHAIN))
        absorb(plan, chain, near, gate.join)
        united(plan, chain, near, gate.join)


def move(plan: Plan, episode: Record, chain_id: str, oracle: Oracle) -> None:
    """Put an episode that proves to be on another topic into that chain, in which it may supersede, or be superseded."""
    group = plan.index.group(CHAIN, chain_id)
    others = [] if group is None else [other for other in holding(plan, group) if other.id != episode.id]
    pairs = superseded(episode, others, oracle)
    kind = CONTRADICTS if pairs else SAME_TOPIC if others else NEW
    found = [{"id": old, "by": by} for old, by in pairs]
    plan.add(
        EPISODE_CHAINED, {"id": episode.id, "chain_id": chain_id, "decision": kind, "scores": {}, "supersedes": found}
    )


def decide(plan: Plan, episode: Record, oracle: Oracle, gate: Gate) -> Decision:
    """Where the episode belongs. Raises Unanswered where a model has to say whether two texts share a topic."""
    near = plan.index.nearest(plan.index.probe(episode.body["text"]), (CHAIN,))
    best = near[0] if near else None
    if best is None or not _is_same_topic(plan, episode, best, oracle, gate):
        return Decision(chain_id=derived_id(episode.id, CHAIN), kind=NEW, likeness=best.likeness if best else None)
    pairs = superseded(episode, holding(plan, best.group), oracle)
    kind = CONTRADICTS if pairs else SAME_TOPIC
    return Decision(chain_id=best.group.id, kind=kind, likeness=best.likeness, supersedes=pairs)


def holding(plan: Plan, chain: Group) -> list[Record]:
    """The chain's findable episodes that nothing supersedes, newest first."""
    record = plan.get(CHAIN, chain.id)
    ids = record.body["episodes"] if record is not None else ()
    found = [episode for episode in (plan.get(EPISODE, episode_id) for episode_id in ids) if episode is not None]
    return [episode for episode in reversed(found) if episode.live and "superseded_by" not in episode.body]


def superseded(episode: Record, others: Sequence[Record], oracle: Oracle) -> list[tuple[str, str]]:
    """Which of two contradicting episodes no longer holds: the one whose evidence is older."""
    pairs = []
    for other in others[:COMPARED]:
        older, newer = sorted((other, episode), key=lambda item: (item.body["occurred_at"], item.origin, item.id))
        if takes_back(older.body["text"], newer.body["text"], oracle):
            pairs.append((older.id, newer.id))
    return pairs


def takes_back(earlier: str, later: str, oracle: Oracle) -> bool:
    """Whether the later of two statements of one chain means that the earlier no longer holds."""
    return clashes(earlier, later, oracle) or (marks_change(later) and not marks_change(earlier))


def clashes(first: str, second: str, oracle: Oracle) -> bool:
    """Whether both cannot hold: judged in both directions, the likelier counts."""
    verdicts = [oracle.verdict(first, second), oracle.verdict(second, first)]
    return max((verdict.contradiction for verdict in verdicts if verdict is not None), default=0.0) >= CLASH


def _is_same_topic(plan: Plan, episode: Record, best: Near, oracle: Oracle, gate: Gate) -> bool:
    newest = holding(plan, best.group)[:1]
    if not newest or abs(best.likeness - gate.join) > gate.band:
        return best.likeness >= gate.join
    said = oracle.said(RELATE, episode.body["text"], newest[0].body["text"])
    return best.likeness >= gate.join if said is None else bool(said)
