"""Kills a writing process at random moments, again and again, and looks for what it had acknowledged. And disk use.

    python bench/durability.py [--kills 100] [--commits 50000] [--json OUT]

The process commits memories one by one and folds the journal again after each tenth. After each kill the store is
opened, its journal must be gapless, its projection what the journal gives, and every acknowledged memory there.
`--commits` small memories are then added one by one to a new store, and its bytes compared with those of the text and
vectors told (0 leaves this out).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from siltstone.domain.events import ENTRY_ADDED, Draft
from siltstone.domain.records import text_key
from siltstone.domain.values import ENTRY
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.clock import ManualClock
from siltstone.testing.projector import WordProjector

WRITER = Path(__file__).resolve().parents[1] / "tests" / "stores" / "writer.py"
TEXT = "a short memory about an ordinary day, number {}, with a few more words so that it has a usual length"


def kill_one(path: Path, prefix: str, delay: float) -> set[str]:
    """Start a writer, kill it `delay` seconds after its first commit; answers what it acknowledged."""
    command = [sys.executable, str(WRITER), "live", str(path), "ana", prefix, "1000000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    time.sleep(delay)
    process.kill()
    rest, _ = process.communicate()
    return set((first + rest).split())


def look(path: Path, acknowledged: set[str]) -> dict[str, float]:
    """Open the store after a kill: how long that took, and how many acknowledged memories are missing."""
    begun = time.perf_counter()
    with closing(SQLiteStore(path, WordProjector())) as store:
        partition = store.partition("ana")
        partition.position()
        taken = time.perf_counter() - begun
        kept = {record.id for record in partition.records() if record.kind == ENTRY}
        broken = [finding.name for finding in store.check(full=True) if not finding.ok]
    return {"seconds": taken, "missing": len(acknowledged - kept), "broken": len(broken)}


def kills(folder: Path, count: int) -> dict[str, float]:
    """Kill, look, and go on with the same store."""
    chance, acknowledged, looks = random.Random(100), set(), []
    for kill in range(count):
        acknowledged |= kill_one(folder / "memory.db", f"k{kill}", chance.uniform(0.0, 0.4))
        looks.append(look(folder / "memory.db", acknowledged))
        print(f"kill {kill + 1}: {len(acknowledged)} acknowledged, {looks[-1]}", file=sys.stderr)
    seconds = [one["seconds"] for one in looks]
    return {
        "kills": count,
        "acknowledged": len(acknowledged),
        "lost": looks[-1]["missing"],
        "broken": sum(one["broken"] for one in looks),
        "open_p50_ms": round(statistics.median(seconds) * 1000, 1),
        "open_max_ms": round(max(seconds) * 1000, 1),
    }


def disk(folder: Path, count: int) -> dict[str, float]:
    """Bytes on disk for each byte told, after that many single commits."""
    clock, told, begun = ManualClock(), 0, time.perf_counter()
    with closing(SQLiteStore(folder / "memory.db", WordProjector())) as store:
        partition = store.partition("ana")
        for n in range(count):
            text = TEXT.format(n)
            told += len(text) + 1024
            drafts = [
                Draft(id=clock.new_id(), kind=ENTRY_ADDED, at=clock.now(), payload={"id": f"{n:022}", "text": text})
            ]
            vectors = {text_key(text): n.to_bytes(4, "little") * 256}
            partition.commit(lambda view, drafts=drafts: drafts, model="words-1", vectors=vectors)
        open_bytes = sum(file.stat().st_size for file in folder.iterdir())
    taken = time.perf_counter() - begun
    closed_bytes = sum(file.stat().st_size for file in folder.iterdir())
    return {
        "commits": count,
        "commits_per_s": round(count / taken),
        "told_mb": round(told / 1e6, 1),
        "multiple_open": round(open_bytes / told, 2),
        "multiple_closed": round(closed_bytes / told, 2),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--commits", type=int, default=50_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    answer = {}
    with tempfile.TemporaryDirectory() as folder:
        answer["kills"] = kills(Path(folder), given.kills)
    if given.commits:
        with tempfile.TemporaryDirectory() as folder:
            answer["disk"] = disk(Path(folder), given.commits)
    print(json.dumps(answer, indent=1))
    if given.json:
        given.json.write_text(json.dumps(answer, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
