"""Reranking: a model looks at the best hits once more. Where it fails, their order stays, and the recall says so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from siltstone.domain.values import Degraded, Hit
from siltstone.errors import MissingDependency, ModelError
from siltstone.ports.models import Reranker
from siltstone.retrieval.recall import Recall

PART = "rerank"


def reranked(answer: Recall, reranker: Reranker, top_k: int) -> Recall:
    """The recall in the order of the model's scores, cut to `top_k`; equal scores keep their order.

    A hit's score is then the model's, on [0, 1]: as it is where all are on [0, 1], else its logistic. What it had before
    stays in `channels` as "fused".
    """
    if not answer.hits:
        return answer
    try:
        scores = unit(reranker.rerank(answer.query, [hit.text for hit in answer.hits]))
    except (ModelError, MissingDependency) as error:
        lost = Degraded(part=PART, reason=str(error), remedy="mend the model, or set rerank.enabled to false")
        return replace(answer, hits=answer.hits[:top_k], degraded=(*answer.degraded, lost))
    ranked = sorted(zip(answer.hits, scores, strict=True), key=lambda pair: -pair[1])[:top_k]
    trace = {**answer.trace, "reranker": reranker.fingerprint, "reranked": len(scores)}
    return replace(answer, hits=tuple(_scored(hit, score) for hit, score in ranked), trace=trace)


def unit(scores: Sequence[float]) -> list[float]:
    """The scores on [0, 1] in the same order."""
    if all(0 <= score <= 1 for score in scores):
        return [round(score, 6) for score in scores]
    return [round(1 / (1 + math.exp(-max(min(score, 60.0), -60.0))), 6) for score in scores]


def _scored(hit: Hit, score: float) -> Hit:
    return replace(hit, score=score, channels={**hit.channels, "fused": hit.score, PART: score})
