"""The other side of `bench/context.py`: run by the interpreter of an environment that has semantica, prints JSON.

Every store is given its id: with automatic ids each costs seconds from some hundred items on. One such store is measured at
each size.
Entities are not extracted. Embedding is a look-up in a table made before, and is not in any figure.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Store and ask as told on the command line."""
    told = json.loads(sys.argv[1])
    began, work = time.perf_counter(), time.process_time()
    from semantica.context import AgentContext  # type: ignore[import-not-found]

    imported = {"wall_s": time.perf_counter() - began, "cpu_s": time.process_time() - work}
    import numpy as np
    from semantica.vector_store import VectorStore  # type: ignore[import-not-found]

    table = np.random.default_rng(7).normal(size=(told["texts"], told["dimension"])).astype(np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    store = VectorStore(backend="inmemory", dimension=told["dimension"])
    store.embed = lambda text, *_: table[int(text.split()[1]) % len(table)]
    began, work = time.perf_counter(), time.process_time()
    AgentContext(vector_store=VectorStore(backend="inmemory", dimension=told["dimension"]))
    opened = {"wall_s": time.perf_counter() - began, "cpu_s": time.process_time() - work}
    base = told["base"] = resident()
    agent = AgentContext(vector_store=store, retention_days=0, max_memories=1_000_000)
    figures: dict[str, Any] = {"import": imported, "opened": opened, "base_mb": base, "sizes": {}}
    number = 0
    for size in told["sizes"]:
        number, figures["sizes"][str(size)] = grown(agent, number, size, told)
        if number < size or time.perf_counter() - began > told["seconds"]:
            break
    print("JSON" + json.dumps(figures))


def resident() -> float:
    """As on our side: resident memory now, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def grown(agent: Any, number: int, size: int, told: dict[str, Any]) -> tuple[int, dict[str, float]]:
    """Store up to `size` items, ask; how far it came, and the figures there."""
    costs, began = [], time.perf_counter()
    while number < size and time.perf_counter() - began < told["seconds"]:
        text = f"note {number} about topic{number % 97} and place{number % 89}"
        start = time.process_time()
        agent.store(text, memory_id=f"m{number}", extract_entities=False, extract_relationships=False)
        costs.append(time.process_time() - start)
        number += 1
    asked = []
    for n in range(told["queries"]):
        start = time.process_time()
        agent.retrieve(f"note {n} topic{n % 97}", max_results=5)
        asked.append(time.process_time() - start)
    start = time.process_time()
    agent.store(f"note {number} kept without an id", extract_entities=False, extract_relationships=False)
    return number, {
        "items": number,
        "store_ms": 1000 * sum(costs[-200:]) / len(costs[-200:]),
        "store_automatic_id_ms": 1000 * (time.process_time() - start),
        "retrieve_ms": 1000 * sorted(asked)[len(asked) // 2],
        "mb": resident(),
        "grown_mb": resident() - told["base"],
    }


if __name__ == "__main__":
    main()
