"""The diagnosis of a user's beliefs: what formation sees, as plain JSON."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from siltstone.domain.beliefs import CHAIN, CLUSTER
from siltstone.formation import promote
from siltstone.formation.index import BeliefIndex, Group
from siltstone.formation.likeness import pair
from siltstone.formation.stages import Rules

PAIRS = 400
"""Pairs of chains whose distance is reported: those of the newest."""


def report(index: BeliefIndex, rules: Rules, theta: float | None) -> dict[str, Any]:
    """Thresholds, every cluster with its score and nearest groups, every chain, and what `theta` would change."""
    clusters = [cluster(index, group, rules) for group in _live(index, CLUSTER)]
    found: dict[str, Any] = {
        "thresholds": thresholds(rules),
        "embedder": index.model,
        "clusters": clusters,
        "chains": [chain(index, group) for group in _live(index, CHAIN)],
        "distances": distances(index),
    }
    if theta is not None:
        due = [item["id"] for item in clusters if item["turns"] >= rules.minimum and item["score"] > theta]
        now = [item["id"] for item in clusters if item["due"]]
        found["at"] = {
            "theta": theta,
            "promoted": due,
            "more": sorted(set(due) - set(now)),
            "fewer": sorted(set(now) - set(due)),
        }
    return found


def thresholds(rules: Rules) -> dict[str, float]:
    """The thresholds in force, by name."""
    return {
        "episodic": rules.threshold,
        "promote": rules.promote,
        "cluster_min_size": rules.minimum,
        "join_similarity": round(rules.join, 4),
        "topic_similarity": round(rules.topic, 4),
        "chain_max_distance": round(1 - rules.gate.join, 4),
    }


def cluster(index: BeliefIndex, group: Group, rules: Rules) -> dict[str, Any]:
    """One cluster: its statements, promotion score, and how far the nearest other groups are."""
    statements = [index.statements[statement_id] for statement_id in group.members]
    turns = len({statement.body["entry_id"] for statement in statements})
    mean = promote.mean([statement.body["intensity"] for statement in statements])
    return {
        "id": group.id,
        "n": len(statements),
        "turns": turns,
        "mean_intensity": mean,
        "score": round(promote.score(turns, mean), 4),
        "due": promote.is_due(turns, mean, threshold=rules.promote, minimum=rules.minimum),
        "statements": [statement.body["text"] for statement in statements],
        "nearest": nearest(index, group),
    }


def chain(index: BeliefIndex, group: Group) -> dict[str, Any]:
    """One chain: its statements."""
    texts = [index.statements[statement_id].body["text"] for statement_id in group.members]
    return {"id": group.id, "n": len(texts), "statements": texts}


def nearest(index: BeliefIndex, group: Group) -> list[dict[str, Any]]:
    """The groups nearest to a cluster's newest statement, itself left out, as kind, id and distance."""
    members = index.members(group)
    found = index.nearest(members[-1].probe, (CLUSTER, CHAIN)) if members else []
    others = [item for item in found if item.group.id != group.id]
    return [
        {"kind": item.group.kind, "id": item.group.id, "distance": round(1 - item.likeness, 4)} for item in others[:3]
    ]


def neighbours(index: BeliefIndex, chain_id: str, rules: Rules) -> list[tuple[str, float]]:
    """The other chains that its newest statement is half as like as to its own, nearest first, with distances."""
    group = index.group(CHAIN, chain_id)
    members = index.members(group) if group is not None else []
    near = index.nearest(members[-1].probe, (CHAIN,)) if members else []
    found = [item for item in near if item.group.id != chain_id and item.likeness >= rules.gate.join / 2]
    return [(item.group.id, round(1 - item.likeness, 4)) for item in found[:3]]


def distances(index: BeliefIndex) -> list[dict[str, Any]]:
    """The distance of the newest statements of each two chains, nearest first."""
    groups = [group for group in _live(index, CHAIN) if group.members][-30:]
    found = [
        {"first": a.id, "second": b.id, "distance": round(1 - _like(index, a, b), 4)}
        for a, b in combinations(groups, 2)
    ]
    return sorted(found, key=lambda item: (item["distance"], item["first"], item["second"]))[:PAIRS]


def _like(index: BeliefIndex, first: Group, second: Group) -> float:
    return pair(index.members(first)[-1], index.members(second)[-1], index.weights)


def _live(index: BeliefIndex, kind: str) -> list[Group]:
    found = [group for group in index.groups.values() if group.kind == kind and group.live]
    return sorted(found, key=lambda group: (group.origin, group.id))
