"""memory.graph: the knowledge graph of a memory's users. Each verb is a few lines; questions write nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Unpack

from siltstone.domain.events import GRAPH_CHANGED, Draft
from siltstone.domain.graph import (
    ENTITY,
    RELATION,
    Dependencies,
    Entity,
    Extraction,
    GraphReceipt,
    GraphStatus,
    Neighbor,
    Path,
    Reached,
    Relation,
    Walked,
    relation_key,
)
from siltstone.domain.values import Hit
from siltstone.errors import NotFound
from siltstone.knowledge import changing, given, questions, reading, recalling, walk
from siltstone.knowledge.desk import Desks
from siltstone.knowledge.index import GraphIndex
from siltstone.knowledge.lens import Lens
from siltstone.knowledge.options import Walk, Way, way
from siltstone.knowledge.past import known_at
from siltstone.knowledge.recalling import Answer, Request
from siltstone.ports.clock import Clock
from siltstone.ports.knowledge import KnowledgeModel
from siltstone.ports.stores import Partition

if TYPE_CHECKING:
    from siltstone.knowledge import extraction

NOW = Way()


class GraphVerbs:
    """The graph of each user: changed by hand, read out of entries, asked.

    What reads texts and what writes formats is loaded when it is first asked for: a recall needs neither.
    """

    def __init__(
        self, partition: Callable[[str], Partition], clock: Clock, model: KnowledgeModel | None = None
    ) -> None:
        self._partition, self._clock, self._model = partition, clock, model
        self._desks = Desks()

    # changing

    def add(
        self,
        *,
        user_id: str,
        nodes: Iterable[Entity | Mapping[str, Any]] = (),
        edges: Iterable[Relation | Mapping[str, Any]] = (),
    ) -> GraphReceipt:
        """Put nodes and edges, as values or dicts, in one durable step; what is there already is not written again.

        A node without an id gets `type:name`; an end that is no node yet becomes one. A node given again adds to what was
        told; an edge given again takes its place. Raises InvalidInput.
        """
        told_nodes, told_edges = [given.node(told) for told in nodes], [given.edge(told) for told in edges]
        counts = [0, 0]

        def decide(index: GraphIndex) -> Sequence[Draft]:
            fresh_nodes = changing.new_nodes(index, told_nodes)
            fresh_edges = changing.new_edges(index, told_edges)
            counts[0] = sum(told["id"] not in index.identity.ids for told in fresh_nodes)
            counts[1] = len(fresh_edges) - changing.known_edges(index, fresh_edges)
            return [self._draft(GRAPH_CHANGED, told) for told in changing.payloads(fresh_nodes, fresh_edges)]

        self._desks.change(self._partition(user_id), decide)
        return GraphReceipt(
            nodes=tuple(told["id"] for told in told_nodes),
            edges=tuple(relation_key(told["source"], told["type"], told["target"]) for told in told_edges),
            new_nodes=counts[0],
            new_edges=counts[1],
        )

    def remove(
        self, *, user_id: str, nodes: str | Sequence[str] = (), edges: str | Sequence[str] = ()
    ) -> tuple[int, int]:
        """Take out nodes, each with its edges, and edges, by id; how many of each. The entries stay.

        A node that later entries mention is there again with what they say. Raises NotFound for an unknown id.
        """
        chosen = given.ids(nodes), given.ids(edges)

        def decide(index: GraphIndex) -> Sequence[Draft]:
            return (self._draft(*changing.removing(index, *chosen)),)

        self._desks.change(self._partition(user_id), decide)
        return len(chosen[0]), len(chosen[1])

    def merge(self, into: str, *others: str, user_id: str) -> Entity:
        """Make these nodes one, which goes by the id of `into`; `split` undoes it. Raises NotFound."""

        def decide(index: GraphIndex) -> Sequence[Draft]:
            found = changing.merging(index, into, others)
            return () if found is None else (self._draft(*found),)

        self._desks.change(self._partition(user_id), decide)
        return self._found(into, user_id)

    def split(self, *node_ids: str, user_id: str) -> list[Entity]:
        """Let these ids stand for themselves again, whether a merge or an alias had joined them. Raises NotFound."""

        def decide(index: GraphIndex) -> Sequence[Draft]:
            return (self._draft(*changing.splitting(index, node_ids)),)

        self._desks.change(self._partition(user_id), decide)
        return [found for node_id in node_ids if (found := self.get(node_id, user_id=user_id)) is not None]

    def extract(
        self, *, user_id: str, by: str | KnowledgeModel | None = None, limit: int | None = None, again: bool = False
    ) -> Extraction:
        """Read what is in entries that were not read yet, oldest first, at most `limit` of them.

        `by` "rules" asks nobody; "model" asks the completion model, also about entries that only the rules have read;
        None takes the model where there is one; an extractor of your own may be given as it is. With `again` those
        that were given up are tried once more. What a model
        could not answer waits and is tried by the next call; nothing that was read is lost.
        """
        from siltstone.knowledge import extraction

        return extraction.run(self._desks, self._partition(user_id), self._extractor(by), limit=limit, again=again)

    def ingest(
        self,
        entry_id: str,
        *,
        user_id: str,
        entities: Sequence[Mapping[str, Any]],
        relations: Sequence[Mapping[str, Any]] = (),
        extractor: str,
    ) -> bool:
        """Record what somebody else read out of an entry, in the form of `Claims`; False where it is not there.

        The ends of a relation are places in `entities`, or names. It takes the place of an earlier reading.
        """
        from siltstone.knowledge import extraction

        claims = extraction.checked_claims(entities, relations)
        return extraction.record(self._partition(user_id), entry_id, claims, extractor, self._clock)

    # asking

    def get(self, node_id: str, *, user_id: str, **walk: Unpack[Walk]) -> Entity | None:
        """The node of that id, or the one that it was merged into; None where there is none."""
        with self._lens("get", user_id, walk) as lens:
            root = lens.index.identity.number(node_id)
            return lens.entity(root) if root >= 0 and lens.visible(root) else None

    def resolve(self, name: str, *, user_id: str, type: str | None = None) -> Entity | None:
        """The node that goes by this id, name or alias, however it is spelled; of several the one most spoken of."""
        with self._lens("resolve", user_id, {}) as lens:
            root = reading.resolve(lens, name, type)
            return lens.entity(root) if root >= 0 else None

    def find(self, text: str, *, user_id: str, type: str | None = None, limit: int = 10) -> list[tuple[Entity, float]]:
        """Nodes by the words of their names, aliases, ids and contents: the share of the words found, best first."""
        with self._lens("find", user_id, {}) as lens:
            return reading.search(lens, text, type, limit)

    def named(self, text: str, *, user_id: str) -> list[Entity]:
        """The nodes that a text names by id, name or alias, as whole words."""
        with self._lens("named", user_id, {}) as lens:
            return [lens.entity(root) for root in reading.named(lens, text)]

    def walk(self, text: str, *, user_id: str, **walk: Unpack[Walk]) -> Walked:
        """What the nodes named in a text lead to within `hops` (2) steps, and the entries that speak of it."""
        with self._lens("walk", user_id, walk, hops=2) as lens:
            return reading.walked(lens, reading.named(lens, text), lens.way.hops)

    def reached(self, text: str, *, user_id: str, **walk: Unpack[Walk]) -> list[Reached]:
        """The nodes that a text names, and all within `hops` (2) steps of them: nearest first, then by score.

        A text that names none stands for the nodes whose names or contents hold all of its words.
        """
        with self._lens("reached", user_id, walk, hops=2) as lens:
            return reading.reached(lens, text)

    def linking(self, request: Request, *, user_id: str, hops: int) -> Request:
        """The request of a recall with the entries that the graph leads to."""
        return recalling.with_links(request, self.linked(request.text, user_id=user_id, hops=hops))

    def joining(self, answer: Answer, request: Request, *, user_id: str) -> Answer:
        """The recall with the entities and relations that answer the request among its hits."""
        kinds = request.wanted.kinds
        return recalling.with_hits(answer, self.hits(request.text, user_id=user_id, kinds=kinds), request.top_k)

    def reading_of(self, drafts: Sequence[Draft]) -> list[Draft]:
        """What the rules read out of entries that are about to be kept, to be kept with them."""
        from siltstone.knowledge import extraction

        return [extraction.read_draft(draft, self._clock) for draft in drafts]

    def linked(self, text: str, *, user_id: str, hops: int) -> dict[str, float]:
        """The entries that the graph channel of a recall gives for a query, with their scores on [0, 1]."""
        with self._lens("linked", user_id, {}) as lens:
            return recalling.linked(lens, text, hops)

    def hits(self, text: str, *, user_id: str, kinds: Sequence[str] = (ENTITY, RELATION), hops: int = 1) -> list[Hit]:
        """Entities and relations that answer a query, as hits of a recall, best first."""
        with self._lens("hits", user_id, {}) as lens:
            return recalling.hits(lens, text, kinds, hops)

    def mentioned(self, entry_ids: Sequence[str], *, user_id: str) -> dict[str, list[Entity]]:
        """What was read out of these entries."""
        with self._lens("mentioned", user_id, {}) as lens:
            root, read = lens.index.identity.root, lens.index.mentioned
            return {
                entry_id: [lens.entity(number) for number in dict.fromkeys(root[n] for n in read.get(entry_id, ()))]
                for entry_id in entry_ids
            }

    def nodes(self, *, user_id: str, type: str | None = None, **walk: Unpack[Walk]) -> list[Entity]:
        """All nodes in the order in which they came."""
        with self._lens("nodes", user_id, walk) as lens:
            found = (n for n in lens.all_nodes() if type is None or lens.index.nodes[n].type == type)
            return [lens.entity(number) for number in islice(found, lens.way.limit)]

    def edges(self, *, user_id: str, **walk: Unpack[Walk]) -> list[Relation]:
        """All edges in the order in which they came, those to and from beliefs left out."""
        with self._lens("edges", user_id, walk) as lens:
            return [lens.edge(number) for number in islice(lens.all_edges(), lens.way.limit)]

    def relations(self, node_id: str, *, user_id: str, **walk: Unpack[Walk]) -> list[Relation]:
        """The edges of a node, oldest first. Raises NotFound."""
        with self._lens("relations", user_id, walk) as lens:
            root = self._root(lens, node_id)
            found = [lens.relation(step, root) for step in lens.steps(root, lens.way.direction)]
            return _distinct(found)[: lens.way.limit]

    def neighbors(self, node_id: str, *, user_id: str, **walk_: Unpack[Walk]) -> list[Neighbor]:
        """The nodes within `hops` (1) steps, nearest first, then by score. Raises NotFound."""
        with self._lens("neighbors", user_id, walk_) as lens:
            root = self._root(lens, node_id)
            return list(walk.neighbors(lens, [root], lens.way.hops, lens.way.direction))

    def paths(self, source: str, target: str, *, user_id: str, **walk: Unpack[Walk]) -> list[Path]:
        """The ways from one node to another of at most `hops` (6) steps, `limit` (5) of them, best first.

        Raises NotFound, and MissingDependency without the extra `graph`.
        """
        with self._lens("paths", user_id, walk, hops=6, limit=5) as lens:
            return questions.paths(lens, self._root(lens, source), self._root(lens, target))

    def dependencies(self, node_id: str, *, user_id: str, **walk: Unpack[Walk]) -> Dependencies:
        """What a node depends on, and who depends on it, within `hops` (20) steps over edges that say so.

        `types` names other edge types that mean "source depends on target". Raises NotFound.
        """
        with self._lens("dependencies", user_id, walk, hops=20) as lens:
            return questions.dependencies(lens, self._root(lens, node_id))

    def causes(self, node_id: str, *, user_id: str, **walk: Unpack[Walk]) -> list[Neighbor]:
        """What led to a node (with direction "out": what it led to), within `hops` (20) steps, nearest first."""
        with self._lens("causes", user_id, walk, hops=20, direction="in") as lens:
            return questions.causes(lens, self._root(lens, node_id))

    def central(self, *, user_id: str, by: str = "degree", **walk: Unpack[Walk]) -> list[tuple[Entity, float]]:
        """The `limit` (10) most important nodes with their scores, best first.

        `by` "degree" counts edges, "pagerank" follows them (needs the extra `graph`).
        """
        with self._lens("central", user_id, walk, limit=10) as lens:
            return [(lens.entity(root), score) for root, score in questions.central(lens, by)]

    def export(self, *, user_id: str, format: str = "json", **walk: Unpack[Walk]) -> str:
        """The whole graph as text: "json", "graphml", "mermaid", or a picture as "svg" (needs the extra `graph`)."""
        from siltstone.knowledge import formats

        with self._lens("export", user_id, walk) as lens:
            return formats.write(lens, format)

    def stats(self, *, user_id: str, **walk: Unpack[Walk]) -> dict[str, Any]:
        """node_count, edge_count, node_types, edge_types and density of the graph."""
        with self._lens("stats", user_id, walk) as lens:
            return questions.stats(lens)

    def status(self, *, user_id: str) -> GraphStatus:
        """How much there is, which entries were read by whom, how many wait, and what failed."""
        from siltstone.knowledge import extraction

        with self._lens("status", user_id, {}) as lens:
            return extraction.status(lens)

    # the pieces that the verbs share

    @contextmanager
    def _lens(self, verb: str, user_id: str, walk: Mapping[str, Any], **usual: Any) -> Iterator[Lens]:
        chosen = way(verb, walk, **usual) if walk or usual else NOW
        partition = self._partition(user_id)
        if chosen.known_at is not None:
            yield Lens(known_at(partition, chosen.known_at), chosen, self._clock.now())
            return
        with self._desks.current(partition) as index:
            yield Lens(index, chosen, self._clock.now())

    def _root(self, lens: Lens, node_id: str) -> int:
        root = lens.index.identity.number(node_id)
        if root < 0 or not lens.visible(root):
            root = reading.resolve(lens, node_id, None)
        if root < 0:
            raise NotFound(f"the graph has no node {node_id!r}; look for it with find()")
        return root

    def _found(self, node_id: str, user_id: str) -> Entity:
        found = self.get(node_id, user_id=user_id)
        if found is None:
            raise NotFound(f"the graph has no node {node_id!r}; look for it with find()")
        return found

    def _extractor(self, by: str | KnowledgeModel | None) -> extraction.Extractor:
        from siltstone.knowledge import extraction

        return extraction.extractor(by, self._model, self._clock)

    def _draft(self, kind: str, payload: Mapping[str, Any]) -> Draft:
        return Draft(id=self._clock.new_id(), kind=kind, at=self._clock.now(), payload=payload)


def _distinct(found: Sequence[Relation]) -> list[Relation]:
    return list({relation.id: relation for relation in found}.values())
