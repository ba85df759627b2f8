"""Measure a large graph: how quickly nodes and edges are put, and how long a two-hop walk takes.

Figures by the processor's clock stand beside those by the wall's: on a machine that others use, only they are the program's.
Edges are drawn evenly, or with a few busy nodes (`--skew`: the target is the square of an even draw). A bare insert of as
many rows into the same kind of database stands beside every figure.

    python bench/knowledge/graph.py --nodes 100000 --edges 500000
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from siltstone import Memory

USER = "someone"
WALKS = 300


def drawn(random_: random.Random, count: int, skew: bool) -> int:
    """A node's number."""
    return int(count * random_.random() ** 2) if skew else random_.randrange(count)


def bare(folder: Path, rows: int) -> float:
    """Rows a second of a bare insert in one transaction."""
    connection = sqlite3.connect(folder / "bare.db")
    connection.execute("CREATE TABLE edge (id TEXT PRIMARY KEY, source TEXT, target TEXT, type TEXT)")
    data = [(f"{n:032x}", f"n{n}", f"n{n + 1}", "rel") for n in range(rows)]
    began = time.perf_counter()
    with connection:
        connection.executemany("INSERT INTO edge VALUES (?, ?, ?, ?)", data)
    return rows / (time.perf_counter() - began)


def measured(memory: Memory, nodes: int, edges: int, skew: bool) -> dict[str, Any]:
    """The figures of one store."""
    random_ = random.Random(7)
    told = [{"id": f"n{n}", "type": "concept", "name": f"node {n}"} for n in range(nodes)]
    pairs = [
        {"source": f"n{random_.randrange(nodes)}", "target": f"n{drawn(random_, nodes, skew)}", "type": "rel"}
        for _ in range(edges)
    ]
    began = time.perf_counter()
    memory.graph.add(user_id=USER, nodes=told)
    put_nodes = time.perf_counter() - began
    began, spent = time.perf_counter(), time.process_time()
    memory.graph.add(user_id=USER, edges=pairs)
    put_edges, spent_edges = time.perf_counter() - began, time.process_time() - spent
    times, sizes = [], []
    spent = time.process_time()
    for _ in range(WALKS):
        start = f"n{random_.randrange(nodes)}"
        began = time.perf_counter()
        sizes.append(len(memory.graph.neighbors(start, user_id=USER, hops=2)))
        times.append(1000 * (time.perf_counter() - began))
    spent_walks = time.process_time() - spent
    return {
        "nodes_per_second": round(nodes / put_nodes),
        "edges_per_second": round(edges / put_edges),
        "edges_per_cpu_second": round(edges / spent_edges),
        "two_hops_cpu_ms": {"mean": round(1000 * spent_walks / WALKS, 2)},
        "two_hops_ms": {
            "median": round(statistics.median(times), 2),
            "p95": round(sorted(times)[int(0.95 * WALKS)], 2),
        },
        "neighbours": {"median": int(statistics.median(sizes)), "most": max(sizes)},
    }


def main() -> None:
    """Print the figures of the embedded store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=500_000)
    parser.add_argument("--skew", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/graph.db"
        with Memory.open(url, embedding__provider="none") as memory:
            report = measured(memory, arguments.nodes, arguments.edges, arguments.skew)
        report["bare_rows_per_second"] = round(bare(Path(folder), arguments.edges))
        with Memory.open(url, embedding__provider="none") as memory:
            began = time.perf_counter()
            memory.graph.get("n1", user_id=USER)
            report["first_question_s"] = round(time.perf_counter() - began, 2)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
