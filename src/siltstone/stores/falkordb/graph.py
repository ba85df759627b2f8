"""One user's graph on the server: where it stands, and the queries that change it.

A node `Position` says up to which place of the journal the graph is right. Every change is one query that first asks that
node: where it is not where the change begins, nothing happens. So a change done twice, too late or out of turn does no harm.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siltstone.ports.stores import Position
from siltstone.stores.falkordb import batch, cypher
from siltstone.stores.falkordb.batch import Batch, Part
from siltstone.stores.falkordb.mapping import EMBEDDED_AS, SCHEMA, Edge
from siltstone.stores.streams import failures
from siltstone.stores.streams.server import Command, Refusal, Server

INDEXES = ("(n:Memory) ON (n.ref)", "(n:Memory) ON (n.vector)", "(n:Vector) ON (n.key)")
STALE_MS = 30_000
"""A filling that wrote nothing for so long was cut short: its process is gone."""

_PATIENCE, _NOTED_WITHIN, _PAUSE = 20.0, 5.0, 0.02
_MISSING = "empty key"
_STAND = "MATCH (p:Position) RETURN p.seq, p.epoch, p.schema, timestamp() - p.filled, p.run"
_NEXT = "MATCH (p:Position {schema: $schema, epoch: $epoch}) WHERE p.filled IS NULL AND p.seq >= $from AND p.seq < $to"
_MOVE = "SET p.seq = $to, p.epoch = $toepoch RETURN p.seq"
_BEGIN = "CREATE (p:Position {seq: 0, epoch: $epoch, schema: $schema, filled: timestamp(), by: $by})"
_ANY, _NOTE = "MATCH (p:Position)", "SET p.run = $run RETURN p.seq"
_CLAIM = "SET p.filled = timestamp(), p.by = $by RETURN p.seq"
_CLAIMED = "MATCH (p:Position {by: $by})"
_GO_ON = "SET p.filled = timestamp() RETURN p.seq"
_END = "SET p.filled = NULL, p.by = NULL, p.seq = $to, p.epoch = $toepoch RETURN p.seq"
_NEAREST = (
    "MATCH (v:Vector {model: $model, size: $size}) WITH v, vec.cosineDistance(v.embedding, vecf32($vector)) AS distance "
    f"MATCH (m:Memory)-[:{EMBEDDED_AS}]->(v) WHERE m.live AND distance >= -1 "
    "RETURN m.ref, distance ORDER BY distance, m.ref LIMIT $k"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """What the graph says of itself.

    `filling` is how many milliseconds ago a filling last wrote; None for no filling. `run` names the server's run in which
    the graph was last found to be right.
    """

    position: Position
    schema: int
    filling: int | None = None
    run: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it can be brought up to date; else it has to be filled."""
        return self.schema == SCHEMA and self.filling is None


class Graph:
    """The graph under `key`. Made with its first change."""

    def __init__(self, server: Server, key: str) -> None:
        self._server, self.key = server, key
        self._noted = f"telemetry{{{key}}}"

    def stand(self) -> Stand | None:
        """Where it stands; None where there is no graph."""
        found = self._rows(_STAND, {})
        if not found:
            return None
        seq, epoch, schema, filling, run = found[0]
        return Stand(position=Position(seq=seq, epoch=epoch), schema=schema, filling=filling, run=_text(run or b""))

    def note_run(self, run: str) -> None:
        """Note that it was found to be right in this run of the server."""
        self._write(_ANY, [], _NOTE, {"run": run})

    def change(self, before: Position, after: Position, changes: Batch) -> bool:
        """Bring it from `before` to `after`; False where it does not stand there, and nothing was changed."""
        parts = batch.changing(changes)
        given = {"from": before.seq, "to": after.seq, "epoch": before.epoch, "schema": SCHEMA}
        if batch.fits(parts):
            return bool(self._write(_NEXT, parts, _MOVE, {**given, "toepoch": after.epoch}))
        by = uuid.uuid4().hex
        return bool(self._write(_NEXT, [], _CLAIM, {**given, "by": by})) and self._finish(by, parts, after)

    def fill(self, at: Position, parts: Iterable[Part]) -> bool:
        """Throw it away and make it anew; False where another process began to do the same meanwhile."""
        by = uuid.uuid4().hex
        texts = [f"CREATE INDEX FOR {index}".encode() for index in INDEXES]
        texts.append(cypher.query(_BEGIN, {"epoch": at.epoch, "schema": SCHEMA, "by": by}))
        self._server.together([("DEL", self.key), *map(self._command, texts)])
        self.forget_queries()
        return self._finish(by, parts, at)

    def forget_queries(self) -> None:
        """Erase what the server noted of queries to this graph: it keeps their texts for some time, parameters included.

        It notes a query a moment after it ran, so a mark is sent and waited for; what is written down later has no content
        in it, but what later changes bring.
        """
        self._server.one("GRAPH.SLOWLOG", self.key, "RESET")
        if not is_recording(self._server):
            return
        mark = uuid.uuid4().hex.encode()
        self._server.one("GRAPH.RO_QUERY", self.key, b"RETURN '" + mark + b"'")
        deadline = time.monotonic() + _NOTED_WITHIN
        while time.monotonic() < deadline:
            noted = self._server.one("XREVRANGE", self._noted, "+", "-", "COUNT", 50)
            if any(mark in word for _, fields in noted for word in fields):
                break
            time.sleep(_PAUSE)
        self._server.one("DEL", self._noted)

    def nodes(self) -> dict[str, int]:
        """Every node of a memory: its ref and the journal position of its last change."""
        return {_text(name): seq for name, seq in self._rows("MATCH (m:Memory) RETURN m.ref, m.seq", {})}

    def edges(self) -> set[Edge]:
        """Every edge between memories."""
        found = self._rows("MATCH (a:Memory)-[r]->(b:Memory) RETURN a.ref, type(r), b.ref", {})
        return {Edge(*map(_text, row)) for row in found}

    def vectors(self) -> dict[str, int]:
        """How many vectors of each model it holds."""
        found = self._rows("MATCH (v:Vector) RETURN v.model, count(v)", {})
        return {_text(model): count for model, count in found}

    def counts(self) -> tuple[int, int]:
        """How many memories and how many vectors it holds."""
        text = "OPTIONAL MATCH (m:Memory) WITH count(m) AS memories OPTIONAL MATCH (v:Vector) RETURN memories, count(v)"
        found = self._rows(text, {})
        return (found[0][0], found[0][1]) if found else (0, 0)

    def nearest(self, model: str, vector: bytes, *, k: int = 10) -> list[tuple[str, float]]:
        """The live memories whose vectors of `model` lie nearest: (ref, 1 − cosine), ascending, then by ref.

        Exact: every vector is compared, on the server. `vector` is float32 little-endian bytes of the model's size.
        """
        given = {"model": model, "size": len(vector) // 4, "vector": cypher.numbers(vector), "k": k}
        return [(_text(name), float(distance)) for name, distance in self._rows(_NEAREST, given)]

    def query(self, text: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """The rows that a reading query of one's own gives; text comes as bytes."""
        return self._rows(text, parameters or {})

    def _rows(self, text: str, parameters: Mapping[str, Any]) -> list[list[Any]]:
        (reply,) = self._server.attempt([("GRAPH.RO_QUERY", self.key, cypher.query(text, parameters))])
        if isinstance(reply, Refusal):
            if _MISSING in reply:
                return []
            raise failures.replied(reply, self._server.address)
        return list(reply[1])

    def _finish(self, by: str, parts: Iterable[Part], at: Position) -> bool:
        """Do the parts one by one as the process that claimed the graph; False where another one claimed it since."""
        for part in batch.in_pieces(parts):
            if not self._write(_CLAIMED, [part], _GO_ON, {"by": by}):
                return False
        return bool(self._write(_CLAIMED, [], _END, {"by": by, "to": at.seq, "toepoch": at.epoch}))

    def _write(self, guard: str, parts: Sequence[Part], ending: str, given: Mapping[str, Any]) -> list[Any]:
        (reply,) = self._server.attempt([self._command(batch.statement(guard, parts, ending, given))], _PATIENCE)
        if isinstance(reply, Refusal):
            raise failures.replied(reply, self._server.address)
        return list(reply[1])

    def _command(self, text: bytes) -> Command:
        return ("GRAPH.QUERY", self.key, text)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def is_recording(server: Server) -> bool:
    """Whether the server notes queries in streams beside its graphs (its setting CMD_INFO; unknown counts as yes)."""
    (reply,) = server.attempt([("GRAPH.CONFIG", "GET", "CMD_INFO")])
    return isinstance(reply, Refusal) or reply[1] not in (0, b"no")
