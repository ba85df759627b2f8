"""Who is whom: which spellings, aliases and ids stand for one node.

A mention is the node whose id follows from its type and name; else the only one of a fitting type that has its name or
an alias; for a person's first name alone, the only person whose full name begins with it; else a new node. An alias that
is told joins the nodes of both names. Nothing is joined for being alike: `Sam` is a part of `Samsung` and has nothing to
do with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from siltstone.domain.graph import ANYTHING
from siltstone.knowledge.edges import LIMITS, Node
from siltstone.knowledge.names import (
    PERSON,
    VAGUE,
    entity_key,
    entity_type,
    is_cjk_name,
    may_be_one,
    name_key,
    words_of,
)

NAMING = frozenset(("id", "type", "name", "aliases"))


class Identity:
    """The nodes, and for each the number of the node that it is one with (`root`; its own where it stands for itself).

    `apart` are ids that were told apart by hand: they are joined to nothing by themselves. `ids` are the
    numbers of all ids that were ever given. `limited` are the roots of nodes that hold for a time or by the word of entries only.
    """

    def __init__(self, apart: Iterable[str] = ()) -> None:
        self.nodes: list[Node] = []
        self.root: list[int] = []
        self.group: dict[int, list[int]] = {}
        self.apart = set(apart)
        self.names: dict[str, list[int]] = {}
        self.limited: set[int] = set()
        self._first: dict[str, list[int]] = {}
        self.ids: dict[str, int] = {}

    def number(self, node_id: str) -> int:
        """The number of the node that stands for this id now, or -1."""
        found = self.ids.get(node_id, -1)
        return self.root[found] if found >= 0 else -1

    def members(self, root: int) -> Sequence[int]:
        """The numbers of all nodes that are one with this root, itself first."""
        return self.group.get(root, (root,))

    def same(self, node_id: str) -> Sequence[int]:
        """The numbers of all nodes that are one with this id; () for an unknown one."""
        found = self.number(node_id)
        return self.members(found) if found >= 0 else ()

    def spelled(self, node_id: str) -> bool:
        """Whether an entry mentioned somebody under this id who was taken for another node."""
        kind, _, name = node_id.partition(":")
        return bool(self.names.get(name_key(name, kind)))

    def end(self, node_id: str, recorded: str) -> int:
        """The node of exactly that id, as the end of an edge; a new one of type "entity" where there is none."""
        found = self.ids.get(node_id)
        if found is None:
            found = self._new(node_id, ANYTHING, node_id, recorded)
            self.nodes[found].given = self.nodes[found].kept = True
        return found

    def mention(self, told: Mapping[str, Any], recorded: str) -> int:
        """The node that an entry's mention stands for."""
        kind, name = entity_type(told["type"]), told["name"]
        node_id = entity_key(kind, name)
        found = self.ids.get(node_id, -1)
        if found < 0 and node_id not in self.apart:
            found = self.like(kind, name)
        if found < 0:
            found = self._new(node_id, kind, name, recorded)
            self._complete(found)
        node = self.nodes[found]
        if node.type in VAGUE and kind not in VAGUE:
            node.type = kind
        self._spell(found, name)
        for alias in told.get("aliases", ()):
            self._alias(found, alias)
        return found

    def like(self, kind: str, name: str) -> int:
        """The only node of a fitting type that has this name or alias, or whose full name begins with it; else -1."""
        found = self._fitting(self.names.get(name_key(name, kind), ()), kind)
        exact = {number for number in found if self.nodes[number].type == kind}
        if len(exact or found) == 1:
            return next(iter(exact or found))
        if found and kind in VAGUE:
            return max(found, key=lambda number: (self._mentions(number), -number))
        if not found and kind == PERSON and not is_cjk_name(name):
            whole = self._fitting(self._first.get(words_of(name, kind), ()), kind)
            return next(iter(whole)) if len(whole) == 1 else -1
        return -1

    def put(self, told: Mapping[str, Any], recorded: str) -> int:
        """The node that is put by hand, with what is told added to what was."""
        node_id, kind, name = told["id"], told.get("type", ANYTHING), told.get("name") or told["id"]
        found = self.ids.get(node_id, -1)
        if found < 0:
            found = self._new(node_id, kind, name, recorded)
            self._adopt(found)
            key = name_key(node_id)
            if ":" not in node_id and found not in self.names.setdefault(key, []):
                self.names[key].append(found)
        node = self.nodes[found]
        node.type, node.name, node.given = *naming(node, told), True
        extra = {key: value for key, value in told.items() if key not in NAMING}
        node.kept = node.kept or "sources" not in extra
        if "sources" in extra:
            extra["sources"] = list(dict.fromkeys([*node.told.get("sources", ()), *extra["sources"]]))
        if extra:
            attributes = {**node.told.get("attributes", {}), **told.get("attributes", {})}
            node.told = {**node.told, **extra} | ({"attributes": attributes} if attributes else {})
            if not LIMITS.isdisjoint(extra):
                self.limited.add(self.root[found])
        self._spell(found, name)
        for alias in told.get("aliases", ()):
            self._alias(found, alias)
        return found

    def bridge(self, node_id: str, kind: str, text: str, recorded: str) -> int:
        """The node that stands for a belief; it has no name that a text could mention."""
        found = self.ids.get(node_id, -1)
        if found < 0:
            found = self._add(node_id, kind, text, recorded)
        self.nodes[found].name = self.nodes[found].bridge = text
        return found

    def link(self, into: str, others: Iterable[str], recorded: str) -> None:
        """Make these ids one with `into`."""
        root = self.end(into, recorded)
        for other in others:
            self._join(root, self.end(other, recorded))

    def split(self, node_ids: Iterable[str]) -> None:
        """Make these ids stand for themselves again."""
        for number in (self.ids[node_id] for node_id in node_ids if node_id in self.ids):
            root = self.root[number]
            rest = [member for member in self.members(root) if member != number]
            self.root[number] = number
            self.group.pop(root, None)
            for member in rest:
                self.root[member] = rest[0]
            if len(rest) > 1:
                self.group[rest[0]] = rest

    def remove(self, node_id: str) -> Sequence[int]:
        """Take the node and all that is one with it out; answers their numbers. A later mention makes a new one."""
        found = list(self.same(node_id))
        for number in found:
            node = self.nodes[number]
            self.ids.pop(node.id, None)
            for key in (node.aliases or {}) | {name_key(node.name, node.type): "", name_key(node.id): ""}:
                self._forget_name(self.names, key, number)
            self._forget_name(self._first, words_of(node.name, node.type).partition(" ")[0], number)
            node.gone = True
        return found

    def _new(self, node_id: str, kind: str, name: str, recorded: str) -> int:
        number = self._add(node_id, kind, name, recorded)
        self.names.setdefault(name_key(name, kind), []).append(number)
        self._note_first(number, name)
        return number

    def _note_first(self, number: int, name: str) -> None:
        """Let a person be found by the first word of this full name."""
        if self.nodes[number].type != PERSON:
            return
        first, _, rest = words_of(name, PERSON).partition(" ")
        if rest and number not in self._first.get(first, ()):
            self._first.setdefault(first, []).append(number)

    def _add(self, node_id: str, kind: str, name: str, recorded: str) -> int:
        number = self.ids[node_id] = len(self.nodes)
        node = Node(node_id, kind, name, recorded)
        node.apart = node_id in self.apart
        self.nodes.append(node)
        self.root.append(number)
        return number

    def _complete(self, number: int) -> None:
        """Join a person of whom so far only the first name was told to the one whose full name is new."""
        node = self.nodes[number]
        if node.type != PERSON or node.apart:
            return
        first, _, rest = words_of(node.name, PERSON).partition(" ")
        if not rest or len(self._fitting(self._first.get(first, ()), PERSON)) > 1:
            return
        for other in self._fitting(self.names.get(first, ()), PERSON):
            if other != number and self.nodes[other].type == PERSON:
                self._join(other, number)

    def _adopt(self, number: int) -> None:
        """A node put by hand takes over what entries said of the only node of its type and name."""
        node = self.nodes[number]
        found = self._fitting(self.names.get(name_key(node.name, node.type), ()), node.type)
        others = [other for other in found if other != number]
        if len(others) == 1 and not node.apart:
            other = self.nodes[others[0]]
            if other.type == node.type and not other.given and not self._any_given(others[0]):
                self._join(number, others[0])

    def _any_given(self, root: int) -> bool:
        return any(self.nodes[member].given for member in self.members(root))

    def _alias(self, number: int, alias: str) -> None:
        kind = self.nodes[number].type
        if self.nodes[number].apart:
            return
        key = name_key(alias, kind)
        for other in sorted(self._fitting(self.names.get(key, ()), kind)):
            if other != self.root[number]:
                self._join(*sorted((self.root[number], other)))
        self._spell(number, alias)

    def _spell(self, number: int, name: str) -> None:
        """Note a spelling of the node's name."""
        node = self.nodes[number]
        if name == node.name:
            return
        key = name_key(name, node.type)
        if node.aliases is None:
            node.aliases = {}
        if key not in node.aliases:
            node.aliases[key] = name
            known = self.names.setdefault(key, [])
            if number not in known:
                known.append(number)
            self._note_first(number, name)

    def _fitting(self, numbers: Iterable[int], kind: str) -> set[int]:
        """The roots of those nodes that may be of that type and were not told apart."""
        return {self.root[n] for n in numbers if not self.nodes[n].apart and may_be_one(kind, self.nodes[n].type)}

    def _mentions(self, root: int) -> int:
        return sum(len(self.nodes[member].entries or ()) for member in self.members(root))

    def _join(self, root: int, other: int) -> None:
        root, other = self.root[root], self.root[other]
        if root == other:
            return
        joined = [*self.members(root), *self.members(other)]
        self.group.pop(other, None)
        self.group[root] = joined
        for member in joined:
            self.root[member] = root
        if other in self.limited:
            self.limited.add(root)

    @staticmethod
    def _forget_name(table: dict[str, list[int]], key: str, number: int) -> None:
        if number in table.get(key, ()):
            table[key].remove(number)


def naming(node: Node, told: Mapping[str, Any]) -> tuple[str, str]:
    """The type and name of a node that is told again: one that says nothing (no type, the id as name) changes nothing."""
    kind, name = told.get("type", ANYTHING), told.get("name") or told["id"]
    return node.type if kind == ANYTHING else kind, node.name if name == told["id"] else name
