"""Entailment by a server in the text-embeddings-inference form: `POST /predict` with pairs of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from siltstone.domain.verdicts import Verdict
from siltstone.errors import InvalidInput, ModelAnswerInvalid
from siltstone.models.http import JsonServer
from siltstone.models.numbers import is_score

PATH = "/predict"
BATCH = 32
TEXT_LIMIT = 1_000
SUM_SLACK = 0.02
LABELS = {
    "entailment": "entailment",
    "entail": "entailment",
    "neutral": "neutral",
    "contradiction": "contradiction",
    "contradict": "contradiction",
}
MEANINGS = frozenset(LABELS.values())


class EndpointEntailment:
    """Judges pairs of statements; each statement is cut to its first 1,000 characters.

    `labels` maps the model's own label names to "entailment", "neutral" and "contradiction". It is needed only for
    models that name none (LABEL_0 …), whose order differs from model to model: no order is ever guessed.
    """

    def __init__(self, server: str | JsonServer, *, model: str = "", labels: Mapping[str, str] | None = None) -> None:
        self._server = JsonServer(server) if isinstance(server, str) else server
        self._model = model
        self._labels = LABELS | {name.lower(): meaning for name, meaning in (labels or {}).items()}
        if labels and set(labels.values()) != MEANINGS:
            raise InvalidInput(f"the labels {dict(labels)} do not name {', '.join(sorted(MEANINGS))}; map all three")

    def __repr__(self) -> str:
        return f"EndpointEntailment({self._server!r}, model={self._model!r})"

    @property
    def fingerprint(self) -> str:
        """The model's name, to be recorded with each verdict."""
        return f"endpoint/{self._model or 'predict'}"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """A verdict for each (premise, hypothesis). Raises ModelUnavailable or ModelAnswerInvalid."""
        found: list[Verdict] = []
        for start in range(0, len(pairs), BATCH):
            batch = [[first[:TEXT_LIMIT], second[:TEXT_LIMIT]] for first, second in pairs[start : start + BATCH]]
            found += self._verdicts(self._server.post_json(PATH, {"inputs": batch}), len(batch))
        return found

    def close(self) -> None:
        """Releases the connections; the next call opens new ones."""
        self._server.close()

    def _verdicts(self, answer: Any, count: int) -> list[Verdict]:
        if count == 1 and isinstance(answer, list) and answer and isinstance(answer[0], dict):
            answer = [answer]
        if not isinstance(answer, list) or len(answer) != count:
            size = len(answer) if isinstance(answer, list) else repr(answer)[:60]
            raise ModelAnswerInvalid(f"the entailment server answered {size} for {count} pairs; check its address")
        return [self._verdict(labels) for labels in answer]

    def _verdict(self, labels: Any) -> Verdict:
        scores: dict[str, float] = {}
        for item in labels if isinstance(labels, list) else ():
            name = str(item.get("label")).lower() if isinstance(item, dict) else ""
            if name not in self._labels:
                raise ModelAnswerInvalid(
                    f"the entailment server's label {name!r} has no known meaning; give `labels`, from its model's card"
                )
            scores[self._labels[name]] = item.get("score")
        if scores.keys() != MEANINGS or not all(is_score(score) for score in scores.values()):
            raise ModelAnswerInvalid(
                f"the entailment server answered {labels!r}; it needs one score from 0 to 1 a label"
            )
        if abs(sum(scores.values()) - 1) > SUM_SLACK:
            raise ModelAnswerInvalid(f"the entailment scores {scores} do not add up to 1; use a three-way model")
        return Verdict(**scores)
