"""Synonyms: which words of a query stand for others, by the user's own table. One step, in the query alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from siltstone.retrieval.corpus import Corpus
from siltstone.text.normal import fold, is_cjk
from siltstone.text.tokens import query_terms

MOST_PHRASES = 32
"""Phrases that one word is widened to."""

Phrase = tuple[str, ...]
"""The index terms of a word or phrase: a row says it where it holds all of them."""


def word_key(word: str) -> str:
    """The form under which a word stands in the table: folded, blanks single."""
    return " ".join(fold(word).split())


def widened(terms: Sequence[str], corpus: Corpus) -> dict[str, list[Phrase]]:
    """For each of the query's terms the phrases that say the same: both ways, one step, those of the query left out."""
    if not corpus.synonyms:
        return {}
    asked, found = set(terms), dict[str, list[Phrase]]()
    for word, other in _pairs(corpus.synonyms):
        key, phrase = _key(word), _phrase(other)
        if key and phrase and asked.issuperset(key) and not asked.issuperset(phrase):
            for term in key:
                phrases = found.setdefault(term, [])
                if phrase not in phrases and len(phrases) < MOST_PHRASES:
                    phrases.append(phrase)
    return found


def _pairs(table: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    for word in sorted(table):
        for other in table[word]:
            yield word, other
            yield other, word


def _key(word: str) -> Phrase:
    """The terms that a query has which names the word."""
    return tuple(query_terms(word))


def _phrase(word: str) -> Phrase:
    """The terms that a text has which says the word; of a word in CJK script its pairs, which stand for their characters."""
    terms = query_terms(word)
    pairs = [term for term in terms if not (len(term) == 1 and is_cjk(term))]
    return tuple(pairs or terms)
