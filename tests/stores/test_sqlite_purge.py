"""After a purge, the content's bytes are in no file of the store."""

from __future__ import annotations

import hashlib
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from siltstone.domain import events
from siltstone.domain.records import text_key
from siltstone.errors import StoreBusy
from siltstone.ports.stores import Partition
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.projector import WordProjector
from stores.processes import add, draft

SECRETS = {
    "text": b"Zanzibar-Ledger",
    "term": b"zanzibar-ledger",
    "older text": b"Timbuktu-Ledger",
    "metadata": b"Quetzal-0451",
    "script": "祕密金庫".encode(),
    "vector": hashlib.sha512(b"vector").digest() * 16,
    "older vector": hashlib.sha512(b"older vector").digest() * 16,
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    """A store in a folder of its own."""
    with closing(SQLiteStore(tmp_path / "store" / "memory.db", WordProjector(), busy_timeout=5.0)) as store:
        yield store


def tell(partition: Partition) -> None:
    """A secret among other memories, told in one version and then in another."""
    first, second = "Timbuktu-Ledger lies open", "The Zanzibar-Ledger lies in the 祕密金庫 " + "of the old house " * 300
    entry = draft(events.ENTRY_ADDED, id="secret", text=first, metadata={"code": "Quetzal-0451"})
    change = draft(events.ENTRY_UPDATED, id="secret", changes={"text": second})
    vectors = {text_key(first): SECRETS["older vector"]}
    partition.commit(lambda view: [entry], model="words-1", vectors=vectors)
    partition.commit(lambda view: [change], model="words-1", vectors={text_key(second): SECRETS["vector"]})


def purge(partition: Partition) -> dict[str, int]:
    """Purge the secret."""
    return partition.purge(["secret"], draft(events.ENTRIES_PURGED, ids=["secret"]))


def found(store: SQLiteStore) -> list[str]:
    """Which secrets are in which files."""
    return [
        f"{name} in {file.name}"
        for file in sorted(store.path.parent.iterdir())
        for name, secret in SECRETS.items()
        if secret in file.read_bytes() or secret[:64] in file.read_bytes()
    ]


def test_the_files_are_clean(store: SQLiteStore) -> None:
    """Text, terms, metadata and vectors, older versions too, are in the files before the purge and not after it."""
    ana = store.partition("ana")
    add(ana, *[f"m{n}" for n in range(50)])
    tell(ana)
    add(ana, *[f"n{n}" for n in range(50)])
    assert {line.split(" in ")[0] for line in found(store)} == set(SECRETS)
    assert purge(ana) == {"events": 2, "records": 1, "vectors": 2}
    assert found(store) == []
    assert ana.position().seq == 103


@pytest.mark.parametrize("seed", [2])
def test_pages_that_were_split_are_clean(store: SQLiteStore, seed: int) -> None:
    """Where writes of many users moved rows between pages, no older copy of a row is left, not even a part of one."""
    chance, told = random.Random(seed), []
    for n in range(400):
        partition, name = store.partition(f"user{chance.randrange(40)}"), f"m{n}"
        text, vector = (
            chance.randbytes(chance.choice([20, 60, 150, 500])).hex(),
            chance.randbytes(chance.choice([64, 1536])),
        )
        add(partition, name, text=text, vector=vector)
        told.append((partition, name, text.encode(), vector))
        if n % 50 == 0:
            partition.rebuild()
    for partition, name, text_bytes, vector in chance.sample(told, 15):
        partition.purge([name], draft(events.ENTRIES_PURGED, ids=[name]))
        left = b"".join(file.read_bytes() for file in store.path.parent.iterdir())
        assert [part for part in (*parts(text_bytes), *parts(vector)) if part in left] == []


def parts(content: bytes) -> list[bytes]:
    """The content in pieces of 12 bytes."""
    return [content[start : start + 12] for start in range(0, len(content) - 11, 12)]


def test_a_reader_is_waited_for(store: SQLiteStore) -> None:
    """While someone still reads an older state, the purge waits for them, and then the files are clean."""
    ana = store.partition("ana")
    add(ana, *[f"m{n}" for n in range(600)])
    tell(ana)
    stream = ana.records()
    next(stream)
    threading.Timer(0.5, stream.close).start()
    begun = time.monotonic()
    purge(ana)
    assert time.monotonic() - begun > 0.4
    assert found(store) == []


def test_a_reader_that_does_not_end(store: SQLiteStore) -> None:
    """A purge that cannot clean the files says so; the content is unreachable, and `repair` cleans them later."""
    ana = store.partition("ana")
    add(ana, *[f"m{n}" for n in range(600)])
    tell(ana)
    with closing(SQLiteStore(store.path, WordProjector(), busy_timeout=0.2)) as hasty:
        stream = ana.records()
        next(stream)
        with pytest.raises(StoreBusy, match="the content is erased"):
            purge(hasty.partition("ana"))
        assert hasty.partition("ana").get("entry", "secret") is None
        assert [finding.name for finding in hasty.check() if not finding.ok] == ["erasure"]
        stream.close()
        assert all(finding.ok for finding in hasty.repair())
        assert [finding for finding in hasty.check() if not finding.ok] == []
    assert found(store) == []
