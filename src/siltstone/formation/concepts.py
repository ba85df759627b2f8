"""Concepts of everyday life: which words speak of one thing. "Sencha" and "green tea" then share more than nothing.

What a static embedder knows of rare words, and of Chinese at all, is little; the list in `concepts.txt` is general
knowledge in its place. English words are compared by their stems, Chinese ones are looked up as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from siltstone.formation.common_words import common_terms
from siltstone.text.tokens import terms

MARK = "~"
"""Begins the term of a concept, which no word of a text does."""
LIST = "concepts.txt"

_CJK = re.compile(r"[\u3400-\u9fff]")


def concepts(text: str, words: frozenset[str]) -> frozenset[str]:
    """The concepts that a text speaks of, as terms that begin with "~"; `words` are its index terms."""
    known, chinese = _words()
    found = {name for word in words for name in known.get(word, ())}
    if _CJK.search(text):
        found |= {name for word in chinese.findall(text) for name in known[word]}
    return frozenset(found)


@lru_cache(maxsize=1)
def _words() -> tuple[dict[str, tuple[str, ...]], re.Pattern[str]]:
    """(stem or Chinese word → its concepts, a pattern of all Chinese words, longest first); read on first use."""
    found: dict[str, list[str]] = {}
    common = common_terms()
    for concept, word in _listed():
        name = word if _CJK.search(word) else terms(word)[0]
        if name not in common:
            found.setdefault(name, []).append(MARK + concept)
    chinese = sorted((word for word in found if _CJK.search(word)), key=lambda word: (-len(word), word))
    return {word: tuple(dict.fromkeys(names)) for word, names in found.items()}, re.compile("|".join(chinese))


def _listed() -> Iterator[tuple[str, str]]:
    """(concept, word) for each word of the list."""
    for line in files("siltstone.formation").joinpath(LIST).read_text("utf-8").splitlines():
        concept, _, words = line.partition(": ")
        if not line.startswith("#"):
            yield from ((concept, word) for word in words.split())
