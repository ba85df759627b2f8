"""One user's memories on SQLite, Redis and FalkorDB in one run: adding, recalling, starting cold. No model is asked.

    python bench/stores/servers.py --entries 10000 --stores sqlite redis [--json out.json]

Servers are started from the files that `.ci/servers` fetched, with an append-only file and fsync on every write; SQLite
syncs every commit. Milliseconds of wall time at the median and p95; the entries come in batches of 250 before.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from servers import running
from siltstone import Memory

USER, SEED, BATCH = "ana", 20, 250
SYLLABLES = "ka lo mi ter ven do sa ri pol ne tu ga shi bor el am fi zu hen cro wi ya dre mo pla".split()


def words(chance: Random, count: int) -> list[str]:
    """Made-up words; the same seed gives the same ones."""
    return ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(count)]


def texts(count: int) -> list[str]:
    """Sentences of 12 words whose frequencies fall off as those of a language do."""
    chance = Random(SEED)
    known = words(chance, 20_000)
    weights = [1 / (rank + 3) for rank in range(len(known))]
    return [" ".join(chance.choices(known, weights, k=12)) for _ in range(count)]


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that it takes."""
    begun = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - begun)


def spread(samples: list[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    ordered = sorted(samples)
    return {"p50": round(statistics.median(ordered), 2), "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 2)}


@contextmanager
def place(store: str) -> Iterator[str]:
    """The URL of an empty store of that kind."""
    with ExitStack() as stack:
        if store == "sqlite":
            yield f"sqlite:///{stack.enter_context(tempfile.TemporaryDirectory())}/memory.db"
        else:
            module = "SILTSTONE_TEST_REDISEARCH" if store == "redis" else "SILTSTONE_TEST_FALKORDB"
            yield stack.enter_context(running(modules=(module,))).url(scheme=store)


def measured(url: str, entries: int, rounds: int) -> dict[str, Any]:
    """The figures of one store."""
    chance, known = Random(SEED + 1), texts(entries + rounds)
    with Memory.open(url) as memory:
        begun = time.perf_counter()
        for start in range(0, entries, BATCH):
            memory.add(known[start : min(start + BATCH, entries)], user_id=USER)
        filled = entries / (time.perf_counter() - begun)
        ask = [" ".join(chance.choice(known[:entries]).split()[:4]) for _ in range(rounds)]
        memory.retrieve(ask[0], user_id=USER)
        recalls = [timed(lambda text=text: memory.retrieve(text, user_id=USER)) for text in ask]  # type: ignore[misc]
        adds = [timed(lambda text=text: memory.add(text, user_id=USER)) for text in known[entries:]]  # type: ignore[misc]
    with Memory.open(url) as memory:
        cold_add = timed(lambda: memory.add("one more from another process", user_id=USER))
    with Memory.open(url) as memory:
        cold = timed(lambda: memory.retrieve(ask[0], user_id=USER))
    figures = {"add": spread(adds), "retrieve": spread(recalls), "batch_adds_a_second": round(filled)}
    return {**figures, "first_add_ms": round(cold_add, 1), "first_retrieve_ms": round(cold, 1)}


def main() -> None:
    """Measure each store and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--stores", nargs="+", default=["sqlite", "redis"])
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    figures = {}
    for store in asked.stores:
        with place(store) as url:
            figures[store] = measured(url, asked.entries, asked.rounds)
        print(store, json.dumps(figures[store]), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps({"entries": asked.entries, "stores": figures}, indent=2), "utf-8")


if __name__ == "__main__":
    main()
