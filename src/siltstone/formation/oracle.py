"""What a model was asked and said, so that a decision inside a commit never waits for one.

A stage that needs an answer looks here; where there is none it raises `Unanswered`, the caller asks the model outside
the commit, and the decision is taken again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from siltstone.domain.beliefs import Segment
from siltstone.domain.verdicts import Verdict
from siltstone.errors import ModelRefused, ModelUnavailable
from siltstone.ports.models import Entailment


class BeliefModel(Protocol):
    """A completion model as formation asks it. `name` is recorded with what it wrote. All raise ModelError."""

    @property
    def name(self) -> str:
        """What is recorded as the writer."""
        ...

    def decompose(self, text: str, *, speaker: str | None, prior: str | None) -> list[Segment]:
        """The segments of a turn."""
        ...

    def summarize(self, statements: Sequence[str]) -> str:
        """One sentence: what these statements, oldest first, share."""
        ...

    def relate(self, first: str, second: str) -> bool:
        """Whether two statements are about one topic."""
        ...

    def synthesize(self, lines: Sequence[str]) -> str:
        """One paragraph from the records of a chain, oldest first; the latest wins."""
        ...


Question = tuple[str, ...]
SUMMARIZE, RELATE, JUDGE = "summarize", "relate", "judge"
RULES = "rules/"


class Unanswered(Exception):
    """A decision needs this answer first. Never leaves the pipeline."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


@dataclass(slots=True, kw_only=True)
class Oracle:
    """Answers so far. Without a model a question has the answer None, and the stage goes by its own measure."""

    model: BeliefModel | None = None
    judge: Entailment | None = None
    answers: dict[Question, Any] = field(default_factory=dict)

    def said(self, kind: str, *texts: str) -> Any:
        """The completion model's answer; None without one. Raises Unanswered where it has to be asked for."""
        return None if self.model is None else self._answer((kind, *texts))

    def verdict(self, premise: str, hypothesis: str) -> Verdict | None:
        """The entailment verdict; None where nothing judges. Raises Unanswered where a server has to be asked."""
        if self.judge is None:
            return None
        if self.judge.fingerprint.startswith(RULES):
            return self.judge.judge([(premise, hypothesis)])[0]
        found: Verdict = self._answer((JUDGE, premise, hypothesis))
        return found

    def ask(self, question: Question) -> None:
        """Ask whoever can answer, and keep the answer. Raises ModelError."""
        kind, *texts = question
        if kind == JUDGE and self.judge is not None:
            self.answers[question] = self._judged(self.judge, texts[0], texts[1])
        elif self.model is not None:
            self.answers[question] = (
                self.model.summarize(texts) if kind == SUMMARIZE else self.model.relate(texts[0], texts[1])
            )

    def _judged(self, judge: Entailment, premise: str, hypothesis: str) -> Verdict:
        """The judge's verdict. What it refuses is its set-up and not the turn: the turn waits until that is mended."""
        try:
            return judge.judge([(premise, hypothesis)])[0]
        except ModelRefused as refusal:
            raise ModelUnavailable(str(refusal)) from refusal

    def _answer(self, question: Question) -> Any:
        if question not in self.answers:
            raise Unanswered(question)
        return self.answers[question]
