"""The store port. A store keeps one partition per user: a gapless journal, its projection, and the vectors.

The journal is the truth. `commit` appends events and applies them to the projection as one step; everything else reads.
No method spans users, but for `users`. A partition appears with its first commit; reading one that does not exist
gives the empty answer and creates nothing. Every method may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Get, Gone, Record, Vector


class View(Protocol):
    """What a decision may look at: the partition as it is inside the commit."""

    @property
    def seq(self) -> int:
        """The position of the newest event; 0 in an empty partition."""
        ...

    def get(self, kind: str, memory_id: str) -> Record | None:
        """The record, or None."""
        ...

    def records(self, kind: str) -> Iterator[Record]:
        """All records of that kind, live or not, ordered by origin, then id."""
        ...


Decide = Callable[[View], Sequence[Draft]]
"""Looks at the partition and says what happens. May be run more than once: it must not act on anything outside."""

Progress = Callable[[int, int], None]
"""(done, total) of a long piece of work."""


class Projector(Protocol):
    """The fold of the journal, as a store applies it: events upcast, a changed record carries its event's `seq`.

    Another `version` means: throw the projection away, fold again.
    """

    @property
    def version(self) -> str: ...

    def __call__(self, event: Event, get: Get) -> Iterable[Record | Gone]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a partition stands. A changed `epoch` means that rows vanished or were rebuilt: read everything anew."""

    seq: int = 0
    epoch: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of a health report. `remedy` says what mends it; "" for a line that needs nothing."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """How much a partition holds: events, records by kind, vectors by model."""

    events: int = 0
    records: Mapping[str, int] = field(default_factory=dict)
    vectors: Mapping[str, int] = field(default_factory=dict)


class Partition(Protocol):
    """Everything about one user."""

    @property
    def user_id(self) -> str: ...

    def commit(
        self, decide: Decide, *, model: str = "", vectors: Mapping[str, bytes] | None = None
    ) -> tuple[Event, ...]:
        """Run `decide` on the current state and append what it returns, with its projection, durably and all or nothing.

        `vectors` (key → float32 bytes of `model`) become part of the same step, at the position of its last event; a
        (model, key) that is there already stays as it is. Content that is no JSON (NaN included)
        raises InvalidInput. Where `decide` returns nothing, nothing is written, vectors
        included, and the answer is (). Raises StoreBusy when the wait for another writer runs out.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """A block in which everything that this thread reads through this object comes from one state.

        A store on a server asks it once, when the block begins. Write outside of it. Blocks may be nested.
        """
        ...

    def position(self) -> Position: ...

    def events(self, *, after: int = 0, mentioning: str | None = None) -> Iterator[Event]:
        """The journal after position `after`, in order, as stored (not upcast); with `mentioning`, only what is about it."""
        ...

    def get(self, kind: str, memory_id: str) -> Record | None: ...

    def get_many(self, kind: str, memory_ids: Sequence[str]) -> dict[str, Record]:
        """The records found, by id; unknown ids are left out."""
        ...

    def records(self, *, after: int = 0) -> Iterator[Record]:
        """Every record, live or not, whose `seq` is greater than `after`, ordered by seq, then kind, then id."""
        ...

    def vectors(self, model: str, *, after: int = 0) -> Iterator[Vector]:
        """The vectors of that model recorded after position `after`, ordered by seq, then key."""
        ...

    def vector_keys(self, model: str, keys: Collection[str]) -> set[str]:
        """Those of `keys` for which that model's vector is stored."""
        ...

    def models(self) -> dict[str, int]:
        """The models with stored vectors, and how many."""
        ...

    def rebuild(self, progress: Progress | None = None) -> None:
        """Throw the projection away and fold the journal again. Vectors stay. The epoch rises."""
        ...

    def purge(self, ids: Collection[str], draft: Draft) -> dict[str, int]:
        """Erase the content of these memories everywhere and append `draft`, in one step; the epoch rises.

        Journal payloads are replaced by `events.redact`, the partition is folded again, so that what was derived goes
        too, and vectors are erased whose key no remaining record has. The bytes are gone from every file of the store when
        this returns. Answers how many rows were erased,
        by place: {"events": n, "records": n, "vectors": n}.
        """
        ...

    def restore(self, events: Iterable[Event], vectors: Iterable[tuple[str, Vector]]) -> int:
        """Append events of an export, skipping those whose id is in the journal; answers how many were appended.

        Kind, version, id, time and payload are kept; `seq` continues this journal. In an empty partition the sequence
        numbers of events and vectors stay as they were exported. Vectors of skipped events are skipped.
        """
        ...

    def stats(self) -> StoreStats: ...


class Store(Protocol):
    """One place where memories are kept, named by a URL."""

    @property
    def url(self) -> str: ...

    def users(self) -> list[str]:
        """The users that have a partition, sorted."""
        ...

    def partition(self, user_id: str) -> Partition:
        """That user's partition; brings its projection to the current version when it is older."""
        ...

    def check(self) -> list[Finding]:
        """Integrity of the files or the connection, schema and versions. Changes nothing."""
        ...

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        """Mend what can be mended from the journal: rebuild damaged or outdated projections. Says what was done."""
        ...

    def close(self) -> None:
        """Release files and connections. Calling it twice is harmless; any later call raises StoreUnavailable."""
        ...
