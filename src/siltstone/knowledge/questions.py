"""Questions to a graph: ways between nodes, what depends on what, what led to what, what is central, how much there is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from siltstone.domain.graph import Dependencies, Neighbor, Path
from siltstone.errors import InvalidInput
from siltstone.knowledge.lens import Lens, Step
from siltstone.knowledge.library import digraph, rustworkx
from siltstone.knowledge.walk import FADING, neighbor, reach

DEPENDS = frozenset(
    "depends_on requires needs uses relies_on built_on built_with based_on blocked_by waits_for runs_on imports extends"
    " part_of belongs_to".split()
)
"""Edge types that mean: the source depends on the target."""
DEPENDED = frozenset("blocks enables required_by needed_by used_by supports powers".split())
"""Edge types that mean: the target depends on the source."""
LEADS = frozenset(
    "caused causes led_to leads_to resulted_in results_in triggered triggers produced produces enabled enables created"
    " broke fixed influenced influences".split()
)
"""Edge types that mean: the source led to the target."""
LED = frozenset(
    "caused_by due_to because_of results_from resulted_from triggered_by produced_by created_by follows_from".split()
)
"""Edge types that mean: the target led to the source."""
FOUND = 5000
"""Ways that are compared at most; where there are more of one length, only the best one is looked for."""
BY = ("degree", "pagerank")


class Sided:
    """Steps over edges that mean something in their direction (`along`), or the same against it (`against`)."""

    def __init__(self, lens: Lens, along: frozenset[str], against: frozenset[str]) -> None:
        self.lens = lens
        if lens.way.types:
            along, against = frozenset(lens.way.types), frozenset()
        kinds = list(enumerate(lens.index.edges.kinds))
        self._along = {code for code, kind in kinds if kind in along}
        self._against = {code for code, kind in kinds if kind in against}

    def steps(self, root: int, direction: str) -> Iterator[Step]:
        """The steps that lead on in that direction ("out": along)."""
        kind = self.lens.index.edges.kind
        for step in self.lens.steps(root, "both"):
            if step.edge >= 0:
                wanted = self._along if step.outward == (direction == "out") else self._against
                if kind[step.edge] in wanted:
                    yield step


def dependencies(lens: Lens, root: int) -> Dependencies:
    """What the root depends on, and who depends on it."""
    sided = Sided(lens, DEPENDS, DEPENDED)
    return Dependencies(
        needs=_neighbors(lens, sided, root, "out"),
        needed_by=_neighbors(lens, sided, root, "in"),
    )


def causes(lens: Lens, root: int) -> list[Neighbor]:
    """What led to the root; with direction "out" what it led to; with "both" both."""
    sided = Sided(lens, LEADS, LED)
    sides = ("in", "out") if lens.way.direction == "both" else (lens.way.direction,)
    return [found for side in sides for found in _neighbors(lens, sided, root, side)]


def paths(lens: Lens, source: int, target: int) -> list[Path]:
    """The best ways from source to target of at most `hops` steps: by score, then the shorter, then by ids."""
    way = lens.way
    if source == target:
        return [Path(nodes=(lens.index.nodes[source].id,), relations=(), score=1.0)]
    back = {"out": "in", "in": "out", "both": "both"}[way.direction]
    ahead, behind = _distances(lens, source, way.direction), _distances(lens, target, back)
    found: dict[tuple[int, ...], None] = {}
    for length in range(ahead.get(target, way.hops + 1), way.hops + 1):
        between = [node for node, far in ahead.items() if far + behind.get(node, way.hops + 1) <= length]
        edges = dict.fromkeys(_directed(lens, between))
        few = _count_walks(edges, source, target, length) <= FOUND
        if few or not found:
            found |= dict.fromkeys(_ways(between, edges, (source, target), length if few else 0))
        if not few or len(found) >= (way.limit or FOUND):
            break
    ways = [_path(lens, nodes) for nodes in found]
    ways.sort(key=lambda path: (-path.score, len(path.nodes), path.nodes))
    return ways[: way.limit]


def _ways(
    between: list[int], edges: Iterable[tuple[int, int, float]], ends: tuple[int, int], length: int
) -> list[tuple[int, ...]]:
    """All ways of at most that many steps over these edges; with `length` 0 the one of the best score."""
    library, (graph, numbers) = rustworkx(), digraph(between, edges)
    source, target = (numbers.index(end) for end in ends)
    if length:
        made = library.all_simple_paths(graph, source, target, min_depth=0, cutoff=length + 1)
    else:
        costs = library.dijkstra_shortest_paths(graph, source, target=target, weight_fn=_cost)
        made = [costs[target]] if target in costs else []
    return [tuple(numbers[place] for place in nodes) for nodes in made]


def _cost(weight: float) -> float:
    """What a step takes off the score, as a sum: −ln of its weight and of the fading."""
    return -math.log(min(max(weight, 1e-9), 1.0) * FADING)


def _count_walks(edges: Iterable[tuple[int, int, float]], source: int, target: int, length: int) -> int:
    """How many walks of at most that many steps lead from source to target: at least as many as there are ways."""
    pairs = {(start, end) for start, end, _ in edges}
    counts, total = {source: 1}, 0
    for _ in range(length):
        after: dict[int, int] = {}
        for start, end in pairs:
            if start in counts and start != target:
                after[end] = after.get(end, 0) + counts[start]
        counts = after
        total += counts.get(target, 0)
    return total


def central(lens: Lens, by: str) -> list[tuple[int, float]]:
    """Roots with their degree (edges in both directions) or PageRank (weights count), best first."""
    if by not in BY:
        raise InvalidInput(f"by cannot be {by!r}; choose one of: {', '.join(BY)}")
    scores = _degrees(lens) if by == "degree" else _pageranks(lens)
    return sorted(scores.items(), key=lambda item: (-item[1], lens.index.nodes[item[0]].id))[: lens.way.limit]


def stats(lens: Lens) -> dict[str, Any]:
    """Counts of the nodes and edges that hold, by type, and the share of possible edges that there are."""
    edges, nodes = lens.index.edges, lens.index.nodes
    node_types = Counter(nodes[number].type for number in lens.all_nodes())
    edge_types = Counter(edges.kinds[edges.kind[number]] for number in lens.all_edges())
    count, total = sum(node_types.values()), sum(edge_types.values())
    return {
        "node_count": count,
        "edge_count": total,
        "node_types": dict(sorted(node_types.items())),
        "edge_types": dict(sorted(edge_types.items())),
        "density": total / (count * (count - 1)) if count > 1 else 0.0,
    }


def _neighbors(lens: Lens, sided: Sided, root: int, direction: str) -> tuple[Neighbor, ...]:
    found = reach(sided, [root], lens.way.hops, direction)
    ranked = sorted(found.items(), key=lambda item: (item[1].hop, -item[1].score, item[0]))
    return tuple(neighbor(lens, other, reached) for other, reached in ranked[: lens.way.limit])


def _distances(lens: Lens, start: int, direction: str) -> dict[int, int]:
    """How many steps at least lead to each node within reach."""
    found, frontier = {start: 0}, [start]
    for hop in range(1, lens.way.hops + 1):
        arrived = []
        for root in frontier:
            for step in lens.steps(root, direction):
                if step.other not in found:
                    found[step.other] = hop
                    arrived.append(step.other)
        frontier = arrived
    return found


def _directed(lens: Lens, nodes: list[int]) -> Iterator[tuple[int, int, float]]:
    chosen = set(nodes)
    for node in nodes:
        for step in lens.steps(node, lens.way.direction):
            if step.other in chosen:
                yield node, step.other, step.weight


def _path(lens: Lens, nodes: tuple[int, ...]) -> Path:
    """A way as a value, over the heaviest edge between each two nodes."""
    steps = []
    for node, after in pairwise(nodes):
        found = [step for step in lens.steps(node, lens.way.direction) if step.other == after]
        steps.append((node, max(found, key=lambda step: step.weight)))
    score = FADING ** max(len(steps) - 1, 0)
    for _, step in steps:
        score *= min(max(step.weight, 0.0), 1.0)
    return Path(
        nodes=tuple(lens.index.nodes[node].id for node in nodes),
        relations=tuple(lens.relation(step, node) for node, step in steps),
        score=score,
    )


def _degrees(lens: Lens) -> dict[int, float]:
    degrees: dict[int, float] = dict.fromkeys(lens.all_nodes(), 0.0)
    edges, root = lens.index.edges, lens.index.identity.root
    for number in lens.all_edges():
        for end in (root[edges.source[number]], root[edges.target[number]]):
            degrees[end] = degrees.get(end, 0.0) + 1
    return degrees


def _pageranks(lens: Lens) -> dict[int, float]:
    edges, root = lens.index.edges, lens.index.identity.root
    ends = ((root[edges.source[n]], root[edges.target[n]], edges.weight[n]) for n in lens.all_edges())
    graph, numbers = digraph(lens.all_nodes(), ends)
    if not numbers:
        return {}
    ranks = rustworkx().pagerank(graph, weight_fn=float)
    return {numbers[place]: float(rank) for place, rank in ranks.items()}
