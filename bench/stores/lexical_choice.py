"""SQLite's FTS5 with a user token, or postings per user in the process from stored terms? Figures for the decision.

    python bench/stores/lexical_choice.py [--rows 1000000] [--users 10000] [--large 100000] [--json OUT]

One user owns `--large` rows, the others share the rest evenly. Both sides hold the same rows: FTS5 beside a plain table
(external content), ours in the SQLite store with `retrieval.corpus`. Building is not durable and not compared. Single
adds are durable; `table` is the plain table alone, in the same run. FTS5's bm25() uses the statistics of all users.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

from siltstone.domain import events, fold
from siltstone.domain.events import Draft
from siltstone.domain.records import Record
from siltstone.retrieval.channels import lexical
from siltstone.retrieval.corpus import Corpus
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.clock import ManualClock

VOCABULARY, TERMS, TOP, BATCH = 50_000, 12, 20, 1_000
WORDS = [f"w{n:05}" for n in range(VOCABULARY)]
WEIGHTS = list(accumulate(1 / (n + 10) for n in range(VOCABULARY)))
CHANCE = random.Random(5)
SMALL, LARGE = 1, 0


class TermsProjector:
    """The domain's fold; the text is its terms."""

    version = "1"

    def __call__(self, event, get) -> Iterator[Record]:
        """The changed records with their terms."""
        for record in fold.apply(event, get):
            yield replace(record, terms=record.body["text"])


def words(count: int = TERMS) -> str:
    """A text of Zipf-distributed words."""
    return " ".join(CHANCE.choices(WORDS, cum_weights=WEIGHTS, k=count))


def milliseconds(act: Callable[[], object], times: int) -> dict[str, float]:
    """Median and 95th percentile of that many runs."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        taken.append((time.perf_counter() - begun) * 1000)
    taken.sort()
    return {"p50": round(statistics.median(taken), 3), "p95": round(taken[int(len(taken) * 0.95)], 3)}


def owners(rows: int, users: int, large: int) -> Iterator[tuple[int, int]]:
    """(user, rows to write) in an order that mixes the users: the large one's batches among the small ones'."""
    each = (rows - large) // (users - 1)
    batches = [(LARGE, BATCH)] * (large // BATCH) + [(user, each) for user in range(1, users)]
    CHANCE.shuffle(batches)
    yield from batches


class FullText:
    """A plain table and FTS5 over it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("CREATE TABLE doc (id INTEGER PRIMARY KEY, user TEXT, terms TEXT)")
        self.connection.execute(
            "CREATE VIRTUAL TABLE search USING fts5(user, terms, content='doc', content_rowid='id', detail='full')"
        )

    def build(self, plan: list[tuple[int, list[str]]]) -> None:
        """Fill both, without syncing."""
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection.execute("BEGIN")
        for user, texts in plan:
            for text in texts:
                self.insert(user, text)
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.execute("PRAGMA synchronous = FULL")

    def insert(self, user: int, text: str, *, searchable: bool = True) -> None:
        """One row, and its index entries."""
        row = self.connection.execute("INSERT INTO doc (user, terms) VALUES (?, ?)", (f"u{user}", text)).lastrowid
        if searchable:
            self.connection.execute("INSERT INTO search (rowid, user, terms) VALUES (?, ?, ?)", (row, f"u{user}", text))

    def add(self, user: int, *, searchable: bool = True) -> None:
        """One durable row."""
        self.connection.execute("BEGIN IMMEDIATE")
        self.insert(user, words(), searchable=searchable)
        self.connection.execute("COMMIT")

    def query(self, user: int, connection: sqlite3.Connection | None = None) -> list[tuple[int]]:
        """The best rows of that user for three words."""
        match = f"user : u{user} AND terms : ({' OR '.join(words(3).split())})"
        sql = "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank LIMIT ?"
        return (connection or self.connection).execute(sql, (match, TOP)).fetchall()

    def cold(self, user: int) -> None:
        """Open the file and ask."""
        with closing(sqlite3.connect(self.path)) as connection:
            self.query(user, connection)


class Postings:
    """The store, and an index of each user in the process."""

    def __init__(self, path: Path) -> None:
        self.store, self.clock = SQLiteStore(path, TermsProjector()), ManualClock()
        self.warm: dict[int, Corpus] = {}

    def build(self, plan: list[tuple[int, list[str]]]) -> None:
        """Fill the store, without syncing."""
        with self.store._connections.writing() as connection:
            pass
        connection.execute("PRAGMA synchronous = OFF")
        for user, texts in plan:
            drafts = [self.draft(text) for text in texts]
            self.store.partition(f"u{user}").commit(lambda view, drafts=drafts: drafts)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA synchronous = FULL")

    def draft(self, text: str) -> Draft:
        """One memory."""
        payload = {"id": self.clock.new_id(), "text": text, "kind": "note", "occurred_at": "2026-01-01T00:00:00Z"}
        return Draft(id=self.clock.new_id(), kind=events.ENTRY_ADDED, at=self.clock.now(), payload=payload)

    def add(self, user: int) -> None:
        """One durable memory; the index follows when it is next asked."""
        drafts = [self.draft(words())]
        self.store.partition(f"u{user}").commit(lambda view: drafts)

    def load(self, user: int) -> Corpus:
        """The index of that user, read anew."""
        corpus = Corpus()
        corpus.refresh(self.store.partition(f"u{user}"))
        self.warm[user] = corpus
        return corpus

    def query(self, user: int) -> np.ndarray:
        """The best rows of that user for three words, with a look for news."""
        corpus = self.warm[user]
        corpus.refresh(self.store.partition(f"u{user}"))
        found, _ = lexical.scores(corpus, words(3).split(), np.ones(corpus.size, bool))
        return np.argsort(found)[-TOP:]

    def cold(self, user: int) -> None:
        """Read the index and ask."""
        self.load(user)
        self.query(user)


def size(path: Path) -> int:
    """Megabytes of the file and its log."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*")) >> 20


def measure(folder: Path, rows: int, users: int, large: int) -> dict[str, object]:
    """Build both and measure them, alternating."""
    plan = [(user, [words() for _ in range(count)]) for user, count in owners(rows, users, large)]
    full_text, postings = FullText(folder / "fts.db"), Postings(folder / "ours.db")
    answer: dict[str, object] = {"rows": sum(len(texts) for _, texts in plan), "users": users}
    for name, side in (("fts5", full_text), ("ours", postings)):
        begun = time.perf_counter()
        side.build(plan)
        print(f"{name}: built in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    answer["disk_mb"] = {"fts5": size(folder / "fts.db"), "ours": size(folder / "ours.db")}
    for label, user, times in (("small", SMALL, 200), ("large", LARGE, 100)):
        answer[f"{label} cold"] = {
            "fts5": milliseconds(lambda user=user: full_text.cold(user), 3),
            "ours": milliseconds(lambda user=user: postings.cold(user), 3),
        }
        answer[f"{label} query"] = {
            "fts5": milliseconds(lambda user=user: full_text.query(user), times),
            "ours": milliseconds(lambda user=user: postings.query(user), times),
        }
        answer[f"{label} add"] = {
            "table": milliseconds(lambda user=user: full_text.add(user, searchable=False), 300),
            "table+fts5": milliseconds(lambda user=user: full_text.add(user), 300),
            "ours": milliseconds(lambda user=user: postings.add(user), 300),
        }
        answer[f"{label} add, then query"] = {
            "fts5": milliseconds(lambda user=user: (full_text.add(user), full_text.query(user)), 100),
            "ours": milliseconds(lambda user=user: (postings.add(user), postings.query(user)), 100),
        }
    answer["index_mb"] = {label: postings.warm[user].nbytes >> 20 for label, user in (("small", 1), ("large", 0))}
    postings.store.close()
    return answer


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        answer = measure(Path(folder), given.rows, given.users, given.large)
    for name, figures in answer.items():
        print(f"{name:24} {figures}")
    if given.json:
        given.json.write_text(json.dumps(answer, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
