"""The pool: a weak statement joins the group it is most like, or founds a cluster of its own.

Leader clustering: each statement is compared with the groups once, when it comes. Two clusters that a newcomer shows
to be one are merged then, which mends early splits. Ties go to the older group, so that the outcome is repeatable.
"""

from __future__ import annotations

from collections.abc import Sequence

from siltstone.domain.beliefs import CHAIN, CLUSTER, derived_id
from siltstone.domain.events import CHAINS_MERGED, CLUSTERS_MERGED, SEGMENT_POOLED, SEGMENT_REINFORCED
from siltstone.domain.records import Record
from siltstone.formation.index import Group, Near
from siltstone.formation.plan import Plan


def place(plan: Plan, statement: Record, join: float, topic: float) -> Group | None:
    """Put a weak statement where it belongs. Answers the cluster it is in now; None where it speaks for a chain."""
    near = plan.index.nearest(plan.index.probe(statement.body["text"]), (CLUSTER, CHAIN))
    if near and near[0].likeness >= topic and near[0].group.kind == CHAIN:
        reinforce(plan, statement.id, near[0])
        absorb(plan, near[0].group, near[1:], join)
        united(plan, near[0].group, near[1:], join)
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


def absorb(plan: Plan, chain: Group, near: Sequence[Near], join: float) -> None:
    """Clusters near a statement of the chain that prove to be on its topic become evidence for it."""
    for item in near:
        if item.likeness >= join and item.group.kind == CLUSTER:
            like = alike(plan, item.group, chain)
            if like >= join:
                for statement_id in tuple(item.group.members):
                    reinforce(plan, statement_id, Near(group=chain, likeness=like))


def united(plan: Plan, chain: Group, near: Sequence[Near], join: float) -> None:
    """Two chains that a newcomer shows to be one become one: the older stays."""
    for item in near:
        other = item.group
        is_other = other.kind == CHAIN and other.live and other.id != chain.id
        if is_other and item.likeness >= join and alike(plan, chain, other) >= join:
            older, younger = sorted((chain, other), key=lambda group: (group.origin, group.id))
            plan.add(CHAINS_MERGED, {"id": older.id, "from": younger.id, **plan.index.parts(younger)})
            return


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
    each = [plan.index.like(weighed, second) for weighed in plan.index.members(first)]
    return sum(each) / len(each) if each else -1.0
