"""The lexical channel: which rows hold a query's words; BM25 of rows, and of sessions taken as one document each.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
idf = ln(1 + (N − df + .5) / (df + .5)), k1 = 0.9, b = 0.4 (short texts). Statistics are those of the user's live rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus

K1, B = 0.9, 0.4
NOWHERE = np.zeros(0, np.uint32), np.zeros(0, np.uint16)
SAME = 0.6
"""What it counts that a row holds a synonym of a word in place of the word."""

Related = Sequence[tuple[str, float]]
"""(term, closeness on (0, 1]), closest first."""
Scores = NDArray[np.float32]
Held = tuple[NDArray[np.uint32], NDArray[np.uint16]]
"""The rows that hold a term, and how often each does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A query's word: its idf (the greatest for a word that no row has), and the allowed rows that hold it how often.

    `near` are the rows of words like it, with their closeness, the closest last; `same` the rows that hold a synonym
    of the user's table and not the word.
    """

    term: str
    idf: float
    rows: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    near: tuple[tuple[NDArray[np.uint32], float], ...] = ()
    same: NDArray[np.uint32] = field(default_factory=lambda: NOWHERE[0])

    def presence(self, size: int) -> Scores:
        """1 for each row that holds the word, the closeness for one that holds a word like it, else 0; padded with 0."""
        held = np.zeros(size + 1, np.float32)
        for rows, closeness in self.near:
            held[rows] = closeness
        held[self.same] = np.maximum(held[self.same], np.float32(SAME))
        held[self.rows] = 1
        return held


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """The live rows that statistics are of (None: all), how many they are, their length in words, their sessions.

    What was formed from entries says their words again: a recall of entries alone is not to count it.
    """

    rows: NDArray[np.bool_] | None
    count: int
    length: float
    sessions: int

    @classmethod
    def of(cls, corpus: Corpus, rows: NDArray[np.bool_] | None = None) -> Population:
        """The population of these live rows."""
        if rows is None:
            sessions = int(np.count_nonzero(corpus.group_rows.view))
            return cls(rows=None, count=corpus.count, length=corpus.total_length, sessions=sessions)
        held = np.bincount(corpus.group.view[rows], minlength=1)
        length = float(corpus.length.view[rows].sum())
        return cls(rows=rows, count=int(np.count_nonzero(rows)), length=length, sessions=int(np.count_nonzero(held)))

    def frequency(self, corpus: Corpus, term: str) -> int:
        """How many of the rows hold the term."""
        if self.rows is None:
            return corpus.postings.frequency(term)
        return int(np.count_nonzero(self.rows[(corpus.postings.rows(term) or NOWHERE)[0]]))


def inverse_frequency(found: int, total: int) -> float:
    """idf of a term that `found` of `total` documents hold."""
    return math.log(1 + (total - found + 0.5) / (found + 0.5))


def matches(
    corpus: Corpus,
    terms: Sequence[str],
    allowed: NDArray[np.bool_],
    like: Mapping[str, Related] | None = None,
    same: Mapping[str, Sequence[Sequence[str]]] | None = None,
    among: Population | None = None,
) -> list[Match]:
    """One match a term, in order; a term without rows has empty ones.

    `like` gives the terms like a term, `same` the phrases (terms that a row must all hold) that say the same. `among`
    are the rows that how rare a term is depends on; None: all.
    """
    everything = bool(allowed.all())
    among = among or Population.of(corpus)

    def held(term: str) -> Held:
        rows, counts = corpus.postings.rows(term) or NOWHERE
        if everything:
            return rows, counts
        keep = allowed[rows]
        return rows[keep], counts[keep]

    found = []
    for term in terms:
        rows, counts = held(term)
        idf = inverse_frequency(among.frequency(corpus, term), among.count)
        near = tuple((held(other)[0], closeness) for other, closeness in reversed((like or {}).get(term, ())))
        others = [_all(phrase, held) for phrase in (same or {}).get(term, ())]
        said = np.setdiff1d(np.concatenate(others), rows) if others else NOWHERE[0]
        found.append(Match(term=term, idf=idf, rows=rows, counts=counts, near=near, same=said))
    return found


def _all(phrase: Sequence[str], held: Callable[[str], Held]) -> NDArray[np.uint32]:
    """The rows that hold all terms of the phrase."""
    rows = held(phrase[0])[0]
    for term in phrase[1:]:
        rows = np.intersect1d(rows, held(term)[0], assume_unique=True)
    return rows


def weight(found: Sequence[Match]) -> float:
    """The summed idf of a query's words, at least 1: the scale of its scores."""
    return max(sum(match.idf for match in found), 1.0)


def bm25(corpus: Corpus, found: Sequence[Match], among: Population | None = None) -> Scores:
    """BM25 of each row, padded, shape (corpus.size + 1,)."""
    total = np.zeros(corpus.size + 1, np.float32)
    among = among or Population.of(corpus)
    norm = _norm(corpus.length.view, among.length / max(among.count, 1))
    for match in found:
        total[match.rows] += match.idf * (K1 + 1) * match.counts / (match.counts + norm[match.rows])
        total[match.same] += SAME * match.idf * (K1 + 1) / (1 + norm[match.same])
    return total


def session_bm25(corpus: Corpus, found: Sequence[Match], among: Population | None = None) -> Scores:
    """BM25 of each session's rows taken as one document, by group, shape (groups,)."""
    total = np.zeros(len(corpus.group_length), np.float32)
    among = among or Population.of(corpus)
    norm = _norm(corpus.group_length.view, among.length / max(among.sessions, 1))
    for match in found:
        held = np.bincount(corpus.group.view[match.rows], weights=match.counts, minlength=len(total))
        at = np.flatnonzero(held)
        gain = inverse_frequency(len(at), among.sessions) * (K1 + 1)
        total[at] += gain * held[at] / (held[at] + norm[at])
    return total


def _norm(length: NDArray[np.float32], average: float) -> NDArray[np.float32]:
    return K1 * (1 - B + B * length / max(average, 1e-9))
