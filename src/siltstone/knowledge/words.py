"""Which words the nodes of a graph hold: a small index of names, aliases, ids and contents, made when it is first asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from siltstone.knowledge.identity import Identity
from siltstone.text.tokens import terms


class Words:
    """For each word the roots that hold it; taken from the nodes as they were at `changes`."""

    def __init__(self, changes: int, identity: Identity) -> None:
        self.changes = changes
        self._nodes: dict[str, set[int]] = {}
        for number, node in enumerate(identity.nodes):
            if node.gone:
                continue
            text = " ".join((node.name, *(node.aliases or {}).values(), str(node.told.get("content", "")), node.id))
            for word in set(terms(text)):
                self._nodes.setdefault(word, set()).add(identity.root[number])

    def holding(self, wanted: Iterable[str]) -> Mapping[int, set[str]]:
        """The roots that hold some of these words, and which."""
        found: dict[int, set[str]] = {}
        for word in wanted:
            for root in self._nodes.get(word, ()):
                found.setdefault(root, set()).add(word)
        return found
