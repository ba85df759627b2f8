"""AgentContext: one object that stores, finds and forgets for an agent. One name per act, others where 0.7.0 has them."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, Unpack

from siltstone.context import moving
from siltstone.context.linking import EntityLinker, LinkedEntity
from siltstone.context.options import Asked, Described, Options, Scoped, Storing
from siltstone.context.retriever import ContextRetriever
from siltstone.context.working import AgentMemory
from siltstone.context.world import OwnWorld
from siltstone.errors import InvalidInput

Document = str | Mapping[str, Any]
PARTS = frozenset(("content", "text", "id", "metadata", "entities", "relationships"))


class AgentContext:
    """An agent's context over a vector store, a knowledge graph and a short-term buffer.

    `vector_store` omitted: the embedded store. `knowledge_graph` omitted: the memory's own graph. The other parameters
    are those of `Options`, e.g. `token_limit=2000, short_term_limit=10, hybrid_alpha=0.5, use_graph_expansion=True,
    max_expansion_hops=2`; without them the settings of `context.*` hold (`CONTEXT_TOKEN_LIMIT` among them). An unknown
    keyword raises TypeError. Every call may name a `user_id`: nothing of another user exists for it.
    """

    def __init__(self, vector_store: Any = None, knowledge_graph: Any = None, **options: Unpack[Options]) -> None:
        self.memory = AgentMemory(vector_store, knowledge_graph, **options)
        self.retriever = ContextRetriever(self.memory)

    @property
    def graph(self) -> Any:
        """The knowledge graph: a ContextGraph, or the object that was given."""
        return self.memory.world.graph  # type: ignore[attr-defined]

    knowledge_graph = graph_builder = graph

    def store(
        self, content: Document | Sequence[Document], metadata: Mapping[str, Any] | None = None, **told: Unpack[Storing]
    ) -> str | dict[str, Any]:
        """Keep a text, and answer its id; or a list of documents, and answer what came of them.

        A document is a text, or a dict with `content` and, if wanted, `id`, `metadata`, `entities`, `relationships`; for a
        list the answer is {"stored_count", "memory_ids", "graph_nodes", "graph_edges"}, the last two of this call.
        """
        if isinstance(content, str):
            return self.memory.store(content, metadata, **told)
        if isinstance(content, Mapping):
            content = [content]
        if not isinstance(content, Sequence):
            raise InvalidInput(
                f"content of type {type(content).__name__} cannot be stored; give a text or a list of them"
            )
        documents = [_document(item, metadata, told) for item in content]
        before = self._size(told.get("user_id"))
        ids = [self.memory.store(text, facts, **given) for text, facts, given in documents]
        after = self._size(told.get("user_id"))
        counts = {"graph_nodes": after[0] - before[0], "graph_edges": after[1] - before[1]}
        return {"stored_count": len(ids), "memory_ids": ids, **counts}

    batch_store = store

    def _size(self, user_id: str | None) -> tuple[int, int]:
        if not isinstance(self.memory.world, OwnWorld):
            return 0, 0
        told = self.memory.world.graph.stats(user_id=self.memory.user(user_id))
        return told["node_count"], told["edge_count"]

    def retrieve(self, query: str, max_results: int = 5, **asked: Unpack[Asked]) -> builtins.list[dict[str, Any]]:
        """What is relevant to a query, best first, within the token budget: memories, and nodes that none speaks of.

        Each result has memory_id or node_id, id, content, score, vector_score, graph_score, source, sources, timestamp,
        metadata, related_entities; one that was cut to fit has truncated. Writes nothing.
        """
        return self.retriever.hits(query, max_results, **asked)

    search = find_similar = get_context = expand_query = retrieve

    def get(self, memory_id: str, *, user_id: str | None = None) -> dict[str, Any] | None:
        """The memory of that id, or None."""
        return self.memory.get(memory_id, user_id=user_id)

    get_memory = get

    def exists(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Whether there is a memory of that id."""
        return self.memory.exists(memory_id, user_id=user_id)

    def update(
        self,
        memory_id: str,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        **told: Unpack[Described],
    ) -> bool:
        """Change a memory under its id; False where there is none."""
        return self.memory.update(memory_id, content, metadata, **told)

    def forget(
        self,
        memory_id: str | Sequence[str] | None = None,
        *,
        days_old: float | None = None,
        all: bool = False,
        **scoped: Unpack[Scoped],
    ) -> int:
        """Forget by id, user, conversation, age, type or filter, in every tier; how many there were.

        Without a selector it raises InvalidInput: say `all=True`. An unknown filter raises TypeError.
        """
        return self.memory.forget(memory_id, days_old=days_old, all=all, **scoped)

    clear = batch_delete = forget

    def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Forget one memory; whether there was one."""
        return self.memory.delete_memory(memory_id, user_id=user_id)

    delete_memory = delete

    def delete_conversation(self, conversation_id: str, *, user_id: str | None = None) -> int:
        """Forget a conversation; how many memories it had."""
        return self.memory.forget(user_id=user_id, conversation_id=conversation_id)

    def list(self, *, limit: int = 100, offset: int = 0, **scoped: Unpack[Scoped]) -> builtins.list[dict[str, Any]]:
        """The memories that the filters let through, oldest first; filtered, then paged."""
        return self.memory.list(limit=limit, offset=offset, **scoped)

    def count(self, **scoped: Unpack[Scoped]) -> int:
        """How many memories the filters let through."""
        return self.memory.count(**scoped)

    def conversation(
        self, conversation_id: str, max_items: int = 100, reverse: bool = False, *, user_id: str | None = None
    ) -> builtins.list[dict[str, Any]]:
        """The newest `max_items` of a conversation in the order in which they were said."""
        return self.memory.get_conversation_history(conversation_id, max_items, user_id=user_id, reverse=reverse)

    get_conversation = get_conversation_history = conversation

    def list_conversations(self, limit: int = 50, *, user_id: str | None = None) -> builtins.list[dict[str, Any]]:
        """The conversations, the last one spoken in first."""
        return self.memory.list_conversations(limit, user_id=user_id)

    def link(
        self, text: str, entities: Sequence[Mapping[str, Any] | str] | None = None, *, user_id: str | None = None
    ) -> builtins.list[LinkedEntity]:
        """The nodes of the graph that the entities mean, or, without any, that the text names."""
        if not isinstance(self.memory.world, OwnWorld):
            raise InvalidInput("link() needs a ContextGraph; the graph of this context is somebody else's")
        return EntityLinker(self.memory.world.graph).link(text, entities, user_id=self.memory.user(user_id))

    def export(self, **scoped: Unpack[Scoped]) -> dict[str, Any]:
        """{"exported_at", "count", "memories"} of every memory that the filters let through."""
        return moving.export(self.memory, scoped)

    backup = export

    def import_data(self, data: Mapping[str, Any] | str, *, user_id: str | None = None) -> int:
        """Keep what `export` wrote, ids and timestamps included; how many were new."""
        return moving.import_data(self.memory, data, self.memory.user(user_id))

    restore = import_data

    def save(self, path: str | Path) -> Path:
        """Write every user's memories, vectors and graph into one file of that folder."""
        return moving.save(self.memory, path)

    def load(self, path: str | Path) -> int:
        """Take in what `save` wrote; how many lines were read."""
        return moving.load(self.memory, path)

    def stats(self, *, user_id: str | None = None) -> dict[str, Any]:
        """The memory's numbers, and under "graph" those of the graph."""
        told = self.memory.stats(user_id=user_id)
        if isinstance(self.memory.world, OwnWorld):
            told["graph"] = self.memory.world.graph.stats(user_id=self.memory.user(user_id))
        return told

    health = stats

    def close(self) -> None:
        """Close the Memory that this opened; one that was given stays open."""
        self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _document(item: Document, metadata: Mapping[str, Any] | None, told: Storing) -> tuple[str, dict[str, Any], Storing]:
    """One document as `AgentMemory.store` takes it. Raises InvalidInput."""
    shared = dict(metadata or {})
    if isinstance(item, str):
        return item, shared, told
    given: object = item
    text = item.get("content", item.get("text")) if isinstance(given, Mapping) else None
    if not isinstance(text, str):
        raise InvalidInput(f"the document {str(item)[:80]!r} has no content; give a text, or a dict with content")
    unknown = [key for key in item if key not in PARTS]
    if unknown:
        raise InvalidInput(f"a document has no {unknown[0]!r}; put it into its metadata")
    own: Storing = {**told}
    if item.get("id") is not None:
        own["memory_id"] = item["id"]
    for key in ("entities", "relationships"):
        if item.get(key) is not None:
            own[key] = item[key]
    return text, {**shared, **(item.get("metadata") or {})}, own
