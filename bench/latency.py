"""Latency, memory and disk of the engine on SQLite, beside a bare SQLite insert and a bare numpy scan in the same run.

    python bench/latency.py --entries 10000 --users 1 [--singles 300] [--queries 200] [--setting NAME=VALUE ...] [--json OUT]

`--entries` is the number of entries of the user that is measured; `--users` how many other users of 100 entries each
share the store. The add figures leave out the first embedder's time (its vectors are made before) and are taken while
nothing embeds in the background; what a slower one makes afterwards is `reindex_s`. The retrieve figures have all of it in:
`question_embedding_ms` is the part that the models take. Texts are random words of English turns, by their frequency there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

from siltstone import Memory

OTHERS = 100
BATCH = 500
TURNS = Path(__file__).parent / "retrieval" / "data" / "bilingual" / "conversations.jsonl"


class Precomputed:
    """An embedder that looks vectors up, so that embedding costs nothing."""

    languages = frozenset[str]()
    inline = True

    def __init__(self, inner) -> None:
        self.inner, self.fingerprint, self.dimension = inner, inner.fingerprint, inner.dimension
        self.known: dict[str, np.ndarray] = {}

    def prepare(self, texts: Sequence[str]) -> None:
        """Embed these texts now."""
        self.known.update(zip(texts, self.inner.embed(texts), strict=True))

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The prepared vectors."""
        return np.stack([self.known[text] for text in texts])

    def embed_query(self, text: str) -> np.ndarray:
        """The model's own answer: a query is embedded when it is asked."""
        return self.inner.embed_query(text)


class Words:
    """Random chat turns, 4 to 30 words long, of the 2,300 words of the English turns that this project wrote."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        lines = [json.loads(line) for line in TURNS.read_text("utf-8").splitlines()]
        turns = [turn["en"] for line in lines for session in line["sessions"] for turn in session["turns"]]
        counts = Counter(word for turn in turns for word in re.findall("[a-z]+", turn.lower()))
        self.vocabulary = list(counts)
        self.cumulated = list(itertools.accumulate(counts.values()))

    def text(self) -> str:
        """One turn."""
        return " ".join(self.chance.choices(self.vocabulary, cum_weights=self.cumulated, k=self.chance.randint(4, 30)))


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """(wall, CPU) milliseconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def spread(times: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    ordered = sorted(times)
    return {"p50": round(statistics.median(ordered), 3), "p95": round(ordered[int(0.95 * len(ordered))], 3)}


def bare_database(path: Path) -> sqlite3.Connection:
    """A durable one-table SQLite file, as plain as it gets."""
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE memory (text TEXT, vector BLOB)"
    )
    return database


def single_adds(memory: Memory, embedder: Precomputed, words: Words, folder: Path, count: int) -> dict:
    """Durable adds one by one, each followed by a bare insert of the same text and vector."""
    database, ours, ours_cpu, bare, bare_cpu = bare_database(folder / "bare.db"), [], [], [], []
    texts = [words.text() for _ in range(count)]
    embedder.prepare(texts)
    for text in texts:
        vector = embedder.known[text].tobytes()
        wall, cpu = timed(lambda text=text: memory.add(text, user_id="measured"))
        ours.append(wall)
        ours_cpu.append(cpu)
        wall, cpu = timed(
            lambda text=text, vector=vector: database.execute("INSERT INTO memory VALUES (?, ?)", (text, vector))
        )
        bare.append(wall)
        bare_cpu.append(cpu)
    result = {"add_ms": spread(ours), "bare_insert_ms": spread(bare)}
    result |= {"add_cpu_ms": spread(ours_cpu), "bare_insert_cpu_ms": spread(bare_cpu)}
    return result | {"add_over_bare": round(statistics.median(ours) / statistics.median(bare), 3)}


def fill(memory: Memory, embedder: Precomputed, words: Words, user_id: str, count: int) -> float:
    """Batch-add entries in sessions of 30 turns; answers entries per second, embedding left out."""
    spent = 0.0
    for start in range(0, count, BATCH):
        texts = [words.text() for _ in range(min(BATCH, count - start))]
        embedder.prepare(texts)
        messages = [
            {"role": "user", "speaker": f"S{n % 2}", "content": text, "session_id": f"s{(start + n) // 30}"}
            for n, text in enumerate(texts)
        ]
        spent += timed(lambda messages=messages: memory.add(messages, user_id=user_id))[0]
        embedder.known.clear()
    return round(1000 * count / max(spent, 1e-9))


def queries(memory: Memory, words: Words, count: int) -> dict:
    """Retrieve on the warm index, beside a bare numpy scan of as many vectors of the same size."""
    asked = [" ".join(words.text().split()[:6]) for _ in range(count)]
    cold = timed(lambda: memory.retrieve(asked[0], user_id="measured"))[0]
    runs = [timed(lambda query=query: memory.retrieve(query, user_id="measured")) for query in asked]
    models = [model for model in (memory.embedder, memory.parts.second) if model is not None]
    embeds = [timed(lambda query=query: [model.embed_query(query) for model in models]) for query in asked]
    vectors = np.random.default_rng(1).standard_normal((memory.stats(user_id="measured").events, 256), np.float32)
    scans = [timed(lambda row=row: np.argsort(-(vectors @ vectors[row]))[:10])[0] for row in range(min(count, 50))]
    walls, cpus = [wall for wall, _ in runs], [cpu for _, cpu in runs]
    return {
        "retrieve_ms": spread(walls),
        "retrieve_cpu_ms": spread(cpus),
        "question_embedding_ms": spread([wall for wall, _ in embeds]),
        "question_embedding_cpu_ms": spread([cpu for _, cpu in embeds]),
        "retrieve_without_embedding_cpu_ms": spread([cpu - took for cpu, (_, took) in zip(cpus, embeds, strict=True)]),
        "first_retrieve_ms": round(cold, 1),
        "bare_numpy_scan_ms": spread(scans),
    }


def import_time() -> dict:
    """Milliseconds of `import siltstone` and of `from siltstone import Memory` over a bare interpreter; best of five."""

    def best(code: str) -> float:
        return min(timed(lambda: subprocess.run([sys.executable, "-c", code], check=True))[0] for _ in range(5))

    bare = best("pass")
    return {
        "import_siltstone_ms": round(best("import siltstone") - bare, 1),
        "import_memory_ms": round(best("from siltstone import Memory") - bare, 1),
    }


def measure(args: argparse.Namespace, folder: Path) -> dict:
    """Everything, on one store."""
    url, words = f"sqlite:///{folder}/memory.db", Words(7)
    settings = dict(item.split("=", 1) for item in args.setting) | {"embedding__background": False}
    opening = Memory.open(url, **settings)
    if opening.embedder is None:
        raise SystemExit("no embedder is installed; run: pip install 'siltstone[local]'")
    embedder = Precomputed(opening.embedder)
    opening.close()
    plain = Memory.open(url, **settings)
    memory = Memory(replace(plain.parts, embedder=embedder))
    for other in range(args.users - 1):
        fill(memory, embedder, words, f"other-{other}", OTHERS)
    result: dict = {"entries": args.entries, "users": args.users, "embedder": [embedder.fingerprint]}
    result["embedder"] += [memory.parts.second.fingerprint] if memory.parts.second else []
    result["batch_add_per_s"] = fill(memory, embedder, words, "measured", args.entries)
    result |= single_adds(memory, embedder, words, folder, args.singles)
    result["reindex_s"] = round(timed(lambda: memory.reindex(user_id="measured"))[0] / 1000, 1)
    result |= queries(memory, words, args.queries)
    memory.close()
    result["open_ms"] = round(timed(lambda: Memory.open(url).close())[0], 2)
    size = sum(file.stat().st_size for file in folder.iterdir() if file.name.startswith("memory.db"))
    result |= {
        "disk_mb": round(size / 1e6, 1),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    return result | import_time()


def main() -> int:
    """Run and print; `--json` writes the figures too."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--users", type=int, default=1)
    parser.add_argument("--singles", type=int, default=300)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = measure(args, Path(folder))
    print(json.dumps(result, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
