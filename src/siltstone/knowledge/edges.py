"""Nodes and edges as one user's graph holds them in the process: slots and columns, numbered in order of arrival."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

LIMITS = frozenset(("valid_from", "valid_until", "sources"))
NEW, DEAD, LIVE = -1, 0, 1
NOBODY: Mapping[str, Any] = {}


class Node:
    """An entity as it is gathered from all that was read and told about it.

    `given` says that it was put by hand; `told` holds the node's own facts, `facts` (attribute, value, time, entry) what
    entries say; `aliases` maps each name key to its spelling. `entries` are those that mention it, in order. `bridge`
    is the text of a belief that it stands for. One that is `gone` was removed by hand; one that is `kept` was told without
    a source at least once and stays when its sources go.
    """

    __slots__ = (
        "aliases", "apart", "bridge", "entries", "facts", "given", "gone", "id", "into", "kept", "name", "out", "recorded",
        "told", "type",
    )  # fmt: skip

    def __init__(self, node_id: str, kind: str, name: str, recorded: str) -> None:
        self.id, self.type, self.name, self.recorded = node_id, kind, name, recorded
        self.aliases: dict[str, str] | None = None
        self.facts: list[tuple[str, Any, str, str]] | None = None
        self.told: Mapping[str, Any] = NOBODY
        self.entries: list[str] | None = None
        self.out: list[int] | None = None
        self.into: list[int] | None = None
        self.given = self.apart = self.gone = self.kept = False
        self.bridge = ""


class Claim:
    """What one entry says about an edge: since when (`at`), until when, whether it is at an end, how, with what weight."""

    __slots__ = ("at", "attributes", "ended", "entry", "until", "weight")

    def __init__(self, entry: str, at: str, told: Mapping[str, Any]) -> None:
        self.entry, self.at = entry, told.get("valid_from") or at
        self.until: str | None = told.get("valid_until")
        self.ended = bool(told.get("ended"))
        self.weight = float(told.get("weight", 1.0))
        self.attributes: Mapping[str, Any] = told.get("attributes") or NOBODY


class Edges:
    """All edges, numbered in order of arrival. `told` and `claims` hold what few have: facts by hand, and from entries.

    `limited`: some hold for a time only, or by the word of entries.
    """

    def __init__(self) -> None:
        self.source, self.target, self.kind = array("i"), array("i"), array("i")
        self.weight, self.recorded, self.live = array("d"), array("i"), bytearray()
        self.told: dict[int, Mapping[str, Any]] = {}
        self.claims: dict[int, list[Claim]] = {}
        self.kinds: list[str] = []
        self.times: list[str] = []
        self._kind_of: dict[str, int] = {}
        self._named: dict[int, int] = {}
        self.limited = False
        self.count = 0

    def __len__(self) -> int:
        return len(self.live)

    def code(self, kind: str) -> int:
        """The number of a type of edge, given on first sight."""
        found = self._kind_of.get(kind)
        if found is None:
            found = self._kind_of[kind] = len(self.kinds)
            self.kinds.append(kind)
        return found

    def known(self, kind: str) -> int:
        """The number of a type, or -1 where no edge ever had it."""
        return self._kind_of.get(kind, -1)

    def find(self, source: int, kind: int, target: int) -> int:
        """The number of that edge, or -1."""
        return self._named.get(_name(source, kind, target), -1)

    def put(self, source: int, kind: int, target: int, recorded: str) -> tuple[int, int]:
        """The number of that edge, now there, and what it was before: NEW (to be entered at its ends), DEAD or LIVE."""
        name = (source << 52) | (kind << 32) | target
        number = self._named.get(name)
        if number is not None:
            before = self.live[number]
            if not before:
                self.live[number] = 1
                self.count += 1
            return number, LIVE if before else DEAD
        number = self._named[name] = len(self.live)
        self.source.append(source)
        self.target.append(target)
        self.kind.append(kind)
        self.weight.append(1.0)
        if not self.times or self.times[-1] != recorded:
            self.times.append(recorded)
        self.recorded.append(len(self.times) - 1)
        self.live.append(1)
        self.count += 1
        return number, NEW

    def claim(self, number: int, claim: Claim, before: int) -> None:
        """Note what an entry says of an edge; `before` is what `put` said of it."""
        claims = self.claims.get(number)
        if claims is None:
            claims = self.claims[number] = []
            if before == LIVE:
                self.told.setdefault(number, NOBODY)  # it was put by hand, and stays when the entry goes
            else:
                self.weight[number] = claim.weight
        claims.append(claim)
        if number not in self.told:
            self.weight[number] = max(self.weight[number], claim.weight)

    def tell(self, number: int, told: Mapping[str, Any]) -> None:
        """Note what is told by hand of an edge, where it is more than its ends, type and weight."""
        self.weight[number] = told.get("weight", 1.0)
        before = self.told.get(number, NOBODY)
        if "sources" in told and "sources" in before:
            told = {**told, "sources": list(dict.fromkeys([*before["sources"], *told["sources"]]))}
        if len(told) > 3 + ("weight" in told) or number in self.claims:
            self.told[number] = told
            self.limited = self.limited or not LIMITS.isdisjoint(told)
        else:
            self.told.pop(number, None)

    def drop(self, number: int) -> None:
        """The edge is no longer there, whoever said it."""
        if self.live[number]:
            self.live[number] = 0
            self.count -= 1
        self.told.pop(number, None)
        self.claims.pop(number, None)


def latest(facts: Sequence[tuple[str, Any, str, str]]) -> dict[str, Any]:
    """The value of each attribute that was told last, in order of first mention."""
    found: dict[str, tuple[str, Any]] = {}
    for name, value, at, _ in facts:
        if name not in found or at >= found[name][0]:
            found[name] = (at, value)
    return {name: value for name, (_, value) in found.items()}


def _name(source: int, kind: int, target: int) -> int:
    return (source << 52) | (kind << 32) | target
