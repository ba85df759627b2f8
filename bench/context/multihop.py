"""Recall of memories that lie one or two hops away from what a question names, at five values of α.

    python bench/context/multihop.py

The set is `data/multihop.psv`, written for this project. No memory that answers shares a word with its question.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from siltstone.context import AgentContext

DATA = Path(__file__).parent / "data" / "multihop.psv"
ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)
FIRST, SECOND = 0.9, 0.8
"""Weights of the edges from what is named, and of those further on."""


class Question(NamedTuple):
    """One line of the set: the way through the graph, the question, and the id of the memory that answers."""

    start: str
    middle: str
    end: str
    text: str
    answer: str
    beside: str

    @property
    def hops(self) -> int:
        """How far the answer lies from what the question names."""
        return 2 if self.middle else 1


def questions() -> list[Question]:
    """The set."""
    rows = (line.split(" | ") for line in DATA.read_text("utf-8").splitlines() if line and not line.startswith("#"))
    return [Question(start, "" if middle == "-" else middle, *rest) for start, middle, *rest in rows]


def edges(found: list[Question]) -> Iterator[dict[str, object]]:
    """The graph of the set: one edge a hop."""
    for item in found:
        way = [name for name in (item.start, item.middle, item.end) if name]
        for place, (source, target) in enumerate(pairwise(way)):
            weight = SECOND if place else FIRST
            yield {"source_id": source, "target_id": target, "type": "about", "weight": weight}


def filled(url: str = "memory://") -> tuple[AgentContext, list[Question], dict[str, str]]:
    """A context that holds the set, the questions, and the id of each answer by its text."""
    agent, found = AgentContext(url), questions()
    agent.graph.add_edges(edges(found))
    texts = dict.fromkeys([*(item.answer for item in found), *(item.beside for item in found)])
    ids = {text: str(agent.store(text)) for text in texts}
    return agent, found, ids


def recall(alpha: float, hops: int | None = None, top_k: int = 5) -> float:
    """The share of questions whose answer is among the first `top_k`."""
    agent, found, ids = filled()
    with agent:
        asked = [item for item in found if hops in (None, item.hops)]
        hits = [
            ids[item.answer]
            in [hit["id"] for hit in agent.retrieve(item.text, top_k, hybrid_alpha=alpha, token_budget=100_000)]
            for item in asked
        ]
    return sum(hits) / len(hits)


def main() -> None:
    """Print the sweep."""
    print(f"{len(questions())} questions, recall@5:")
    for alpha in ALPHAS:
        one, two = recall(alpha, 1), recall(alpha, 2)
        print(f"  alpha {alpha:<5} {recall(alpha):.3f}   one hop {one:.3f}   two hops {two:.3f}")


if __name__ == "__main__":
    main()
