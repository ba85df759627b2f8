"""Evidence: everything that speaks for or against a row, as columns of numbers, from channels and context."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from siltstone.ports.models import Thesaurus
from siltstone.retrieval import context
from siltstone.retrieval.channels import dates, graph, lexical, recent, semantic
from siltstone.retrieval.channels.lexical import Match
from siltstone.retrieval.channels.semantic import Sight
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.mask import counted
from siltstone.retrieval.query import Query, Request
from siltstone.retrieval.synonyms import widened
from siltstone.settings import RecallSettings
from siltstone.text.tokens import terms

CLOSE = 0.3
"""Cosine, and date score, from which a row is a candidate although it shares no word."""
FEW, FAINT = 200, 0.15
"""Rows up to which a cosine of so little is enough: in a small memory the best one may be the answer, as the floor decides."""
ENOUGH = 8
"""Words that are enough to be sure, however long the query is."""
LOOKED_UP = 3
"""Words of a query that no row holds, for which words like them are looked up."""
MOST = 1024
"""Rows that are looked at in full; in a larger corpus the best ones by words, meaning and time, with their neighbours."""

Scores = NDArray[np.float32]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The candidate `rows`, ascending; `columns` of evidence and `channels` on [0, 1] for show, shape (len(rows),).

    `covered` is the share of the query's idf that each row and its neighbours hold, on [0, 1].
    """

    rows: Rows
    columns: dict[str, Scores]
    channels: dict[str, Scores]
    covered: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the channels say, under the mask: of every row (padded with one zero), `session` and `present` of every group.

    None: did not take part.
    """

    words: tuple[Match, ...]
    raw: Scores
    session: Scores
    meaning: Scores | None
    sense: Scores | None
    said: Scores | None
    meant: Scores | None
    recent: Scores | None
    linked: Scores | None
    present: Scores | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What the embedders say of a query, and the words that are like its words; None where they cannot.

    `first` is the model of every write, `second` the better and slower one that may stand beside it.
    """

    first: Sight | None = None
    second: Sight | None = None
    thesaurus: Thesaurus | None = None


def gather(
    corpus: Corpus, asked: Request, query: Query, meant: Meaning, allowed: NDArray[np.bool_], limits: RecallSettings
) -> Evidence:
    """All evidence for the query. A candidate shares a word, a meaning, a time or the open session, or is next to one."""
    found = _ask(corpus, asked, query, meant, allowed)
    window = context.Window.of(corpus, _candidates(corpus, found, allowed, limits))
    rows, group = window.rows, corpus.group.view[window.rows]
    total = lexical.weight(found.words)
    root, needed = np.float32(np.sqrt(total)), np.float32(_needed(found.words))
    own, near = _coverage(corpus, found.words, window)
    columns = {
        "words": own / root,
        "words_near": near / root,
        "session_words": found.session[group] / root,
        "present": np.zeros(len(group), np.float32)
        if found.present is None
        else found.present[group] / _breadth(query),
        "neighbour_words": window.neighbours(found.raw) / root,
        **_form(corpus, query, window, found.raw / root),
    }
    channels = {"lexical": np.minimum(found.raw[rows] / total, 1)}
    if found.meaning is not None:
        channels["semantic"] = columns["meaning"] = found.meaning[rows]
        columns["meaning_near"] = window.neighbours(found.meaning)
        columns["session_meaning"] = context.session_best(corpus, found.meaning)[group]
    if found.sense is not None:
        channels["sense"] = columns["sense"] = found.sense[rows]
        columns["sense_near"] = window.neighbours(found.sense)
        columns["session_sense"] = context.session_best(corpus, found.sense)[group]
    if found.said is not None and found.meant is not None:
        columns |= {"said_then": found.said[rows], "meant_then": found.meant[rows]}
        channels["dates"] = np.maximum(columns["said_then"], columns["meant_then"])
    if found.recent is not None:
        channels["recent"] = columns["recent"] = found.recent[rows]
    if found.linked is not None:
        channels["graph"] = columns["linked"] = found.linked[rows]
    return Evidence(rows=rows, columns=columns, channels=channels, covered=np.minimum(near / needed, 1))


def _ask(corpus: Corpus, asked: Request, query: Query, meant: Meaning, allowed: NDArray[np.bool_]) -> Found:
    """Each channel's answer."""
    among = lexical.Population.of(corpus, counted(corpus, asked.wanted))
    like, same = _alike(query, meant.thesaurus, corpus), widened(query.terms, corpus)
    words = lexical.matches(corpus, query.terms, allowed, like, same, among)
    meaning = semantic.scores(corpus, meant.first)
    sense = semantic.scores(corpus, meant.second, meaning)
    said, then = dates.scores(corpus, query.windows) if query.windows else (None, None)
    open_session = None if asked.recent_session is None else recent.scores(corpus, asked.recent_session)
    return Found(
        words=tuple(words),
        raw=lexical.bm25(corpus, words, among),
        session=lexical.session_bm25(corpus, words, among),
        meaning=None if meaning is None else _padded(meaning, allowed),
        sense=None if sense is None else _padded(sense, allowed),
        said=None if said is None else _padded(said, allowed),
        meant=None if then is None else _padded(then, allowed),
        recent=None if open_session is None else _padded(open_session, allowed),
        linked=None if not asked.linked else _padded(graph.scores(corpus, asked.linked), allowed),
        present=context.taking_part(corpus, query.named) if query.named else None,
    )


def _alike(query: Query, thesaurus: Thesaurus | None, corpus: Corpus) -> dict[str, list[tuple[str, float]]]:
    """For each of the query's terms that no row holds, the terms of the corpus that are like it, closest first."""
    frequency = corpus.postings.frequency
    unseen = [term for term in query.terms if term in query.surfaces and not frequency(term)][:LOOKED_UP]
    words = {term: query.surfaces[term] for term in unseen}
    if thesaurus is None or not words:
        return {}
    found: dict[str, list[tuple[str, float]]] = {}
    for term, related in zip(words, thesaurus.related(list(words.values())), strict=True):
        stems = ((_stem(other), closeness) for other, closeness in related)
        found[term] = [(stem, closeness) for stem, closeness in stems if stem != term and frequency(stem)]
    return found


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    """The index term of one plain word."""
    return terms(word)[0]


def _padded(scores: Scores, allowed: NDArray[np.bool_]) -> Scores:
    """The scores of allowed rows, 0 for the others, and one 0 more."""
    padded = np.zeros(len(scores) + 1, np.float32)
    np.multiply(scores, allowed, out=padded[:-1])
    return padded


def _candidates(corpus: Corpus, found: Found, allowed: NDArray[np.bool_], limits: RecallSettings) -> Rows:
    """The allowed rows with any evidence and their neighbours; in a large corpus the best of them."""
    hit, promise = _best(found.raw, found.raw > 0, limits.lexical_candidates), found.raw.copy()
    alike = FAINT if np.count_nonzero(allowed) <= FEW else CLOSE
    scale = max(float(found.raw.max(initial=0.0)), 1.0)
    for scores, least in (
        (found.meaning, alike),
        (found.sense, alike),
        (found.said, CLOSE),
        (found.meant, CLOSE),
        (found.recent, 0.0),
        (found.linked, 0.0),
    ):
        if scores is not None:
            by_meaning = scores is found.meaning or scores is found.sense
            hit |= _best(scores, scores > least, limits.semantic_candidates if by_meaning else 0)
            promise += scores * np.float32(scale)
    if found.present is not None:
        promise[:-1] += found.present[corpus.group.view] * np.float32(scale)
    rows = np.flatnonzero(hit)
    if len(rows) > MOST:
        least_promise = np.partition(promise[rows], len(rows) - MOST)[len(rows) - MOST]
        rows = rows[promise[rows] >= least_promise]
    chosen = context.around(corpus, rows)
    if corpus.size <= MOST and not limits.lexical_candidates:
        chosen |= found.session[corpus.group.view] > 0
    return np.flatnonzero(chosen & allowed)


def _best(scores: Scores, hit: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    """Of the hit rows the `most` with the best scores, those equal to the last included; all for 0."""
    if most <= 0 or np.count_nonzero(hit) <= most:
        return hit
    found = scores[hit]
    best: NDArray[np.bool_] = hit & (scores >= np.partition(found, len(found) - most)[len(found) - most])
    return best


def _coverage(corpus: Corpus, words: tuple[Match, ...], window: context.Window) -> tuple[Scores, Scores]:
    """The idf of the query's words that each row holds itself, and that it or its neighbours hold."""
    own, near = np.zeros(len(window.rows), np.float32), np.zeros(len(window.rows), np.float32)
    for match in words:
        held = match.presence(corpus.size)
        own += np.float32(match.idf) * held[window.rows]
        near += np.float32(match.idf) * window.covered(held)
    return own, near


def _needed(words: tuple[Match, ...]) -> float:
    """The idf that a row with all that was asked has: that of the query's words, or of the weightiest of a long one."""
    return max(sum(sorted((match.idf for match in words), reverse=True)[:ENOUGH]), 1e-9)


def _breadth(query: Query) -> np.float32:
    """What evidence of who spoke is divided by: the more words there are to go by, the less it counts."""
    return np.float32(np.sqrt(max(len(query.terms), 1)))


def _form(corpus: Corpus, query: Query, window: context.Window, raw: Scores) -> dict[str, Scores]:
    """What speaks for a row whatever its words: who said it, whether it tells or asks, its times and names."""
    form = {name: column.view[window.rows].astype(np.float32) for name, column in corpus.form.items()}
    speaker = np.full(len(window.rows), 0.5, np.float32)
    if query.about >= 0:
        speaker = (corpus.speaker.view[window.rows] == query.about).astype(np.float32)
    dated = corpus.dated.view[window.rows].astype(np.float32)
    asked = np.append(corpus.form["has_question"].view, 0).astype(np.float32) * raw
    return {
        "speaker": speaker / _breadth(query),
        "asks": form["asks"],
        "answers": window.before(asked),
        "first_person": form["first"],
        "second_person": form["second"],
        "reacts": form["reacts"],
        "dated": dated,
        "dated_when": dated * np.float32(query.asks_when),
        "names_who": form["names"] * np.float32(query.asks_name),
    }
