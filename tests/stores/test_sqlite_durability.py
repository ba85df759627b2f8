"""What is acknowledged survives: killed processes, and bytes on disk stay in proportion."""

from __future__ import annotations

import random
import time
from contextlib import closing
from pathlib import Path

from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.projector import WordProjector
from stores.processes import add, start

KILLS = 20
DISK_MULTIPLE = 2.5
"""Bytes of all files for each byte of text and vector, once the log is folded in."""


def test_killed_at_random_moments(tmp_path: Path) -> None:
    """After each of 20 kills amid commits and rebuilds, the store opens in under 1 s, whole, with all acknowledged."""
    path, chance, acknowledged = tmp_path / "memory.db", random.Random(20), set()
    for kill in range(KILLS):
        writer = start("live", path, "ana", f"k{kill}", 100_000)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.25))
        writer.kill()
        rest, _ = writer.communicate()
        acknowledged.update((first + rest).split())
        begun = time.monotonic()
        with closing(SQLiteStore(path, WordProjector())) as store:
            partition = store.partition("ana")
            assert time.monotonic() - begun < 1.0
            kept = {record.id for record in partition.records() if record.kind == "entry"}
            assert acknowledged <= kept
            assert len(kept) <= len(acknowledged) + kill + 1
            assert [finding for finding in store.check(full=True) if not finding.ok] == []
    assert len(acknowledged) > KILLS


def test_disk_stays_in_proportion(tmp_path: Path) -> None:
    """2,000 small memories, added one by one, take less than the written multiple of their text and vectors."""
    folder = tmp_path / "store"
    text = "a short memory about an ordinary day, number {}, with a few more words so that it has a usual length"
    names = [f"{n:022}" for n in range(2_000)]
    with closing(SQLiteStore(folder / "memory.db", WordProjector())) as store:
        partition = store.partition("ana")
        for n, name in enumerate(names):
            add(partition, name, text=text, vector=n.to_bytes(4, "little") * 256)
    told = sum(len(text.format(name)) + 1024 for name in names)
    kept = sum(file.stat().st_size for file in folder.iterdir())
    assert told < kept < DISK_MULTIPLE * told


def test_the_log_is_bounded(tmp_path: Path) -> None:
    """While a store stays open through thousands of commits, its log does not grow with their number."""
    with closing(SQLiteStore(tmp_path / "memory.db", WordProjector())) as store:
        add(store.partition("ana"), *[f"m{n}" for n in range(1_000)])
        assert (tmp_path / "memory.db-wal").stat().st_size < 16 << 20
