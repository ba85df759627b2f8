"""Discovery of synonyms: pairs of words with statistical evidence that they say the same, for a person to accept.

Words that come together are not synonyms for that: month and birthday do. So a pair needs Jaccard evidence, either
of the memories that hold both ("together") or of the words beside which each stands ("instead"), and distributional
evidence besides: what is said where only one of them is must be like what is said where only the other is (Harris 1954).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.dictionary import Words, runs
from siltstone.retrieval.synonyms import word_key
from siltstone.settings import SynonymSettings
from siltstone.text.tokens import surfaces
from siltstone.upkeep.report import Suggestion

TOGETHER, INSTEAD = "together", "instead"
LIKE = 0.5
"""Cosine of the surroundings from which a pair is suggested."""
SURE = 0.7
"""The same for one that the automatic mode accepts."""
APART = 3
"""Memories that must hold the one word without the other, for the evidence to mean anything."""
MOST_WORDS = 2000
MOST = 50


@dataclass(slots=True, kw_only=True)
class Word:
    """A word with the memories that hold it and the words that stand right before and after it."""

    name: str
    documents: set[int] = field(default_factory=set)
    beside: set[tuple[int, str]] = field(default_factory=set)


def suggestions(
    corpus: Corpus, texts: Mapping[str, str], table: Mapping[str, Sequence[str]], settings: SynonymSettings
) -> list[Suggestion]:
    """The pairs with evidence that `table` does not have yet, the surest first, at most fifty.

    `texts` maps the ids of memories to their words as they were said, for the names of the words.
    """
    documents = [list(_units(corpus, row)) for row in range(corpus.size) if corpus.live[row]]
    words = _words(documents, settings.min_frequency)
    names = _names(texts)
    known = {frozenset((word_key(word), word_key(other))) for word, others in table.items() for other in others}
    found = []
    for first, second in combinations(words, 2):
        kind, jaccard = _overlap(first, second, settings)
        pair = [names.get(item.name, item.name) for item in (first, second)]
        if kind and frozenset(map(word_key, pair)) not in known:
            likeness = _likeness(first, second, documents)
            if likeness >= LIKE:
                found.append(_suggestion(pair, first, second, (kind, jaccard, likeness)))
    return sorted(found, key=lambda item: (-item.likeness * item.jaccard, item.word, item.other))[:MOST]


def _suggestion(pair: Sequence[str], first: Word, second: Word, evidence: tuple[str, float, float]) -> Suggestion:
    kind, jaccard, likeness = evidence
    return Suggestion(
        word=pair[0],
        other=pair[1],
        kind=kind,
        frequencies=(len(first.documents), len(second.documents)),
        together=len(first.documents & second.documents),
        jaccard=round(jaccard, 4),
        likeness=round(likeness, 4),
    )


def _units(corpus: Corpus, row: int) -> Iterator[str]:
    """The words of a row in order: Latin terms, and words of the user's own Chinese dictionary."""
    terms = corpus.words(row)
    if corpus.terms[row].isascii():
        yield from terms
        return
    yield from (term for term in terms if term.isascii())
    words = corpus.tally(Words)
    for run in runs(terms):
        yield from (run[start:end] for start, end in words.segmented(run))


def _words(documents: Sequence[Sequence[str]], least: int) -> list[Word]:
    """The words of at least so many memories, the rarest first: no numbers, nothing shorter than three letters."""
    found: dict[str, Word] = {}
    for n, units in enumerate(documents):
        for before, unit, after in zip(["", *units], units, [*units[1:], ""], strict=False):
            if unit.isalpha() and (len(unit) > 2 or not unit.isascii()):
                word = found.setdefault(unit, Word(name=unit))
                word.documents.add(n)
                word.beside |= {(-1, before), (1, after)} - {(-1, ""), (1, "")}
    often = [word for word in found.values() if max(least, 2) <= len(word.documents) <= len(documents) / 2 + least]
    return sorted(often, key=lambda word: (len(word.documents), word.name))[:MOST_WORDS]


def _overlap(first: Word, second: Word, settings: SynonymSettings) -> tuple[str, float]:
    """Which evidence there is, and its Jaccard; ("", 0) where there is none."""
    both = len(first.documents & second.documents)
    jaccard = both / len(first.documents | second.documents)
    if both >= settings.min_together and jaccard >= settings.min_jaccard:
        return TOGETHER, jaccard
    shared = len(first.beside & second.beside)
    if shared < max(settings.min_together, 1):
        return "", 0.0
    jaccard = shared / len(first.beside | second.beside)
    return (INSTEAD, jaccard) if jaccard >= settings.min_jaccard else ("", 0.0)


def _likeness(first: Word, second: Word, documents: Sequence[Sequence[str]]) -> float:
    """Cosine of what surrounds each word where the other is not, by tf · idf; 0 where that is too little to say."""
    mine, others = first.documents - second.documents, second.documents - first.documents
    if len(mine) < APART or len(others) < APART:
        return 0.0
    left, right = (
        Counter(unit for n in held for unit in set(documents[n]) - {first.name, second.name}) for held in (mine, others)
    )
    total = len(mine) + len(others)
    weights = {unit: math.log(1 + len(documents) / (left[unit] + right[unit])) for unit in left | right}
    dot = sum(left[unit] * right[unit] * weights[unit] ** 2 for unit in left.keys() & right.keys())
    length = math.prod(
        math.sqrt(sum((count * weights[unit]) ** 2 for unit, count in side.items())) for side in (left, right)
    )
    return dot / length if length and total else 0.0


def _names(texts: Mapping[str, str]) -> dict[str, str]:
    """For each stem the word as it is said most often."""
    said: dict[str, Counter[str]] = {}
    for text in texts.values():
        for stem, word in surfaces(text).items():
            said.setdefault(stem, Counter())[word] += 1
    return {stem: min(counts, key=lambda word: (-counts[word], word)) for stem, counts in said.items()}
