"""The context API: AgentContext, AgentMemory, ContextGraph, ContextRetriever, EntityLinker on Siltstone's engine.

Names, parameters and dict formats are those of Semantica's context reference. It is the same memory: what is stored here
for a user, `Memory.retrieve` finds, and the other way round. A name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siltstone.context.agent import AgentContext
    from siltstone.context.graph import ContextGraph
    from siltstone.context.items import MemoryItem, RetrievedContext
    from siltstone.context.linking import EntityLinker, LinkedEntity
    from siltstone.context.retriever import ContextRetriever
    from siltstone.context.working import AgentMemory

_HOME = {
    "AgentContext": "siltstone.context.agent",
    "AgentMemory": "siltstone.context.working",
    "ContextGraph": "siltstone.context.graph",
    "ContextRetriever": "siltstone.context.retriever",
    "EntityLinker": "siltstone.context.linking",
    "LinkedEntity": "siltstone.context.linking",
    "MemoryItem": "siltstone.context.items",
    "RetrievedContext": "siltstone.context.items",
}

__all__ = [
    "AgentContext",
    "AgentMemory",
    "ContextGraph",
    "ContextRetriever",
    "EntityLinker",
    "LinkedEntity",
    "MemoryItem",
    "RetrievedContext",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
