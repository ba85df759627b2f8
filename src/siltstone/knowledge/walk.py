"""Walks: what lies within some steps of a node, how near, and over which edges.

A node's score is the best, over all ways to it of at most `hops` edges, of the product of their weights, each clipped to
[0, 1], times 0.5 for each step after the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from siltstone.domain.graph import Neighbor
from siltstone.knowledge.lens import Lens, Step

FADING = 0.5


class Reached(NamedTuple):
    """How a root was reached: in how many steps at least, its score, its last step and the way that gave the score."""

    hop: int
    score: float
    step: Step
    way: tuple[int, ...]


class Steps(Protocol):
    """What a walk goes over."""

    def steps(self, root: int, direction: str) -> Iterator[Step]:
        """The edges that lead on from this root in that direction."""
        ...


def reach(lens: Steps, starts: Iterable[int], hops: int, direction: str) -> dict[int, Reached]:
    """Every root within that many steps of the starts, the starts left out, in order of first arrival."""
    frontier: dict[int, tuple[float, tuple[int, ...]]] = {start: (1.0, (start,)) for start in starts}
    best, found = dict.fromkeys(frontier, 1.0), dict[int, Reached]()
    for hop in range(1, hops + 1):
        arrived: dict[int, tuple[float, tuple[int, ...]]] = {}
        for root, (product, way) in frontier.items():
            for step in lens.steps(root, direction):
                weight = step.weight
                reached = product if weight >= 1 else product * weight if weight > 0 else 0.0
                if reached <= best.get(step.other, -1.0):
                    continue
                best[step.other] = reached
                arrived[step.other] = (reached, (*way, step.other))
                score, known = reached * FADING ** (hop - 1), found.get(step.other)
                if known is None:
                    found[step.other] = Reached(hop, score, step, arrived[step.other][1])
                elif score > known.score:
                    found[step.other] = Reached(known.hop, score, step, arrived[step.other][1])
        frontier = arrived
    return found


def neighbors(lens: Lens, starts: Iterable[int], hops: int, direction: str) -> tuple[Neighbor, ...]:
    """The same as values: nearest first, then by score, then in order of arrival; cut to the lens's limit."""
    found = reach(lens, starts, hops, direction)
    ranked = sorted(found.items(), key=lambda item: (item[1].hop, -item[1].score, item[0]))
    return tuple(neighbor(lens, root, reached) for root, reached in ranked[: lens.way.limit])


def neighbor(lens: Lens, root: int, reached: Reached) -> Neighbor:
    """One reached root as a value."""
    nodes, step = lens.index.nodes, reached.step
    return Neighbor(
        entity=lens.entity(root),
        hop=reached.hop,
        score=reached.score,
        relation=lens.relation(step, reached.way[-2]),
        path=tuple(nodes[number].id for number in reached.way),
    )
