"""The context API beside semantica 0.7.0: store, retrieve, import and memory at several sizes, in one run.

    python bench/context.py --semantica FOLDER [--sizes 1000 5000 10000]

FOLDER is a virtual environment with semantica==0.7.0; `--make` makes it (660 MB). Both sides have the same vectors of 384
numbers from a table; looking one up is no part of a figure. Times are those of the processor's clock, for the machine is
shared; ours on SQLite also by the wall's, since a durable write waits for the disk. The last 200 stores of a size count.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of both sides: the processor's clock counts threads that wait, too
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling the sources anew is no part of an import
import numpy as np
from numpy.typing import NDArray

DIMENSION, TEXTS, QUERIES = 384, 20_000, 41
IMPORTS = (
    "import siltstone.context",
    "from siltstone.context import AgentContext",
    "from siltstone.context import AgentContext; AgentContext('memory://')",  # what the import puts off is loaded here
)
SIDE = Path(__file__).parent / "context" / "semantica_side.py"


class Table:
    """The embedder of both sides: the vector of a text is a row of a table, by the number in it."""

    fingerprint, dimension, inline = f"table/{DIMENSION}", DIMENSION, True
    languages = frozenset[str]()

    def __init__(self) -> None:
        rows = np.random.default_rng(7).normal(size=(TEXTS, DIMENSION)).astype(np.float32)
        self.rows: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same for a query."""
        found: NDArray[np.float32] = self.rows[int(text.split()[1]) % TEXTS]
        return found


def ours(url: str, sizes: Sequence[int]) -> dict[str, Any]:
    """Our figures in this process."""
    from siltstone.assembly import assemble
    from siltstone.context import AgentContext
    from siltstone.memory import Memory

    memory = Memory(replace(assemble(url, {}), embedder=Table(), second=None))
    base = resident()
    agent, figures, number = AgentContext(memory=memory), dict[str, Any](), 0
    for size in sizes:
        costs, walls = list[float](), list[float]()
        while number < size:
            text = f"note {number} about topic{number % 97} and place{number % 89}"
            start, wall = time.process_time(), time.perf_counter()
            agent.store(text, memory_id=f"m{number}")
            costs.append(time.process_time() - start)
            walls.append(time.perf_counter() - wall)
            number += 1
        told = {"store_ms": _mean(costs[-200:]), "store_wall_ms": _mean(walls[-200:]), **_asked(agent)}
        figures[str(size)] = told | {"mb": resident(), "grown_mb": resident() - base}
    memory.close()
    return {"base_mb": base, "sizes": figures}


def _asked(agent: Any) -> dict[str, float]:
    """The median of a retrieval without and with a graph around what is asked."""
    found = {}
    for name in ("retrieve_ms", "retrieve_graph_ms"):
        if name == "retrieve_graph_ms":
            ring = [{"source_id": f"topic{n}", "target_id": f"place{n % 89}", "weight": 0.8} for n in range(97)]
            agent.graph.add_edges(ring)
        costs = []
        for n in range(QUERIES):
            start = time.process_time()
            agent.retrieve(f"note {n} topic{n % 97}", 5, use_graph=name != "retrieve_ms")
            costs.append(time.process_time() - start)
        found[name] = 1000 * sorted(costs)[QUERIES // 2]
    return found


def resident() -> float:
    """The process's resident memory now, in MB. Not its peak: that is the making of the table, or the parent's."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _mean(costs: Sequence[float]) -> float:
    return 1000 * sum(costs) / len(costs)


def imported(statement: str) -> dict[str, float]:
    """The best of three times of an import in a fresh interpreter, after one that compiles what has to be."""
    code = "import time; a, b = time.perf_counter(), time.process_time(); "
    code += statement + "; print(time.perf_counter() - a, time.process_time() - b)"
    runs = [
        [float(part) for part in subprocess.check_output([sys.executable, "-c", code], text=True).split()]
        for _ in range(4)
    ][1:]
    return {"wall_s": min(wall for wall, _ in runs), "cpu_s": min(work for _, work in runs)}


def theirs(folder: Path, sizes: Sequence[int], seconds: int) -> dict[str, Any]:
    """Their figures, from an interpreter of their own."""
    told = {"sizes": list(sizes), "seconds": seconds, "texts": TEXTS, "dimension": DIMENSION, "queries": QUERIES}
    command = [str(folder / "bin" / "python"), str(SIDE), json.dumps(told)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(next(line[4:] for line in out.splitlines() if line.startswith("JSON")))
    return found


def side(url: str, sizes: Sequence[int]) -> dict[str, Any]:
    """Our figures for one store, from a fresh process."""
    command = [sys.executable, __file__, "--ours", url, "--sizes", *map(str, sizes)]
    found: dict[str, Any] = json.loads(subprocess.check_output(command, text=True))
    return found


def main() -> None:
    """Run what the command line asks for and print one JSON line a side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--semantica", type=Path)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 5000, 10_000])
    parser.add_argument("--seconds", type=int, default=1200, help="their stores are broken off after so long")
    parser.add_argument("--ours", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.ours:
        print(json.dumps(ours(told.ours, told.sizes)))
        return
    for statement in IMPORTS:
        print(json.dumps({statement: imported(statement)}))
    with tempfile.TemporaryDirectory() as folder:
        for url in ("memory://", f"sqlite:///{folder}/memory.db"):
            print(json.dumps({url.partition(":")[0]: side(url, told.sizes)}))
    if told.make and told.semantica:
        venv.create(told.semantica, with_pip=True)
        subprocess.run([str(told.semantica / "bin" / "pip"), "install", "-q", "semantica==0.7.0"], check=True)
    if told.semantica:
        print(json.dumps({"semantica 0.7.0": theirs(told.semantica, told.sizes, told.seconds)}))


if __name__ == "__main__":
    main()
