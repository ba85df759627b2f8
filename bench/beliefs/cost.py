"""What forming a turn costs as the pool grows: time of `process` without a model, against the number of clusters.

    python bench/beliefs/cost.py [--pool 4000] [--setting NAME=VALUE ...] [--json out.json] [--plot out.png]

Every turn is a statement on a topic of its own, so that the pool grows by one cluster a turn; the join similarity is
set out of reach for that. Measured on SQLite, durable: the wall's clock and the processor's. Nothing embeds in the
background meanwhile: what a slower model beside the first one makes for a turn would be made after it, in a rest.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from siltstone import Memory

USER = "bench"
WHO = "cousin teacher plumber dentist baker pilot farmer singer judge tailor grocer sailor coach clerk miner".split()
DID = "borrowed painted repaired lost bought sold washed carried found broke planted dropped cleaned moved".split()
WHAT = "bicycle ladder violin kettle carpet lantern umbrella anchor pumpkin mirror blanket trumpet compass".split()
WHERE = "Lisbon Oslo Cairo Lima Quito Dublin Perth Kyoto Sofia Riga Turin Porto Basel Ghent Leeds Malmo".split()
STEPS = (0, 500, 1000, 2000, 3000, 4000)
SAMPLE = 200


def sentence(rng: random.Random, count: int) -> str:
    """A statement that nobody made before."""
    return f"The {rng.choice(WHO)} {rng.choice(DID)} a {rng.choice(WHAT)} in {rng.choice(WHERE)}, number {count}"


def measure(pool: int, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each pool size: milliseconds of one `process`, median and 95th percentile, and CPU."""
    rng, rows = random.Random(7), []
    with tempfile.TemporaryDirectory() as folder:
        options = {"formation__join_similarity": 9.0, "formation__chain_max_distance": 0.001}
        options |= {"embedding__background": False} | settings
        with Memory.open(f"sqlite:///{folder}/memory.db", **options) as memory:
            print("embedder:", memory.embedder.fingerprint if memory.embedder else "none")
            count = 0
            for size in [step for step in STEPS if step <= pool]:
                for _ in range(size - count):
                    count += 1
                    memory.process(sentence(rng, count), user_id=USER)
                wall, cpu = timed(memory, rng, count)
                count += SAMPLE
                rows.append(row(size, wall, cpu))
                print(rows[-1], flush=True)
    return rows


def timed(memory: Memory, rng: random.Random, count: int) -> tuple[list[float], float]:
    """Seconds of each of `SAMPLE` calls, and CPU seconds of one on average."""
    taken, cpu = [], time.process_time()
    for place in range(SAMPLE):
        text = sentence(rng, count + place + 1)
        began = time.perf_counter()
        memory.process(text, user_id=USER)
        taken.append(time.perf_counter() - began)
    return taken, (time.process_time() - cpu) / SAMPLE


def row(size: int, wall: list[float], cpu: float) -> dict[str, Any]:
    """One line of the report."""
    return {
        "clusters": size,
        "median_ms": round(1000 * statistics.median(wall), 2),
        "p95_ms": round(1000 * sorted(wall)[int(0.95 * len(wall))], 2),
        "cpu_ms": round(1000 * cpu, 2),
    }


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """The cost against the size of the pool."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    for name, label in (("median_ms", "median"), ("p95_ms", "95th percentile"), ("cpu_ms", "CPU")):
        axes.plot([item["clusters"] for item in rows], [item[name] for item in rows], marker="o", label=label)
    axes.set(xlabel="clusters in the pool", ylabel="ms for one turn", ylim=(0, None))
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main() -> None:
    """Measure, print, and plot where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pool", type=int, default=4000)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--plot", type=Path, help="draw the plot here (needs matplotlib)")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    rows = measure(options.pool, dict(item.split("=", 1) for item in options.setting))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
