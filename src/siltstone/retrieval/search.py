"""Search: the stages of the read path, in order, over one user's corpus."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY, Degraded, Hit, parse_time
from siltstone.ports.stores import Partition
from siltstone.retrieval import dictionary, evidence, factors, floor, fusion
from siltstone.retrieval.associations import Associated, associated
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.embedding import PART
from siltstone.retrieval.evidence import Meaning
from siltstone.retrieval.mask import ENTRY_KINDS, mask, tagged
from siltstone.retrieval.query import Request, read, request
from siltstone.retrieval.recall import Recall
from siltstone.settings import Settings

__all__ = ["Ranked", "Row", "gaps", "recall", "records", "request", "run"]

Scores = NDArray[np.float32]
POOL = 50
"""Rows beyond twice `top_k` that are ranked in full before the cut, so that a factor can lift one into the answer."""
BEHIND = 0.9
"""Share of the last direct hit's score that the best associated memory gets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One ranked row: whose it is, its score, and what made it."""

    id: str
    kind: str
    score: float
    channels: Mapping[str, float] = field(default_factory=dict)
    factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The rows that a query found, best first, and how."""

    rows: tuple[Row, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)


def run(corpus: Corpus, asked: Request, *, meant: Meaning, settings: Settings) -> Ranked:
    """The best rows for the request: evidence, fusion, factors, floor, cut; then what is associated with them."""
    if not corpus.count:
        return Ranked(trace={"terms": [], "rows": 0, "candidates": 0})
    began = time.perf_counter()
    asked = replace(asked, wanted=tagged(asked.wanted, settings.recall.tags))
    query = read(asked, corpus)
    if settings.synonyms.chinese_words:
        query = replace(query, terms=dictionary.refined(query.terms, asked.text, corpus))
    allowed = mask(corpus, asked.wanted, asked.now)
    found = evidence.gather(corpus, asked, query, meant, allowed, settings.recall)
    scores = score(found)
    pool = order(corpus, found.rows, scores, 2 * asked.top_k + POOL)
    made = factors.apply(corpus, found.rows[pool], asked.now, settings)
    final = np.prod([scores[pool], *made.values()], axis=0)
    best = order(corpus, found.rows[pool], final, asked.top_k)
    by = floor.calibration(found, query, meant.first.model if meant.first else "")
    grounds = floor.grounds(found, query, pool[best])
    sure = floor.confidence(grounds, rows=int(np.count_nonzero(allowed)), by=by)
    least = floor.threshold(settings.recall.floor, by)
    rows = tuple(
        _row(corpus, found, int(pool[n]), float(final[n]), {name: float(made[name][n]) for name in made})
        for n in (best if sure >= least else ())
    )
    trace = {"terms": list(query.terms), "windows": query.windows, "rows": corpus.count, "candidates": len(found.rows)}
    if rows and len(rows) < asked.top_k:
        bonds = associated(corpus, asked.text, allowed, found.rows[pool[best]].tolist(), settings.synonyms)
        rows += _behind(corpus, asked, rows[-1].score, bonds, settings)[: asked.top_k - len(rows)]
    trace |= {"confidence": round(sure, 3), "floor": least}
    trace["grounds"] = {name: round(value, 4) for name, value in grounds.items()}
    trace["ms"] = round(1000 * (time.perf_counter() - began), 3)
    return Ranked(rows=rows, trace=trace)


def _behind(corpus: Corpus, asked: Request, least: float, bonds: Associated, settings: Settings) -> tuple[Row, ...]:
    """The associated rows, best first, all below `least`, the score of the last direct hit, in the places left."""
    made = factors.apply(corpus, bonds.rows, asked.now, settings)
    worth = np.prod([bonds.strengths, *made.values()], axis=0)
    scores = least * BEHIND * worth / max(float(worth.max(initial=0.0)), 1e-9)
    rows = [
        Row(
            id=corpus.ids[row],
            kind=corpus.kinds.name(corpus.kind[row]) or "",
            score=round(float(scores[n]), 6),
            channels={"associated": round(float(bonds.strengths[n]), 6)},
            factors={name: round(float(values[n]), 6) for name, values in made.items()},
        )
        for n, row in enumerate(bonds.rows.tolist())
    ]
    return tuple(sorted(rows, key=lambda row: -row.score))


def score(found: evidence.Evidence) -> Scores:
    """The fused score of each candidate on [0, 1): 1 − exp(−sum / 8), which keeps the order and spreads the values."""
    fused = fusion.fuse(found.columns, fusion.weights(found.columns))
    spread: Scores = -np.expm1(-np.maximum(fused, 0) / fusion.SPREAD)
    return spread


def order(corpus: Corpus, rows: NDArray[np.intp], scores: Scores, count: int) -> NDArray[np.intp]:
    """The places in `rows` of the `count` best, best first; ties go to the earlier memory."""
    places = np.arange(len(rows))
    if len(rows) > 4 * count:
        floor = np.partition(scores, len(scores) - count)[len(scores) - count]
        places = np.flatnonzero(scores >= floor)
    return places[np.lexsort((corpus.origin.view[rows[places]], -scores[places]))][:count]


def gaps(corpus: Corpus, failures: Sequence[Degraded]) -> tuple[Degraded, ...]:
    """What did not take part in this recall: the models that failed, the memories that wait for their vectors."""
    waiting = [
        Degraded(
            part=PART,
            reason=f"{missing} of {corpus.count} memories have no vector of {model} yet",
            remedy="run: siltstone reindex",
        )
        for model, missing in corpus.missing_vectors().items()
    ]
    return (*failures, *waiting)


def records(ranked: Ranked, partition: Partition) -> dict[str, Record]:
    """The records of the rows, by id: entries, and beliefs by their own kind."""
    named: dict[str, list[str]] = {}
    for row in ranked.rows:
        named.setdefault(ENTRY if row.kind in ENTRY_KINDS else row.kind, []).append(row.id)
    return {key: record for kind, ids in named.items() for key, record in partition.get_many(kind, ids).items()}


def recall(asked: Request, ranked: Ranked, found: Mapping[str, Record], degraded: tuple[Degraded, ...]) -> Recall:
    """The public answer, with the texts of the rows; rows that vanished since are left out."""
    hits = tuple(_hit(row, found[row.id]) for row in ranked.rows if row.id in found)
    return Recall(query=asked.text, hits=hits, degraded=degraded, trace=ranked.trace)


def _row(corpus: Corpus, found: evidence.Evidence, place: int, score: float, made: Mapping[str, float]) -> Row:
    row = int(found.rows[place])
    return Row(
        id=corpus.ids[row],
        kind=corpus.kinds.name(corpus.kind[row]) or "",
        score=round(min(score, 1.0), 6),
        channels={name: round(float(scores[place]), 6) for name, scores in found.channels.items()},
        factors={name: round(value, 6) for name, value in made.items()},
    )


def _hit(row: Row, record: Record) -> Hit:
    body = record.body
    occurred, recorded = parse_time(body["occurred_at"]), parse_time(body["recorded_at"])
    assert occurred is not None and recorded is not None
    return Hit(
        id=row.id,
        kind=row.kind,
        text=body["text"],
        score=row.score,
        occurred_at=occurred,
        recorded_at=recorded,
        speaker=body.get("speaker"),
        agent_id=body.get("agent_id"),
        session_id=body.get("session_id"),
        tags=tuple(body.get("tags", ())),
        metadata=body.get("metadata", {}),
        channels=row.channels,
        factors=row.factors,
        provenance={"seq": record.origin, "session_id": body.get("session_id"), "revision": body.get("revision", 1)},
    )
