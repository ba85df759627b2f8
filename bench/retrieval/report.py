"""What every retrieval benchmark prints and records in the same way: the table of one system, times, memory."""

from __future__ import annotations

import resource
import statistics
from collections.abc import Mapping, Sequence

KEYS = ("any@1", "any@5", "any@10", "fraction@5", "fraction@10", "fraction@25", "all@10", "mrr")
Means = Mapping[str, Mapping[str, float]]
"""Group → metric → mean over its questions, with `n`."""


def table(title: str, groups: Means, *, keys: Sequence[str] = KEYS, names: Mapping[str, str] | None = None) -> None:
    """Print one system's rows, in percent; `names` gives groups another name."""
    called = {group: (names or {}).get(group, group) for group in groups}
    width = max(14, *map(len, called.values()))
    print(f"\n{title}\n{'':<{width}}{'n':>6}" + "".join(f"{key:>13}" for key in keys))
    for group, row in groups.items():
        print(f"{called[group]:<{width}}{row['n']:>6}" + "".join(f"{100 * row[key]:>13.1f}" for key in keys))


def spread(times: Sequence[float]) -> dict[str, float]:
    """`p50` and `p95` of some times, in their unit; 0 where there are none."""
    ordered = sorted(times)
    if not ordered:
        return {"p50": 0.0, "p95": 0.0}
    return {"p50": statistics.median(ordered), "p95": ordered[int(0.95 * len(ordered))]}


def peak_memory_mb() -> float:
    """The most memory that this process has held so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
