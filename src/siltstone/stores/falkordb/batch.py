"""A batch of changes of one graph, and the query that writes it: one part for each thing that changes, one guard in front."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from siltstone.domain.beliefs import CHAIN
from siltstone.domain.records import Gone, Record, Vector
from siltstone.stores.falkordb import cypher, mapping
from siltstone.stores.falkordb.mapping import EMBEDDED_AS, FOLLOWED_BY, HOLDS, MEMORY, Edge

ROWS_AT_ONCE, VECTORS_AT_ONCE = 1000, 250

_MEET = "MATCH (a:Memory {ref: row[0]}) MATCH (b:Memory {ref: row[1]})"
_ERASE = "UNWIND $rows AS row MATCH (m:Memory {ref: row}) DETACH DELETE m"
_UNORDER = f"UNWIND $rows AS row MATCH (:Memory {{ref: row}})-[:{HOLDS}]->()-[r:{FOLLOWED_BY}]->() DELETE r"
_UNLINK = f"UNWIND $rows AS row MATCH (:Memory {{ref: row}})-[r]->() WHERE type(r) <> '{FOLLOWED_BY}' DELETE r"
_PUT = "UNWIND $rows AS row MERGE (m:Memory {{ref: row.ref}}) SET m = row SET m:{label}"
_MAKE = "UNWIND $rows AS row CREATE (m:{labels}) SET m = row"
_LINK = "UNWIND $rows AS row {meet} CREATE (a)-[:{type}]->(b)"
_EMBED = f"UNWIND $rows AS row MATCH (m:Memory {{ref: row[0]}}) MATCH (v:Vector {{key: row[1]}}) CREATE (m)-[:{EMBEDDED_AS}]->(v)"
_ADD = (
    "UNWIND $rows AS row OPTIONAL MATCH (old:Vector {key: row.key, model: row.model}) WITH row, old WHERE old IS NULL "
    "CREATE (v:Vector {key: row.key, model: row.model, size: row.size, embedding: vecf32(row.embedding)}) "
    f"WITH v MATCH (m:Memory {{vector: v.key}}) CREATE (m)-[:{EMBEDDED_AS}]->(v)"
)
_FORGET_VECTORS = (
    f"MATCH (v:Vector) OPTIONAL MATCH (v)<-[e:{EMBEDDED_AS}]-() WITH v, count(e) AS uses WHERE uses = 0 DELETE v"
)


class Part(NamedTuple):
    """A piece of a query that works through `rows`, which its text calls `$rows`."""

    text: str
    rows: Sequence[Any] = ()


@dataclass(slots=True)
class Batch:
    """What changes: `records` as they are afterwards and `gone` ones, both by ref, and `vectors` by (model, key).

    With `orphans`, vectors that no node leads to are erased as well.
    """

    records: dict[str, Record] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    vectors: dict[tuple[str, str], bytes] = field(default_factory=dict)
    orphans: bool = False

    def take(self, records: Iterable[Record], gone: Iterable[Gone] = ()) -> None:
        """Add later changes on top."""
        for lost in gone:
            name = mapping.ref(lost.kind, lost.id)
            self.records.pop(name, None)
            if mapping.is_shown(lost.kind):
                self.gone.add(name)
        for record in records:
            if mapping.is_shown(record.kind):
                self.records[mapping.ref(record.kind, record.id)] = record

    def take_vectors(self, vectors: Iterable[tuple[str, Vector]]) -> None:
        """Add (model, vector) pairs; of a name that is there already, the first one stays."""
        for model, vector in vectors:
            self.vectors.setdefault((model, vector.key), vector.data)


def changing(batch: Batch) -> list[Part]:
    """The parts that bring a graph from what it was to what the batch says. Doing them twice changes nothing."""
    names = list(batch.records)
    chains = [name for name, record in batch.records.items() if record.kind == CHAIN]
    parts = [
        Part(_UNORDER, chains),
        Part(_ERASE, sorted(batch.gone - batch.records.keys())),
        *[Part(_PUT.format(label=label), rows) for label, rows in _nodes(batch.records.values()).items()],
        Part(_UNLINK, names),
        *_linking(batch.records.values()),
        Part(_EMBED, _embedded(batch.records.values())),
        Part(_ADD, vector_rows(batch.vectors)),
    ]
    return [part for part in parts if part.rows] + [Part(_FORGET_VECTORS)] * batch.orphans


def filling(records: Iterable[Record], vectors: Iterable[tuple[str, Vector]]) -> list[Part]:
    """The parts that fill an empty graph."""
    held = {(model, vector.key): vector.data for model, vector in vectors}
    shown = [record for record in records if mapping.is_shown(record.kind)]
    made = [Part(_MAKE.format(labels=_labels(label)), rows) for label, rows in _nodes(shown).items()]
    parts = [*made, *_linking(shown), Part(_ADD, vector_rows(held))]
    return [part for part in parts if part.rows]


def in_pieces(parts: Iterable[Part]) -> Iterator[Part]:
    """The same work in parts of which each is small enough for a query of its own."""
    for part in parts:
        size = VECTORS_AT_ONCE if part.text == _ADD else ROWS_AT_ONCE
        if len(part.rows) <= size:
            yield part
        else:
            yield from (Part(part.text, part.rows[start : start + size]) for start in range(0, len(part.rows), size))


def fits(parts: Iterable[Part]) -> bool:
    """Whether one query can do them all."""
    return all(len(part.rows) <= (VECTORS_AT_ONCE if part.text == _ADD else ROWS_AT_ONCE) for part in parts)


def statement(guard: str, parts: Sequence[Part], ending: str, parameters: Mapping[str, Any]) -> bytes:
    """One query: where `guard` finds its node, the parts are done in order, then the ending; else nothing is.

    Each part is a subquery of its own, so that one without matches does not end the query.
    """
    values = dict(parameters)
    lines = [guard]
    for number, part in enumerate(parts):
        name = f"rows{number}"
        lines.append(f"CALL {{ {part.text.replace('$rows', f'${name}')} }}")
        if part.rows:
            values[name] = part.rows
    return cypher.query("\n".join([*lines, ending]), values)


def vector_rows(vectors: Mapping[tuple[str, str], bytes]) -> list[dict[str, Any]]:
    """Rows for `Vector` nodes; bytes that are no finite float32 vector have none."""
    found = []
    for (model, key), data in vectors.items():
        numbers = cypher.numbers(data)
        if numbers is not None:
            found.append({"key": key, "model": model, "size": len(data) // 4, "embedding": numbers})
    return found


def is_vector(data: bytes) -> bool:
    """Whether these bytes have a `Vector` node."""
    return cypher.numbers(data) is not None


def expected(records: Iterable[Record]) -> tuple[dict[str, int], set[Edge]]:
    """The nodes (ref → seq) and the edges between them that a graph of these records has."""
    shown = [record for record in records if mapping.is_shown(record.kind)]
    nodes = {mapping.ref(record.kind, record.id): record.seq for record in shown}
    drawn = {edge for record in shown for edge in mapping.edges(record)}
    return nodes, {edge for edge in drawn if edge.source in nodes and edge.target in nodes}


def _nodes(records: Iterable[Record]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        found[mapping.label(record.kind)].append(mapping.properties(record))
    return found


def _linking(records: Iterable[Record]) -> list[Part]:
    found: dict[str, dict[tuple[str, str], None]] = {}
    for record in records:
        for edge in mapping.edges(record):
            found.setdefault(edge.type, {})[edge.source, edge.target] = None
    return [Part(_LINK.format(meet=_MEET, type=name), list(ends)) for name, ends in found.items()]


def _embedded(records: Iterable[Record]) -> list[tuple[str, str]]:
    return [(mapping.ref(r.kind, r.id), r.vector_key) for r in records if r.vector_key]


def _labels(label: str) -> str:
    return MEMORY if label == MEMORY else f"{MEMORY}:{label}"
