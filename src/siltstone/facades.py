"""What a Memory holds: its parts, what it keeps in the process over them, and the facades of its verbs.

A facade is loaded when it is first asked for: most programs use one or two.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from siltstone.parts import Parts
from siltstone.ports.stores import Partition
from siltstone.retrieval.guard import Guard
from siltstone.retrieval.later import Later
from siltstone.retrieval.shelf import Shelf
from siltstone.settings import Settings
from siltstone.text import checks
from siltstone.upkeep import entries, isolation
from siltstone.upkeep.pauses import Gate

if TYPE_CHECKING:
    from siltstone.formation.facade import BeliefVerbs
    from siltstone.formation.pipeline import Former
    from siltstone.knowledge.facade import GraphVerbs
    from siltstone.retrieval.facade import VectorVerbs
    from siltstone.upkeep.facade import UpkeepVerbs


class Facades:
    """The parts of one store, opened. Close it, or use it in `with`."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.store = isolation.scoped(parts.store, self.settings.scope)
        self.embedder, self._clock = parts.embedder, parts.clock
        self._shelf = Shelf(self.settings.recall.cache_mb * 1_000_000)
        slow = [item for item in (parts.embedder, parts.second) if item is not None and not item.inline]
        self._later = Later(slow if self.settings.embedding.background else (), parts.clock)
        self._gate = Gate(Guard(self.settings.guard), parts.clock)

    @property
    def settings(self) -> Settings:
        """The effective settings."""
        return self.parts.resolved.settings

    @cached_property
    def beliefs(self) -> BeliefVerbs:
        """What was formed from processed turns, and the verbs that act on it."""
        from siltstone.formation.facade import BeliefVerbs

        return BeliefVerbs(self._former, self._partition, entries.entry, self._clock)

    @cached_property
    def upkeep(self) -> UpkeepVerbs:
        """What keeps a memory in order: merging, forgetting, duplicates, synonyms, retention, and their schedule."""
        from siltstone.upkeep.facade import UpkeepVerbs

        return UpkeepVerbs(self.parts, self.store)

    @cached_property
    def graph(self) -> GraphVerbs:
        """The knowledge graph: entities and relations, read out of entries or put by hand, and questions to it."""
        from siltstone.knowledge.facade import GraphVerbs

        return GraphVerbs(self._partition, self._clock, self.parts.reader)

    @cached_property
    def vectors(self) -> VectorVerbs:
        """What words, vectors and graph say of each memory by themselves; vectors that a caller made."""
        from siltstone.retrieval.facade import VectorVerbs

        return VectorVerbs(self._partition, self._shelf, (self.embedder, self.parts.second), self._clock)

    @cached_property
    def _former(self) -> Former:
        # Loaded on first use: the rules of decomposition take longer to load than everything else together.
        from siltstone.formation.pipeline import Former, Models

        models = Models(
            embedder=self.embedder, judge=self.parts.judge, writer=self.parts.writer, closer=self.parts.closer
        )
        return Former(models, self.settings.formation, self._clock)

    def close(self) -> None:
        """Release the store and the models; turns that are not formed yet stay pending. A second call does nothing."""
        if "_former" in vars(self):
            self._former.close()
        self._later.close()
        self.parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _partition(self, user_id: str) -> Partition:
        return self.store.partition(checks.user(user_id))
