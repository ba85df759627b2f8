"""One turn through the stages: gate, pool or promote, chain. Values in, events out; nothing outside is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from siltstone.domain.beliefs import CLUSTER, EPISODE, SEGMENT, derived_id
from siltstone.domain.events import EPISODE_FORMED, TURN_DECOMPOSED
from siltstone.domain.records import Record
from siltstone.formation import chain, pool, promote, regroup
from siltstone.formation.closer import Sight
from siltstone.formation.gate import is_vivid
from siltstone.formation.index import Group
from siltstone.formation.linkage import Reach
from siltstone.formation.oracle import SUMMARIZE, Oracle
from siltstone.formation.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The thresholds of formation, as they are in force."""

    threshold: float
    promote: float
    minimum: int
    join: float
    topic: float
    gate: chain.Gate
    linkage: Reach


ROUNDS = 3
"""How often consolidation looks again at most."""
Stage = Callable[[Plan, Oracle, Rules], None]
"""A decision: it adds events to the plan."""


def turn(plan: Plan, decomposed: dict[str, Any], oracle: Oracle, rules: Rules) -> None:
    """Form one turn: every statement passes the gate and finds its place."""
    plan.add(TURN_DECOMPOSED, decomposed)
    for segment in decomposed["segments"]:
        statement = plan.get(SEGMENT, segment["id"])
        if statement is None:
            continue
        if is_vivid(statement.body["intensity"], rules.threshold):
            vivid(plan, statement, oracle, rules)
        else:
            cluster = pool.place(plan, statement, rules.join, rules.topic)
            if cluster is not None:
                promoted(plan, cluster, oracle, rules)


def vivid(plan: Plan, statement: Record, oracle: Oracle, rules: Rules) -> None:
    """A vivid statement is an episode at once."""
    body = statement.body
    episode_id = derived_id(statement.id, EPISODE)
    payload = {
        "vivid": True,
        "segments": [statement.id],
        "entries": [body["entry_id"]],
        "speaks_by": statement.id,
        "confidence": body["intensity"],
        "valence": body["valence"],
    }
    _formed(plan, episode_id, payload, oracle, rules)


def promoted(plan: Plan, cluster: Group, oracle: Oracle, rules: Rules) -> str | None:
    """Make the cluster an episode where it has gathered enough; answers the episode's id."""
    statements = [plan.index.statements[statement_id] for statement_id in cluster.members]
    entries = list(dict.fromkeys(statement.body["entry_id"] for statement in statements))
    mean = promote.mean([statement.body["intensity"] for statement in statements])
    if not promote.is_due(len(entries), mean, threshold=rules.promote, minimum=rules.minimum):
        return None
    payload = {
        "vivid": False,
        "segments": [statement.id for statement in statements],
        "entries": entries,
        "speaks_by": spokesman(plan, statements),
        "confidence": mean,
        "valence": promote.valence(statement.body["valence"] for statement in statements),
        "cluster_id": cluster.id,
        "score": round(promote.score(len(entries), mean), 4),
    }
    episode_id = derived_id(cluster.id, len(statements), CLUSTER)
    _formed(plan, episode_id, payload | _written(statements, oracle), oracle, rules)
    return episode_id


def consolidated(plan: Plan, oracle: Oracle, rules: Rules, sights: Sequence[Sight] = ()) -> list[str]:
    """Group everything anew and promote what is due, in turn until nothing changes; answers the episodes made.

    A promotion is decided by the nearest groups, like all that happens in a turn, so that it may call for another look.
    """
    made: list[str] = []
    for _ in range(ROUNDS):
        before = len(plan.drafts)
        regrouped(plan, oracle, rules, sights)
        groups = [group for group in plan.index.groups.values() if group.kind == CLUSTER and group.live]
        for group in sorted(groups, key=lambda group: (group.origin, group.id)):
            episode_id = promoted(plan, group, oracle, rules) if group.live else None
            made += [episode_id] if episode_id else []
        if len(plan.drafts) == before:
            break
    return [episode_id for episode_id in made if plan.get(EPISODE, episode_id) is not None]


def regrouped(plan: Plan, oracle: Oracle, rules: Rules, sights: Sequence[Sight]) -> None:
    """Group all statements and episodes anew by rules. Where a completion model decided on chains, nothing moves."""
    if oracle.model is not None:
        return
    found = regroup.topics(plan.index, rules.linkage, plan.seq, sights)
    regroup.dissolved(plan, found)
    for episode, chain_id in list(regroup.strays(plan, found)):
        chain.move(plan, plan.get(EPISODE, episode.id) or episode, chain_id, oracle)
    regroup.emptied(plan, found)
    regroup.moved(plan, found)


def spokesman(plan: Plan, statements: Sequence[Record]) -> str:
    """The statement whose words stand for a cluster that no model summarised: the most central, the newest of equals."""
    probes = [plan.index.probe(statement.body["text"]) for statement in statements]
    vectors = [probe.vector for probe in probes if probe.vector is not None]
    middle = sum(vectors) if vectors else None
    ranked = [
        (round(float(probe.vector @ middle), 4) if probe.vector is not None and middle is not None else 0.0, place)
        for place, probe in enumerate(probes)
    ]
    return statements[max(ranked)[1]].id


def _written(statements: Sequence[Record], oracle: Oracle) -> dict[str, str]:
    said = oracle.said(SUMMARIZE, *(statement.body["text"] for statement in statements))
    return {} if not said or oracle.model is None else {"text": said, "written_by": oracle.model.name}


def _formed(plan: Plan, episode_id: str, payload: dict[str, Any], oracle: Oracle, rules: Rules) -> None:
    plan.add(EPISODE_FORMED, {"id": episode_id, **payload})
    episode = plan.get(EPISODE, episode_id)
    if episode is not None:
        chain.assign(plan, episode, oracle, rules.gate)
