"""The context API: AgentContext, AgentMemory, ContextGraph, ContextRetriever, EntityLinker on Siltstone's engine.

Names, parameters and dict formats are those of Semantica's context reference. It is the same memory: what is stored here
for a user, `Memory.retrieve` finds, and the other way round.
"""

from siltstone.context.agent import AgentContext
from siltstone.context.graph import ContextGraph
from siltstone.context.items import MemoryItem, RetrievedContext
from siltstone.context.linking import EntityLinker, LinkedEntity
from siltstone.context.retriever import ContextRetriever
from siltstone.context.working import AgentMemory

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
