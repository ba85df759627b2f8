"""Familiar names: what a text calls by a name that the graph knows, though it is not written like one (`sam`, `the api`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from siltstone.domain.graph import Claims
from siltstone.knowledge.identity import Identity
from siltstone.knowledge.lexicon import PLAIN
from siltstone.knowledge.mentions import Mention
from siltstone.knowledge.names import DATE, VAGUE, VERSION, name_key
from siltstone.text.normal import CJK

WIDTH, CHARACTERS = 4, 8
_TOKEN = re.compile(rf"[^\W\d_{CJK}](?:[^\W{CJK}]|[.'+#-](?=\w)|[+#])*|\d+(?:\.\d+)*")
_HAN = re.compile(f"[{CJK}]")
WORDS = PLAIN | frozenset(
    "amber april art august autumn baker bill bob brown chase cliff cook crystal daisy dawn dean drew earl faith frank gene ginger grace grant"
    " green guy holly hope iris ivy jack joy june lance long mark may max miles mine olive page pat pearl penny pete rain ray rich river rob"
    " robin rose ruby rust go spring swift dart react express notion slack sandy sky stone story sue summer victor violet wade will wood young"
    " zoom meta unity visa target shell gap apple amazon nice reading".split()
)
"""Names that are common words in small letters."""


class Familiar:
    """Finds the known names in a text; what was read in the same run counts as known."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._fresh: dict[str, tuple[str, str]] = {}

    def learn(self, claims: Claims) -> None:
        """Know what was just read."""
        for told in claims.entities:
            for name in (told["name"], *told.get("aliases", ())):
                self._fresh.setdefault(name_key(name, told["type"]), (told["type"], told["name"]))

    def __call__(self, text: str) -> list[Mention]:
        """The mentions, the longest first where they overlap."""
        found = sorted((*self._spaced(text), *self._unspaced(text)), key=lambda m: (m.start - m.end, m.start))
        kept: list[Mention] = []
        for mention in found:
            if not any(mention.start < other.end and other.start < mention.end for other in kept):
                kept.append(mention)
        return kept

    def _spaced(self, text: str) -> Iterator[Mention]:
        tokens = list(_TOKEN.finditer(text))
        for first, token in enumerate(tokens):
            for last in tokens[first : first + WIDTH]:
                name = text[token.start() : last.end()]
                if "\n" in name or (token is last and (len(name) < 3 or name in WORDS)):
                    continue
                yield from self._known(name, token.start())

    def _unspaced(self, text: str) -> Iterator[Mention]:
        for match in _HAN.finditer(text):
            for width in range(CHARACTERS, 1, -1):
                name = text[match.start() : match.start() + width]
                if len(name) == width:
                    yield from self._known(name, match.start())

    def _known(self, name: str, start: int) -> Iterator[Mention]:
        key = name_key(name)
        told = self._fresh.get(key)
        if told is None:
            nodes = (self._identity.nodes[number] for number in self._identity.names.get(key, ()))
            told = next(((node.type, node.name) for node in nodes if not node.gone and not node.bridge), None)
        if told is not None and told[0] not in VAGUE and told[0] not in (DATE, VERSION):
            yield Mention(type=told[0], name=told[1], start=start, end=start + len(name))
