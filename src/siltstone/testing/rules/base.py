"""What all rules share: the hooks that a store's author defines, and short ways to write and compare."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from siltstone.domain import events
from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Record, Vector, fingerprint, text_key
from siltstone.ports.stores import Partition, Projector, Store
from siltstone.testing.clock import ManualClock
from siltstone.testing.projector import WordProjector

MODEL = "words-1"


class StoreRules:
    """The two hooks, and fixtures: `store` is an empty store, `ana` the partition of a user who wrote nothing yet."""

    clock = ManualClock()

    def make_store(self, tmp_path: Path, projector: Projector) -> Store:
        """A new, empty store under the test's own directory."""
        raise NotImplementedError

    def reopen(self, store: Store, projector: Projector) -> Store:
        """Close that store, and open the same place again with this projector."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterable[Store]:
        """An empty store, closed at the end."""
        store = self.make_store(tmp_path, WordProjector())
        yield store
        store.close()

    @pytest.fixture
    def ana(self, store: Store) -> Partition:
        """A partition that does not exist yet."""
        return store.partition("ana")

    def entry(self, memory_id: str, text: str = "plain words", **more: Any) -> Draft:
        """The draft of an entry."""
        payload = {"id": memory_id, "text": text, "kind": "note", **more}
        return self.draft(events.ENTRY_ADDED, **payload)

    def draft(self, kind: str, /, **payload: Any) -> Draft:
        """A draft of any kind, a second later than the one before."""
        return Draft(id=self.clock.new_id(), kind=kind, at=self.clock.advance(), payload=payload)

    def write(self, partition: Partition, *drafts: Draft) -> tuple[Event, ...]:
        """Commit these drafts, with a vector for each text in them."""
        texts = [text for draft in drafts for text in texts_of(draft)]
        return self.commit(partition, drafts, MODEL, vectors_of(*texts))

    def commit(
        self, partition: Partition, drafts: Sequence[Draft], model: str, vectors: Mapping[str, bytes]
    ) -> tuple[Event, ...]:
        """Commit these drafts with these vectors."""
        return partition.commit(lambda view: drafts, model=model, vectors=vectors)

    def add(self, partition: Partition, *memory_ids: str) -> None:
        """Commit one entry after the other; each one's text tells its id."""
        for memory_id in memory_ids:
            self.write(partition, self.entry(memory_id, f"this is {memory_id}"))


def texts_of(draft: Draft) -> list[str]:
    """The texts that a draft brings."""
    changes = draft.payload.get("changes", draft.payload)
    return [changes["text"]] if "text" in changes else []


def vector_of(text: str) -> bytes:
    """Bytes that stand for that text's vector."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def vectors_of(*texts: str) -> dict[str, bytes]:
    """Vectors by key, as `commit` takes them."""
    return {text_key(text): vector_of(text) for text in texts}


def state(partition: Partition) -> str:
    """The fingerprint over all records and vectors."""
    return fingerprint(partition.records(), all_vectors(partition))


def all_vectors(partition: Partition) -> list[tuple[str, Vector]]:
    """Every vector with its model, as `restore` takes them."""
    return [(model, vector) for model in partition.models() for vector in partition.vectors(model)]


def ids(records: Iterable[Record]) -> list[str]:
    """The ids, in the order of the records."""
    return [record.id for record in records]


def seqs(found: Iterable[Event | Record | Vector]) -> list[int]:
    """The positions, in order."""
    return [one.seq for one in found]


def gapless(found: Sequence[int]) -> bool:
    """Whether these are 1, 2, 3 and so on."""
    return list(found) == list(range(1, len(found) + 1))
