"""Blend: every row scored by likeness and by the graph, Final = V·(1 − α) + G·α, with nothing else in it.

V is the greater of the cosine, clipped at 0, and the keyword score (BM25 over the summed idf of the query's words, at
most 1). G is the best score of the anchors that a row is about. The formula is that of Semantica's context reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.values import ENTRY
from siltstone.retrieval.channels import lexical, semantic
from siltstone.retrieval.channels.semantic import Sight
from siltstone.retrieval.corpus import Corpus
from siltstone.text.tokens import query_terms, terms

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A node that a row may be about: by the entries that it was read from, or by one of its names in the text."""

    id: str
    score: float
    names: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """What is blended: the query's vector or, where another store keeps the vectors, its cosines by id; α; the anchors."""

    alpha: float = 0.0
    vector: NDArray[np.float32] | None = None
    cosines: Mapping[str, float] | None = None
    anchors: Sequence[Anchor] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Blended:
    """One row's scores on [0, 1], and the ids of the anchors that it is about, best first."""

    id: str
    score: float
    vector: float
    keyword: float
    graph: float
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """The best rows, best first, and the ids of all anchors that some allowed row is about."""

    rows: tuple[Blended, ...] = ()
    held: frozenset[str] = field(default_factory=frozenset)


def blend(corpus: Corpus, query: str, mixture: Mixture, allowed: NDArray[np.bool_], top_k: int) -> Blend:
    """The `top_k` best allowed rows with a score above 0; ties go to what occurred last, then by id."""
    if not corpus.count:
        return Blend()
    words = lexical.matches(corpus, query_terms(query), allowed)
    keyword = np.minimum(lexical.bm25(corpus, words)[:-1] / lexical.weight(words), 1)
    cosine = np.where(allowed, _cosines(corpus, mixture), 0)
    likeness = np.maximum(cosine, keyword)
    about = {anchor.id: rows for anchor in mixture.anchors if len(rows := _rows(corpus, anchor, allowed))}
    graph = np.zeros(corpus.size, np.float64)
    for anchor in mixture.anchors:
        if anchor.id in about:
            rows = about[anchor.id]
            graph[rows] = np.maximum(graph[rows], anchor.score)
    final = likeness * (1 - mixture.alpha) + graph * mixture.alpha
    best = _order(corpus, final, top_k)
    held = _anchors(about, mixture.anchors, best)
    rows_found = tuple(
        Blended(
            id=corpus.ids[row],
            score=float(final[row]),
            vector=float(likeness[row]),
            keyword=float(keyword[row]),
            graph=float(graph[row]),
            anchors=tuple(held.get(row, ())),
        )
        for row in map(int, best)
    )
    return Blend(rows=rows_found, held=frozenset(about))


def _cosines(corpus: Corpus, mixture: Mixture) -> NDArray[np.float64]:
    """The cosine of each row on [0, 1], shape (corpus.size,)."""
    found = np.zeros(corpus.size, np.float64)
    if mixture.cosines is not None:
        for memory_id, score in mixture.cosines.items():
            row = corpus.row(ENTRY, memory_id)
            if row >= 0:
                found[row] = min(max(score, 0.0), 1.0)
    elif mixture.vector is not None:
        first = next(iter(corpus.vectors), "")
        cosines = semantic.scores(corpus, Sight(first, mixture.vector))
        found[:] = 0 if cosines is None else cosines
    return found


def _order(corpus: Corpus, final: NDArray[np.float64], top_k: int) -> NDArray[np.intp]:
    """The rows of the `top_k` best scores above 0, best first."""
    places = np.flatnonzero(final > 0)
    if len(places) > top_k:
        least = np.partition(final[places], len(places) - top_k)[len(places) - top_k]
        places = places[final[places] >= least]
    occurred = corpus.occurred.view
    ranked = sorted(map(int, places), key=lambda row: (-final[row], -occurred[row], corpus.ids[row]))
    return np.array(ranked[:top_k], np.intp)


def _anchors(
    about: Mapping[str, NDArray[np.intp]], anchors: Sequence[Anchor], best: Sequence[int] | NDArray[np.intp]
) -> dict[int, list[str]]:
    """For each of the best rows the anchors that it is about, best first."""
    wanted, found = {int(row) for row in best}, dict[int, list[str]]()
    for anchor in sorted(anchors, key=lambda item: -item.score):
        for row in about.get(anchor.id, ()):
            if int(row) in wanted:
                found.setdefault(int(row), []).append(anchor.id)
    return found


def _rows(corpus: Corpus, anchor: Anchor, allowed: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The allowed rows that the anchor was read from or is named in."""
    rows = {row for entry in anchor.entries if (row := corpus.row(ENTRY, entry)) >= 0}
    for name in anchor.names:
        rows.update(_naming(corpus, _terms(name)))
    found = np.array(sorted(rows), np.intp)
    return found[allowed[found]] if len(found) else found


def _naming(corpus: Corpus, phrase: tuple[str, ...]) -> list[int]:
    """The rows that hold these terms one after another."""
    lists = [corpus.postings.rows(term) for term in dict.fromkeys(phrase)]
    held = [found[0] for found in lists if found is not None]
    if not phrase or len(held) < len(lists):
        return []
    rows, *others = sorted(held, key=len)
    for other in others:
        places = np.minimum(np.searchsorted(other, rows), len(other) - 1)
        rows = rows[other[places] == rows]
    if len(phrase) == 1:
        return list(map(int, rows))
    text = f" {' '.join(phrase)} "
    return [row for row in map(int, rows) if text in f" {corpus.terms[row]} "]


@lru_cache(maxsize=16_384)
def _terms(name: str) -> tuple[str, ...]:
    """A name's index terms; () for one that is made of function words alone."""
    return tuple(terms(name))
