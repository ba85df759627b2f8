"""Evidence: everything that speaks for or against a row, as columns of numbers, from channels and context."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval import context
from siltstone.retrieval.channels import dates, lexical, recent, semantic
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.fusion import scaled
from siltstone.retrieval.query import Query, Request

RICH = 20
CLOSE = 0.3
"""Cosine, and date score, from which a row is a candidate although it shares no word."""
MOST = 4096
"""Rows that are looked at in full; in a larger corpus the best ones by words, meaning and time, with their neighbours."""

Scores = NDArray[np.float32]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The candidate `rows`, ascending; `columns` of evidence and `channels` on [0, 1] for show, shape (len(rows),)."""

    rows: Rows
    columns: dict[str, Scores]
    channels: dict[str, Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the channels say of every row of the corpus, under the mask; `session` is by group. None: did not take part."""

    raw: Scores
    session: Scores
    meaning: Scores | None
    said: Scores | None
    meant: Scores | None
    recent: Scores | None


def gather(
    corpus: Corpus, asked: Request, query: Query, vector: NDArray[np.float32] | None, allowed: NDArray[np.bool_]
) -> Evidence:
    """All evidence for the query. A candidate shares a word, a meaning, a time or the open session, or is next to one."""
    found = _ask(corpus, asked, query, vector, allowed)
    rows = _candidates(corpus, found, allowed)
    words, group = scaled(found.raw), corpus.group.view[rows]
    columns = {
        "words": words[rows],
        "words_near": context.neighbours(corpus, words, rows),
        "session_words": scaled(found.session)[group],
        "session_best": context.session_best(corpus, words)[group],
        **_form(corpus, query, rows),
    }
    channels = {"lexical": np.minimum(found.raw[rows] / lexical.ceiling(corpus, query.terms), 1)}
    if found.meaning is not None:
        channels["semantic"] = columns["meaning"] = found.meaning[rows]
        columns["meaning_near"] = context.neighbours(corpus, found.meaning, rows)
        columns["session_meaning"] = context.session_best(corpus, found.meaning)[group]
    if found.said is not None and found.meant is not None:
        columns |= {"said_then": found.said[rows], "meant_then": found.meant[rows]}
        channels["dates"] = np.maximum(columns["said_then"], columns["meant_then"])
    if found.recent is not None:
        channels["recent"] = columns["recent"] = found.recent[rows]
    return Evidence(rows=rows, columns=columns, channels=channels)


def _ask(
    corpus: Corpus, asked: Request, query: Query, vector: NDArray[np.float32] | None, allowed: NDArray[np.bool_]
) -> Found:
    """Each channel's answer."""
    raw, session = lexical.scores(corpus, query.terms, allowed)
    meaning = None if vector is None else np.where(allowed, semantic.scores(corpus, vector), np.float32(0))
    said, meant = dates.scores(corpus, query.windows) if query.windows else (None, None)
    open_session = None if asked.recent_session is None else recent.scores(corpus, asked.recent_session)
    return Found(raw=raw, session=session, meaning=meaning, said=said, meant=meant, recent=open_session)


def _candidates(corpus: Corpus, found: Found, allowed: NDArray[np.bool_]) -> Rows:
    """The allowed rows with any evidence; in a large corpus the best of them and their neighbours."""
    promise = found.raw.copy()
    hit = found.raw > 0
    for scores, least in ((found.meaning, CLOSE), (found.said, CLOSE), (found.meant, CLOSE), (found.recent, 0.0)):
        if scores is not None:
            hit |= scores > least
            promise += scores * max(float(found.raw.max(initial=0.0)), 1.0)
    rows = np.flatnonzero(hit & allowed)
    if len(rows) > MOST:
        least = np.partition(promise[rows], len(rows) - MOST)[len(rows) - MOST]
        rows = rows[promise[rows] >= least]
    chosen = context.around(corpus, rows)
    if corpus.size <= MOST:
        chosen |= found.session[corpus.group.view] > 0
    return np.flatnonzero(chosen & allowed)


def _form(corpus: Corpus, query: Query, rows: Rows) -> dict[str, Scores]:
    """What speaks for a row whatever its words: who said it, whether it tells or asks, how much it says, its times."""
    asks = corpus.asks.view
    speaker = np.full(len(rows), 0.5, np.float32)
    if query.speaker >= 0:
        speaker = (corpus.speaker.view[rows] == query.speaker).astype(np.float32)
    return {
        "speaker": speaker,
        "asks": asks[rows].astype(np.float32),
        "answers": context.before(corpus, asks, rows).astype(np.float32),
        "richness": np.log1p(np.minimum(corpus.length.view[rows], RICH)),
        "dated": corpus.dated.view[rows] * np.float32(query.asks_when),
    }
