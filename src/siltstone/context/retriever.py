"""ContextRetriever: short-term buffer, vectors, keywords and graph in one ranked list; pure reading.

Final = V·(1 − α) + G·α on [0, 1]. V is the greater of the cosine, clipped at 0, and the keyword score. G of a node is the
best, over all ways from the query's entities, of the product of the weights times 0.5^(hop − 1), 1 for the entities
themselves; G of a memory is that of the best node that it was read for or names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Unpack

from siltstone.context import items
from siltstone.context.options import Asked, Options, flag, scope, share, whole
from siltstone.context.world import Place
from siltstone.domain.values import Entry
from siltstone.errors import InvalidInput
from siltstone.text.tokens import query_terms, terms

if TYPE_CHECKING:
    from siltstone.context.working import AgentMemory
    from siltstone.retrieval.blend import Blended

MOST_RESULTS = 500
RELATED = 20
"""Related entities that one result names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One retrieval, checked."""

    query: str
    user_id: str
    narrow: Mapping[str, Any]
    most: int
    alpha: float
    hops: int
    graph: bool
    least: float
    budget: int
    entities: bool
    relationships: bool


@dataclass(slots=True, kw_only=True)
class Found:
    """One ranked item: a memory (`row`) or a node (`place`)."""

    id: str
    score: float
    vector: float
    graph: float
    row: Blended | None = None
    place: Place | None = None
    entry: Entry | None = None
    text: str = ""
    truncated: bool = False
    anchors: Sequence[Place] = field(default_factory=tuple)
    read: Sequence[dict[str, Any]] = ()


class ContextRetriever:
    """Finds what an AgentMemory keeps. `hybrid_alpha`, `use_graph_expansion` and `max_expansion_hops` are its defaults."""

    def __init__(
        self,
        memory_store: AgentMemory | None = None,
        knowledge_graph: Any = None,
        vector_store: Any = None,
        **options: Unpack[Options],
    ) -> None:
        from siltstone.context.working import AgentMemory

        if memory_store is None:
            memory_store = AgentMemory(vector_store, knowledge_graph, **options)
        elif knowledge_graph is not None or vector_store is not None:
            raise InvalidInput("memory_store brings its vector store and its graph; give them to the AgentMemory")
        self.memory_store = memory_store
        self.choices = memory_store.chosen(options)

    def retrieve(self, query: str, max_results: int = 5, **asked: Unpack[Asked]) -> list[items.RetrievedContext]:
        """The best results, best first, within the token budget."""
        return [
            items.RetrievedContext(
                hit["content"],
                hit["score"],
                hit["source"],
                hit["metadata"],
                hit.get("related_entities", []),
                hit.get("related_relationships", []),
                memory_id=hit.get("memory_id"),
                node_id=hit.get("node_id"),
                vector_score=hit["vector_score"],
                graph_score=hit["graph_score"],
            )
            for hit in self.hits(query, max_results, **asked)
        ]

    def hits(self, query: str, max_results: int = 5, **asked: Unpack[Asked]) -> list[dict[str, Any]]:
        """The same as dicts, as `AgentContext.retrieve` answers them. Writes nothing."""
        question = self.question(query, max_results, asked)
        fitting = self._fitting(self._ranked(question), question)
        if question.entities:
            named = [found.id for found in fitting if found.entry is not None]
            read = self.memory_store.mentioned(named, question.user_id)
            for found in fitting:
                found.read = read.get(found.id, ())
        return [self._hit(found, question) for found in fitting]

    def question(self, query: str, max_results: int, asked: Mapping[str, Any]) -> Question:
        """The checked retrieval. Raises TypeError and InvalidInput."""
        chosen = self.choices
        user_id, narrow = scope("retrieve", asked, chosen.user_id, Asked)
        told = (asked.get(key) for key in ("use_graph", "expand_graph", "use_graph_expansion"))
        graph = next((item for item in told if item is not None), chosen.use_graph)
        alpha, hops, budget = asked.get("hybrid_alpha"), asked.get("max_hops"), asked.get("token_budget")
        return Question(
            query=query,
            user_id=user_id,
            narrow=narrow,
            most=whole("max_results", max_results, MOST_RESULTS),
            alpha=chosen.hybrid_alpha if alpha is None else share("hybrid_alpha", alpha),
            hops=chosen.max_hops if hops is None else whole("max_hops", hops, 20),
            graph=flag("use_graph", graph),
            least=share("min_score", asked.get("min_score", asked.get("min_relevance_score", 0.0))),
            budget=chosen.token_limit if budget is None else whole("token_budget", budget),
            entities=flag("include_entities", asked.get("include_entities", True)),
            relationships=flag("include_relationships", asked.get("include_relationships", False)),
        )

    def _ranked(self, asked: Question) -> list[Found]:
        """Memories and nodes, best first; ties go to the newest, then by id."""
        from siltstone.retrieval.blend import Anchor, Mixture

        store = self.memory_store
        uses = asked.graph and not store.world.empty(asked.user_id)
        alpha = asked.alpha if uses else 0.0
        places = (
            {place.id: place for place in store.world.reached(asked.query, asked.user_id, asked.hops)} if uses else {}
        )
        anchors = [Anchor(id=p.id, score=p.score, names=p.names, entries=p.entries) for p in places.values()]
        blend = store.blend(asked.query, asked.user_id, asked.most, Mixture(alpha=alpha, anchors=anchors), asked.narrow)
        entries = {row.id: entry for row in blend.rows if (entry := store.entry(row.id, asked.user_id)) is not None}
        found = [
            Found(
                id=row.id,
                score=row.score,
                vector=row.vector,
                graph=row.graph,
                row=row,
                entry=entries[row.id],
                text=entries[row.id].text,
                anchors=[places[name] for name in row.anchors],
            )
            for row in blend.rows
            if row.id in entries
        ]
        if not asked.narrow:
            free = [place for place in places.values() if place.id not in blend.held]
            found += _nodes(asked.query, [place for place in free if not _bare(place)], alpha)
            found += _nodes(asked.query, free, alpha) if not found else []
        kept = [item for item in found if item.score > 0 and item.score >= asked.least]
        return sorted(kept, key=_order)[: asked.most]

    def _fitting(self, found: Sequence[Found], asked: Question) -> list[Found]:
        """The results that fit the budget in rank order; a first one that does not is cut and marked."""
        left, fitting = asked.budget, list[Found]()
        for item in found:
            size = self.choices.count(item.text)
            if size > left and fitting:
                break
            if size > left:
                item.text, item.truncated = cut(item.text, left, self.choices.count), True
            fitting.append(item)
            left -= size
        return fitting

    def _hit(self, found: Found, asked: Question) -> dict[str, Any]:
        sources = self._sources(found, asked.user_id)
        hit: dict[str, Any] = {"node_id" if found.entry is None else "memory_id": found.id, "id": found.id}
        hit |= {"content": found.text, "score": found.score, "source": f"{sources[0]}:{found.id}", "sources": sources}
        hit |= {"vector_score": found.vector, "graph_score": found.graph}
        if found.entry is not None:
            hit["timestamp"], hit["metadata"] = found.entry.occurred_at, items.metadata(found.entry, asked.user_id)
        else:
            hit["timestamp"], hit["metadata"] = (
                None,
                {"type": found.place.type if found.place else "", "user_id": asked.user_id},
            )
        if asked.entities:
            hit["related_entities"] = _entities(found)
        if asked.relationships:
            hit["related_relationships"] = self._relationships(found, asked.user_id)
        return hit | ({"truncated": True} if found.truncated else {})

    def _sources(self, found: Found, user_id: str) -> list[str]:
        """Who found it, what counted most first."""
        if found.row is None:
            return ["graph"]
        row = found.row
        ways = [
            ("vector", row.vector if row.vector > row.keyword else 0.0),
            ("keyword", row.keyword),
            ("graph", row.graph),
        ]
        named = [name for name, score in sorted(ways, key=lambda way: -way[1]) if score > 0]
        held = any(item.memory_id == found.id for item in self.memory_store.buffer(user_id))
        return [*named, *(["short_term"] if held else [])]

    def _relationships(self, found: Found, user_id: str) -> list[dict[str, Any]]:
        told = [] if found.entry is None else items.dicts("relationships", items.told(found.entry).get("relationships"))
        ids = [place.id for place in found.anchors] or ([found.id] if found.place is not None else [])
        return [*told, *self.memory_store.relations(ids, user_id)][:RELATED]


def _entities(found: Found) -> list[dict[str, Any]]:
    """Those given or read with the memory, and those that the query led over, without repeats."""
    told = [] if found.entry is None else items.dicts("entities", items.told(found.entry).get("entities"))
    known = [{"id": p.id, "type": p.type, "text": p.content, "score": p.score} for p in found.anchors]
    if found.place is not None:
        known.append({"id": found.id, "type": found.place.type, "text": found.text, "score": found.graph})
    merged: dict[str, dict[str, Any]] = {}
    for entity in (*told, *known, *found.read):
        key = str(entity.get("id") or entity.get("entity_id") or entity.get("text"))
        text = str(entity.get("text", "")).casefold()
        same = next((one for one, item in merged.items() if one == key or item.get("text", "").casefold() == text), key)
        merged[same] = {**entity, **merged.get(same, {})}
    return list(merged.values())[:RELATED]


def _nodes(query: str, places: Sequence[Place], alpha: float) -> list[Found]:
    """Nodes that no memory speaks of, as results."""
    wanted = set(query_terms(query))
    found = []
    for place in places:
        held = wanted & set(terms(" ".join((place.content, *place.names))))
        likeness = len(held) / len(wanted) if wanted else 0.0
        score = likeness * (1 - alpha) + place.score * alpha
        found.append(
            Found(id=place.id, score=score, vector=likeness, graph=place.score, place=place, text=place.content)
        )
    return found


def _bare(place: Place) -> bool:
    """Whether the query itself says all that is known of the node: it comes only where there is nothing else."""
    return place.hop == 0 and place.content in place.names


def _order(found: Found) -> tuple[float, float, str]:
    moment: datetime | None = None if found.entry is None else found.entry.occurred_at
    return -found.score, -(moment.timestamp() if moment else 0.0), found.id


def cut(text: str, budget: int, count: Any) -> str:
    """The longest beginning of the text that holds at most `budget` tokens, at the end of a word where there is one."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= budget else (low, middle - 1)
    piece = text[:low]
    whole_words = piece.rsplit(None, 1)[0] if low < len(text) and " " in piece else piece
    return whole_words or piece
