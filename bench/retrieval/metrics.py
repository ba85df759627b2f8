"""Retrieval metrics: pure arithmetic over a ranking and a gold set. The same code serves every data set."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

CUTS = (1, 5, 10, 25, 50)
MRR_DEPTH = 50


def score(ranking: Sequence[str], gold: set[str], cuts: Sequence[int] = CUTS) -> dict[str, float]:
    """any@k, fraction@k, all@k for each k, and MRR, of one question. `gold` must not be empty."""
    if not gold:
        raise ValueError("a question without gold units cannot be scored; leave it out")
    values: dict[str, float] = {}
    for k in cuts:
        found = len(gold & set(ranking[:k]))
        values |= {
            f"any@{k}": float(found > 0),
            f"fraction@{k}": found / len(gold),
            f"all@{k}": float(found == len(gold)),
        }
    first = next((place for place, unit in enumerate(ranking[:MRR_DEPTH], 1) if unit in gold), 0)
    return values | {"mrr": 1 / first if first else 0.0}


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The micro average over questions, with `n`."""
    if not rows:
        return {"n": 0}
    return {key: sum(row[key] for row in rows) / len(rows) for key in rows[0]} | {"n": len(rows)}


def bootstrap(
    ours: Sequence[float], theirs: Sequence[float], draws: int = 2000, seed: int = 7
) -> tuple[float, float, float]:
    """Paired bootstrap over questions: (difference of means, lower, upper bound of its 95 % interval)."""
    gaps = [a - b for a, b in zip(ours, theirs, strict=True)]
    chance = random.Random(seed)
    means = sorted(sum(chance.choices(gaps, k=len(gaps))) / len(gaps) for _ in range(draws))
    return sum(gaps) / len(gaps), means[int(0.025 * draws)], means[int(0.975 * draws)]
