"""What the tests of the graph share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from siltstone import Memory

ANA = "ana"


def keep(memory: Memory, *texts: str, **told: Any) -> list[str]:
    """Keep the texts and read them by the rules; answers their ids."""
    ids = [memory.add(text, user_id=ANA, **told).id for text in texts]
    memory.graph.extract(user_id=ANA, by="rules")
    return ids


def ids(memory: Memory, node_id: str, **walk: Any) -> list[str]:
    """The ids of a node's neighbours, in order."""
    return [found.entity.id for found in memory.graph.neighbors(node_id, user_id=ANA, **walk)]


def nodes(memory: Memory) -> set[str]:
    """The ids of all nodes."""
    return {node.id for node in memory.graph.nodes(user_id=ANA)}


def chain(memory: Memory, names: Sequence[str], kind: str = "leads_to", **edge: Any) -> None:
    """Put an edge from each of the nodes to the next."""
    edges = [{"source": a, "target": b, "type": kind, **edge} for a, b in pairwise(names)]
    memory.graph.add(user_id=ANA, edges=edges)
