"""What a Memory is made of: the store, the models that it may ask, the clock, the settings. `assembly` puts it together."""

from __future__ import annotations

from dataclasses import dataclass

from siltstone.formation.oracle import BeliefModel
from siltstone.ports.clock import Clock
from siltstone.ports.knowledge import KnowledgeModel
from siltstone.ports.models import Completion, Embedder, Entailment, Reranker
from siltstone.ports.stores import Store
from siltstone.settings import Resolved


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts. A model that is None is not there: rules or words alone do its work.

    `second` is an embedder beside the first, better and too slow for a write: its vectors are made afterwards. `closer`
    are those that consolidation asks about statements, each for what it reads better than the first.
    """

    store: Store
    embedder: Embedder | None
    clock: Clock
    resolved: Resolved
    judge: Entailment | None = None
    writer: BeliefModel | None = None
    completion: Completion | None = None
    reranker: Reranker | None = None
    reader: KnowledgeModel | None = None
    second: Embedder | None = None
    closer: tuple[Embedder, ...] = ()

    def close(self) -> None:
        """Release the store and the models' connections; a second call does nothing."""
        for model in (self.embedder, self.second, *self.closer, self.judge, self.completion, self.reranker):
            closing = getattr(model, "close", None)
            if closing is not None:
                closing()
        self.store.close()
