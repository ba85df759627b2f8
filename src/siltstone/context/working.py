"""AgentMemory: a short-term buffer in the process over long-term memories in a store, written through in one act."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, cast

from siltstone.context import items, retiring, storing
from siltstone.context.buffer import Buffer
from siltstone.context.items import MemoryItem
from siltstone.context.options import Asked, Described, Options, Scoped, Storing, choices, scope
from siltstone.context.reading import MemoryReading
from siltstone.context.vectors import VectorStore
from siltstone.context.world import world
from siltstone.domain.options import checked
from siltstone.domain.values import Entry
from siltstone.errors import InvalidInput
from siltstone.text import checks

if TYPE_CHECKING:
    from siltstone.memory import Memory
    from siltstone.retrieval.blend import Blend, Mixture

log = logging.getLogger("siltstone.context")
IN_PROCESS = "memory://"


class AgentMemory(MemoryReading):
    """Stores items, finds them, forgets them. `vector_store` omitted: the embedded store.

    `vector_store` may be a Memory, a store's URL, or somebody's vector store; with that the items themselves are kept in
    the process, unless `memory` or `url` says where. Safe to use from many threads.
    """

    def __init__(self, vector_store: Any = None, knowledge_graph: Any = None, **options: Unpack[Options]) -> None:
        checked("AgentMemory", Options, options)
        self.engine, self.vectors, self._owned = _opened(vector_store, options)
        self.options = dict(options)
        self.choices = self.chosen({})
        self.world = world(knowledge_graph, self.engine, self.choices.user_id)
        self.last_retired: tuple[str, ...] = ()
        self._retired = 0
        self._said: set[str] = set()
        self._lock = threading.RLock()
        self._buffers: dict[str, Buffer] = {}

    def chosen(self, options: Mapping[str, Any]) -> Any:
        """The options of this memory with `options` over them, checked."""
        return choices("AgentMemory", {**self.options, **options}, self.engine.settings.context)

    # writing

    def store(self, content: str, metadata: Mapping[str, Any] | None = None, **told: Unpack[Storing]) -> str:
        """Keep a text in both tiers and answer its id; a memory of the given `memory_id` is replaced in place.

        Raises InvalidInput for a text that is blank, and what a vector store raises: then nothing is stored.
        """
        checked("store", Storing, told)
        if not isinstance(content, str):
            raise InvalidInput(f"content of type {type(content).__name__} cannot be stored here; give a text")
        request = storing.request(content, metadata, told, self.choices.user_id)
        with self._lock:
            memory_id = storing.keep(self, request)
            self._buffer(request.user_id).put(self._item(memory_id, request))
        if request.entities or request.relationships:
            self.world.learn(request.entities, request.relationships, user_id=request.user_id, memory_id=memory_id)
        if request.extract:
            storing.extract(self, memory_id, request)
        self.retire(request.user_id)
        return memory_id

    def _item(self, memory_id: str, request: storing.Request) -> MemoryItem:
        scoped = {"user_id": request.user_id} | ({"conversation_id": request.session} if request.session else {})
        return MemoryItem(
            request.text,
            request.at or self.engine.parts.clock.now(),
            {**request.metadata, **scoped},
            entities=request.entities,
            relationships=request.relationships,
            memory_id=memory_id,
        )

    def update(
        self,
        memory_id: str,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        **told: Unpack[Described],
    ) -> bool:
        """Change a memory under its id, all or nothing; False where there is none. `metadata` replaces the old one."""
        checked("update", Described, told)
        whose = self.user(told.get("user_id"))
        entry = self.entry(memory_id, whose)
        if entry is None:
            return False
        kept = items.metadata(entry, whose) if metadata is None else dict(metadata)
        if told.get("conversation_id") is not None:
            kept.pop("conversation_id", None)
        known: dict[str, Any] = {"conversation_id": entry.session_id, "timestamp": entry.occurred_at}
        known |= {key: items.told(entry).get(key) for key in ("entities", "relationships")}
        known |= {key: value for key, value in told.items() if value is not None}
        given = cast(Storing, {**known, "user_id": whose, "memory_id": memory_id})
        self.store(entry.text if content is None else content, kept, **given)
        return True

    def store_vectors(self, vectors: Sequence[Any], metadata: Sequence[Mapping[str, Any]]) -> list[str]:
        """Keep vectors that the caller made for stored memories; each metadata names its `memory_id`. Answers ids.

        Raises InvalidInput for another dimension or a number that is not finite.
        """
        if len(vectors) != len(metadata):
            raise InvalidInput(f"there are {len(vectors)} vectors and {len(metadata)} metadata; give one for each")
        named = [(item.get("memory_id"), self.user(item.get("user_id"))) for item in metadata]
        for memory_id, whose in named:
            if memory_id is None or self.entry(memory_id, whose) is None:
                raise InvalidInput(
                    f"the metadata names the memory {memory_id!r}; store its text first, then its vector"
                )
        if self.vectors is not None:
            facts = [{**item, "user_id": whose} for item, (_, whose) in zip(metadata, named, strict=True)]
            with self._lock:
                return storing.add_vectors(self, vectors, facts)
        found: list[str] = []
        for (memory_id, whose), vector in zip(named, vectors, strict=True):
            found += self.engine.vectors.put({str(memory_id): vector}, user_id=whose)
        return found

    # forgetting

    def forget(
        self,
        memory_id: str | Sequence[str] | None = None,
        *,
        days_old: float | None = None,
        all: bool = False,
        **scoped: Unpack[Scoped],
    ) -> int:
        """Forget by id, user, conversation, age, type or filter, in every tier; how many there were. History stays.

        `user_id` alone means everything of that user. Without any selector it raises InvalidInput: say `all=True`.
        """
        whose, narrow = scope("forget", scoped, self.choices.user_id)
        if days_old is not None:
            narrow["until"] = retiring.cutoff(self.engine.parts.clock.now(), days_old, narrow.get("until"))
        if memory_id is not None:
            named = (memory_id,) if isinstance(memory_id, str) else tuple(memory_id)
            if not named or None in [checks.name("memory_id", item) for item in named]:
                raise InvalidInput(f"memory_id {memory_id!r} selects nothing; give the id of a memory, or several")
            allowed = None if not narrow else {entry.id for entry in self.entries(whose, narrow)}
            found = [
                entry for item in named if (entry := self.entry(item, whose)) and (allowed is None or item in allowed)
            ]
        elif narrow or all is True or scoped.get("user_id") is not None:
            found = self.entries(whose, narrow)
        else:
            raise InvalidInput("nothing selects what to forget; give an id, a filter, or all=True for everything")
        return self.drop(found, whose)

    clear_memory = clear = forget

    def delete_memory(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Forget one memory; whether there was one."""
        return self.forget(memory_id, user_id=user_id) == 1

    def drop(self, found: Sequence[Entry], user_id: str) -> int:
        """Forget these entries in every tier; how many."""
        if not found:
            return 0
        ids = list(dict.fromkeys(entry.id for entry in found))
        with self._lock:
            gone = self.engine.forget(ids, user_id=user_id)
            for memory_id in ids:
                self._buffer(user_id).drop(memory_id)
        self.drop_vectors([name for entry in found for name in items.vector_ids(entry)])
        return gone.count

    def drop_vectors(self, ids: Sequence[str]) -> None:
        """Take vectors out of the other store. One that cannot delete keeps them: said once in the log and in `stats`."""
        if self.vectors is not None and not self.vectors.drop(list(dict.fromkeys(ids))):
            self._say(
                f"a {type(self.vectors.store).__name__} has no delete_vectors or delete: vectors of memories that are "
                "forgotten or changed stay in it; delete them there, or give the store that method"
            )
            log.info("vectors that stay: %s", ", ".join(ids))

    def retire(self, user_id: str) -> tuple[str, ...]:
        """Forget what `retention_days` and `max_memories` let go of, in every tier; the ids. Said in the log."""
        chosen = self.choices
        if chosen.retention is None and chosen.max_memories is None:
            return ()
        before = None if chosen.retention is None else self.engine.parts.clock.now() - chosen.retention
        ids = self.engine.vectors.excess(user_id=user_id, most=chosen.max_memories, before=before)
        found = [entry for item in ids if (entry := self.entry(item, user_id)) is not None]
        if found:
            self.drop(found, user_id)
            self.last_retired = tuple(entry.id for entry in found)
            self._retired += len(found)
            log.warning("retention: %d memories of %r forgotten (%s)", len(found), user_id, retiring.why(chosen))
        return self.last_retired if found else ()

    # finding

    def retrieve(self, query: str, max_results: int = 5, **asked: Unpack[Asked]) -> list[dict[str, Any]]:
        """The memories most like a query, best first, without the graph; each with its score and ids."""
        from siltstone.context.retriever import ContextRetriever

        hits = ContextRetriever(self).hits(query, max_results, **cast(Asked, {"use_graph": False, **asked}))
        return [{**hit, "entities": hit.get("related_entities", []), "relationships": []} for hit in hits]

    def blend(self, query: str, user_id: str, top_k: int, mixture: Mixture, narrow: Mapping[str, Any]) -> Blend:
        """The best memories of that user, scored; a gap is said once in the log."""
        if self.vectors is not None:
            cosines = self.vectors.cosines(query, user_id, min(4 * top_k, 200))
            mixture = replace(mixture, cosines=cosines)
        found, failure = self.engine.vectors.blend(query, user_id=user_id, top_k=top_k, mixture=mixture, **dict(narrow))
        if self.vectors is None and self.engine.embedder is None:
            self._say("no embedder: memories are found by their words alone; run: pip install 'siltstone[local]'")
        elif failure is not None:
            self._say(f"{failure.part}: {failure.reason}; {failure.remedy}")
        return found

    def _say(self, gap: str) -> None:
        if gap not in self._said:
            self._said.add(gap)
            log.warning("%s", gap)

    def mentioned(self, memory_ids: Sequence[str], user_id: str) -> dict[str, list[dict[str, Any]]]:
        """The entities that were read out of these memories, by id."""
        found = self.engine.graph.mentioned(memory_ids, user_id=user_id) if memory_ids else {}
        return {
            memory_id: [{"id": entity.id, "type": entity.type, "text": entity.name} for entity in entities]
            for memory_id, entities in found.items()
        }

    def relations(self, node_ids: Sequence[str], user_id: str) -> list[dict[str, Any]]:
        """The edges of these nodes in the memory's own graph, without repeats."""
        from siltstone.context import shapes

        graph = self.engine.graph
        known = [node_id for node_id in node_ids if graph.get(node_id, user_id=user_id) is not None]
        found = {edge.id: edge for node_id in known for edge in graph.relations(node_id, user_id=user_id, limit=20)}
        return [shapes.edge_dict(edge) for edge in found.values()]

    # the short-term tier

    @property
    def short_term_memory(self) -> list[MemoryItem]:
        """The buffer of the context's own user, oldest first; a copy."""
        return self.buffer(self.choices.user_id)

    def buffer(self, user_id: str) -> list[MemoryItem]:
        """The buffer of that user, oldest first; a copy of the list."""
        with self._lock:
            return list(self._buffers[user_id]) if user_id in self._buffers else []

    def _prune_short_term_memory(self) -> int:
        """Enforce both limits on every buffer; how many items were dropped. Storing does it by itself."""
        with self._lock:
            return sum(buffer.prune() for buffer in self._buffers.values())

    def _buffer(self, user_id: str) -> Buffer:
        if user_id not in self._buffers:
            self._buffers[user_id] = Buffer(self.choices.short_term_limit, self.choices.token_limit, self.choices.count)
        return self._buffers[user_id]

    def stats(self, *, user_id: str | None = None) -> dict[str, Any]:
        """total_items, items_by_type, what the buffer holds, the limits, and what retention has done."""
        whose, chosen = self.user(user_id), self.choices
        found, kinds = self.entries(whose, {}), dict[str, int]()
        for entry in found:
            kind = str(entry.metadata.get("type", "memory"))
            kinds[kind] = kinds.get(kind, 0) + 1
        held = self.buffer(whose)
        return {
            "total_items": len(found),
            "items_by_type": kinds,
            "short_term_items": len(held),
            "short_term_tokens": sum(chosen.count(item.content) for item in held),
            "token_limit": chosen.token_limit,
            "max_size": chosen.max_memories,
            "retention_policy": retiring.why(chosen),
            "retired": self._retired,
            "degraded": sorted(self._said),
        }

    get_statistics = stats

    def close(self) -> None:
        """Close the Memory that this opened; one that was given stays open."""
        if self._owned:
            self.engine.close()


def _opened(vector_store: Any, options: Mapping[str, Any]) -> tuple[Memory, VectorStore | None, bool]:
    """The Memory that keeps the items, somebody's vector store or None, and whether the Memory was opened here."""
    from siltstone.memory import Memory

    memory, url = options.get("memory"), options.get("url")
    if memory is not None and url is not None:
        raise InvalidInput("memory and url exclude each other; give one of them")
    if isinstance(vector_store, Memory | str):
        if memory is not None or url is not None:
            raise InvalidInput("vector_store names a memory already; leave memory and url out")
        memory, url = (vector_store, None) if isinstance(vector_store, Memory) else (None, vector_store)
        vector_store = None
    others = None if vector_store is None else VectorStore(vector_store)
    if memory is not None:
        return memory, others, False
    if others is None:
        return Memory.open(url), None, True
    return Memory.open(url or IN_PROCESS, embedding__provider="none"), others, True
