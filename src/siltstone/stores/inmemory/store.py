"""The store in memory: the oracle, and what `memory://` names."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from siltstone.errors import StoreUnavailable
from siltstone.ports.stores import Finding, Progress, Projector
from siltstone.stores.inmemory.partition import Content, InMemoryPartition


class InMemoryStore:
    """Keeps partitions in dicts of this process; they vanish with it. Safe from any thread."""

    def __init__(self, projector: Projector, *, url: str = "memory://") -> None:
        self._projector, self._url = projector, url
        self._lock = threading.RLock()
        self._contents: dict[str, Content] = {}
        self._closed = False

    @property
    def url(self) -> str:
        return self._url

    def reopened(self, projector: Projector) -> InMemoryStore:
        """The same partitions under another projector, as a store on disk would find them when opened again."""
        store = InMemoryStore(projector, url=self._url)
        store._contents = self._contents
        return store

    def users(self) -> list[str]:
        with self._opened() as contents:
            return sorted(contents)

    def partition(self, user_id: str) -> InMemoryPartition:
        with self._opened() as contents:
            partition = InMemoryPartition(user_id, self._projector, self._opened)
            if user_id in contents and contents[user_id].version != self._projector.version:
                partition.rebuild()
            return partition

    def check(self) -> list[Finding]:
        with self._opened() as contents:
            outdated = sorted(user for user, c in contents.items() if c.version != self._projector.version)
            detail = f"{len(contents)} users, {len(outdated)} with an outdated projection"
            return [Finding(name="projections", ok=not outdated, detail=detail, remedy="repair" if outdated else "")]

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        users = self.users()
        for done, user_id in enumerate(users, 1):
            self.partition(user_id).rebuild()
            if progress is not None:
                progress(done, len(users))
        return [Finding(name="projections", ok=True, detail=f"rebuilt for {len(users)} users")]

    def close(self) -> None:
        self._closed = True

    @contextmanager
    def _opened(self) -> Iterator[dict[str, Content]]:
        with self._lock:
            if self._closed:
                raise StoreUnavailable(f"the store {self._url} was closed; open it again before using it")
            yield self._contents
