"""The pool: a weak statement joins the group it is most like, or founds a cluster of its own.

Leader clustering: each statement is compared with the groups once, when it comes. Two clusters that a newcomer shows
to be one are merged then, which mends early splits. Ties go to the older group, so that the outcome is repeatable.
"""

from __future__ import annotations

from siltstone.domain.beliefs import CHAIN, CLUSTER, derived_id
from siltstone.domain.events import CLUSTERS_MERGED, SEGMENT_POOLED, SEGMENT_REINFORCED
from siltstone.domain.records import Record
from siltstone.formation.index import Group, Near
from siltstone.formation.likeness import likeness
from siltstone.formation.plan import Plan


def place(plan: Plan, statement: Record, join: float) -> Group | None:
    """Put a weak statement where it belongs. Answers the cluster it is in now; None where it speaks for a chain."""
    near = plan.index.nearest(plan.index.probe(statement.body["text"]), (CLUSTER, CHAIN))
    if near and near[0].likeness >= join and near[0].group.kind == CHAIN:
        reinforce(plan, statement.id, near[0])
        return None
    joined = next((item for item in near if item.likeness >= join and item.group.kind == CLUSTER), None)
    cluster_id = joined.group.id if joined else derived_id(statement.id, CLUSTER)
    payload = {"cluster_id": cluster_id, "similarity": round(joined.likeness, 4) if joined else None}
    plan.add(SEGMENT_POOLED, {"id": statement.id, "entry_id": statement.body["entry_id"], **payload})
    group = plan.index.group(CLUSTER, cluster_id)
    return merged(plan, group, near, join) if joined and group else group


def reinforce(plan: Plan, statement_id: str, near: Near) -> None:
    """Count a weak statement as evidence for a chain."""
    statement = plan.index.statements[statement_id]
    payload = {"chain_id": near.group.id, "similarity": round(near.likeness, 4)}
    plan.add(SEGMENT_REINFORCED, {"id": statement.id, "entry_id": statement.body["entry_id"], **payload})


def merged(plan: Plan, cluster: Group, near: list[Near], join: float) -> Group:
    """The cluster, after it took in the next nearest one where both turned out to be one topic."""
    for other in (item.group for item in near if item.likeness >= join and item.group.kind == CLUSTER):
        if other.id != cluster.id and other.live and alike(plan, cluster, other) >= join:
            older, younger = sorted((cluster, other), key=lambda group: (group.origin, group.id))
            plan.add(CLUSTERS_MERGED, {"id": older.id, "from": younger.id, "segments": list(younger.members)})
            return older
    return cluster


def alike(plan: Plan, first: Group, second: Group) -> float:
    """How like two groups are: the mean likeness of the first's members to the second."""
    index = plan.index
    members = index.probes(second)
    each = [likeness(probe, members, index.words, index.weights) for probe in index.probes(first)]
    return sum(each) / len(each) if each else -1.0
