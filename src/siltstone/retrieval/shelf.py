"""The shelf: the indexes of the users in use, current with their stores, least recently used ones dropped.

Each index has its own lock: one user's recall never waits for another user's.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from siltstone.ports.stores import Partition
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.vectors import Space

Answer = TypeVar("Answer")


class Shelf:
    """Corpora by user, at most about `limit` bytes of them; the one in use is always kept."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._corpora: OrderedDict[str, tuple[Corpus, threading.RLock]] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._total = 0

    @contextmanager
    def current(self, partition: Partition, spaces: Sequence[Space] = ()) -> Iterator[Corpus]:
        """The user's corpus, up to date and held for this thread alone while the block runs; it has these spaces at least.

        So a model that is away for a while costs no index: its vectors stay where they are.
        """
        corpus, lock = self._take(partition.user_id, tuple(spaces))
        with lock:
            corpus.refresh(partition)
            yield corpus
        self._weigh(partition.user_id, corpus)

    def glimpse(self, user_id: str, ask: Callable[[Corpus], Answer]) -> Answer | None:
        """What the user's index answers as it stands, be it behind its store; None where there is none."""
        with self._lock:
            corpus, lock = self._corpora.get(user_id, (None, None))
        if corpus is None or lock is None:
            return None
        with lock:
            return ask(corpus)

    def drop(self, user_id: str) -> None:
        """Forget that user's index: the next recall reads it anew."""
        with self._lock:
            self._remove(user_id)

    def _take(self, user_id: str, spaces: tuple[Space, ...]) -> tuple[Corpus, threading.RLock]:
        with self._lock:
            found = self._corpora.get(user_id)
            if found is None or not set(spaces).issubset(found[0].spaces):
                found = self._corpora[user_id] = Corpus(spaces), threading.RLock()
            self._corpora.move_to_end(user_id)
            return found

    def _weigh(self, user_id: str, corpus: Corpus) -> None:
        """Enter the corpus' present size and drop the least recently used others until all fit."""
        with self._lock:
            if user_id in self._corpora:
                size = corpus.nbytes
                self._total += size - self._sizes.get(user_id, 0)
                self._sizes[user_id] = size
            while self._total > self.limit and len(self._corpora) > 1:
                oldest = next(iter(self._corpora))
                if oldest == user_id:
                    break
                self._remove(oldest)

    def _remove(self, user_id: str) -> None:
        self._corpora.pop(user_id, None)
        self._total -= self._sizes.pop(user_id, 0)
