"""Phrase lists as matchers for English, Chinese and mixed text: inflected forms, longest match, gaps.

A phrase is written as words with blanks between them. An English word in its base form also stands for its inflected
forms (`lose` for `lost`). A word in capitals (`KIN`) stands for every word of that class. `*` stands for up to three
tokens of any kind, `#` for a number in digits. A Chinese phrase of one word is written without blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from siltstone.text.lexicon_forms import CONTRACTED, IRREGULAR, RUN_TOGETHER, inflected
from siltstone.text.normal import CJK

GAP, NUMBER = "*", "#"
GAP_LENGTH = 3
_NO_GAP = frozenset(
    "and but or with for to of in on at from i we you he she they it because when that who if 和 跟 我 你 他 她 但".split()
)
_TOKEN = re.compile(rf"[{CJK}]+|[^\W\d_{CJK}]+(?:'[A-Za-z]+)?|\d+|[^\w\s]")
_HAN = re.compile(f"[{CJK}]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})
_PRONOUNS = frozenset("it he she that this there here what who where how everyone everything nobody nothing".split())
_NEAR = 24
"""A phrase that hides another begins at most so many hits away."""


class Token(NamedTuple):
    """A word in lower case, or a mark, and where it stands in the text."""

    word: str
    start: int
    end: int


class Hit(NamedTuple):
    """Tokens `first` up to, but not including, `last` say a phrase of this category."""

    category: str
    first: int
    last: int


class Lexicon:
    """Categories of phrases, looked for together. A longer phrase hides the shorter ones that lie within it.

    `skipped` words may stand between the words of a phrase. Matching is deterministic and takes time linear in the
    length of the text.
    """

    __slots__ = ("_classes", "_forms", "_han", "_longest", "_skipped", "_tree")

    def __init__(
        self,
        categories: Mapping[str, Iterable[str]],
        *,
        classes: Mapping[str, Iterable[str]] | None = None,
        skipped: Iterable[str] = (),
    ) -> None:
        self._tree: dict[str, dict] = {}  # type: ignore[type-arg]
        self._classes: dict[str, tuple[str, ...]] = {}
        self._skipped = frozenset(skipped)
        words: set[str] = set(self._skipped)
        for name, members in (classes or {}).items():
            for member in members:
                words.add(member)
                self._classes[member] = (*self._classes.get(member, ()), name)
        for category, phrases in categories.items():
            for phrase in phrases:
                words.update(phrase.split())
                _plant(self._tree, phrase.split(), category)
        self._forms = _forms(words)
        self._han = frozenset(word for word in words if _HAN.match(word))
        self._longest = max(map(len, self._han), default=1)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text: English words with short forms told apart (`don't` is `do`, `not`), Chinese words."""
        found: list[Token] = []
        for match in _TOKEN.finditer(text.translate(_QUOTES)):
            piece, start = match[0], match.start()
            if _HAN.match(piece):
                found += self._words_of(piece, start)
            else:
                found += (Token(word, start, match.end()) for word in _spelled_out(piece.lower()))
        return found

    def keys(self, word: str) -> tuple[str, ...]:
        """The word, its base forms, and the classes of all of them."""
        if word.isdigit():
            return (word, NUMBER)
        bases = (word, *self._forms.get(word, ()))
        if len(word) > 1 and word[-1] in "了过着":
            bases = (*bases, word[:-1])
        return (*bases, *(name for base in bases for name in self._classes.get(base, ())))

    def hits(self, tokens: list[Token]) -> list[Hit]:
        """The phrases in the tokens, by place; those that lie within a longer one are left out."""
        keys = [self.keys(token.word) for token in tokens]
        found = {hit for first in range(len(tokens)) for hit in self._from(tokens, keys, first)}
        ordered = sorted(found, key=lambda hit: (hit.first, -hit.last, hit.category))
        kept = []
        for at, hit in enumerate(ordered):
            near = ordered[max(0, at - _NEAR) : at + _NEAR]
            if not any(_hides(other, hit) for other in near):
                kept.append(hit)
        return kept

    def _words_of(self, run: str, offset: int) -> Iterator[Token]:
        at = 0
        while at < len(run):
            size = next(
                (n for n in range(min(self._longest, len(run) - at), 1, -1) if run[at : at + n] in self._han), 1
            )
            yield Token(run[at : at + size], offset + at, offset + at + size)
            at += size

    def _from(self, tokens: list[Token], keys: list[tuple[str, ...]], first: int) -> Iterator[Hit]:
        """Hits that begin at one token."""
        waiting = [(self._tree, first, 0, False)]
        while waiting:
            node, at, gap, ends = waiting.pop()
            if ends and "" in node:
                yield from (Hit(category, first, at) for category in node[""])
            if at >= len(tokens):
                continue
            waiting += ((node[key], at + 1, 0, True) for key in keys[at] if key in node)
            word = tokens[at].word
            if GAP in node:
                waiting.append((node[GAP], at, GAP_LENGTH, False))
            if gap and word.isalnum() and word not in _NO_GAP:
                waiting.append((node, at + 1, gap - 1, False))
            elif at > first and word in self._skipped:
                waiting.append((node, at + 1, 0, False))


def _hides(other: Hit, hit: Hit) -> bool:
    longer = other.last - other.first > hit.last - hit.first
    return longer and other.first <= hit.first and hit.last <= other.last


def _plant(tree: dict, words: list[str], category: str) -> None:  # type: ignore[type-arg]
    for word in words:
        tree = tree.setdefault(word, {})
    tree.setdefault("", set()).add(category)


def _forms(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The bases of each inflected form of these words."""
    forms: dict[str, set[str]] = {}
    for word in words:
        if word.isascii() and word.isalpha() and word.islower():
            for form in (*inflected(word), *IRREGULAR.get(word, ())):
                if form != word:
                    forms.setdefault(form, set()).add(word)
    return {form: tuple(sorted(bases)) for form, bases in forms.items()}


@lru_cache(maxsize=4096)
def _spelled_out(word: str) -> tuple[str, ...]:
    if word in RUN_TOGETHER:
        return RUN_TOGETHER[word]
    if "'" not in word.strip("'"):
        return (word,)
    base, _, rest = word.partition("'")
    if rest == "t" and base.endswith("n"):
        return (CONTRACTED.get(base, base[:-1]), "not")
    if rest == "s":
        return (base, "be") if base in _PRONOUNS else (base, "'s")
    return (base, CONTRACTED.get(rest, rest))
