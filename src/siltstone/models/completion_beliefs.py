"""A completion model as formation asks it: take a turn apart, sum up a cluster, relate two statements, tell a chain."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from siltstone.domain.beliefs import Segment
from siltstone.errors import ModelAnswerInvalid
from siltstone.models import rubric_prompts as prompts
from siltstone.ports.models import Completion

TEXT_LIMIT = 24_000
STATEMENTS = 60
YES = re.compile(r"\W*(?:yes\b|true\b|是|对|同)", re.IGNORECASE)
NO = re.compile(r"\W*(?:no\b|not\b|false\b|不|否)", re.IGNORECASE)
EDGES = " \t\r\n\"'“”‘’「」`*"

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposed:
    """The segments of a turn, and what of the model's answer was dropped or mended."""

    segments: tuple[Segment, ...]
    remarks: tuple[prompts.Remark, ...] = ()


class CompletionBeliefs:
    """What formation needs of a language model, over any Completion. Safe from any thread; keeps nothing.

    All raise ModelError: nothing is made up where the model says nothing.
    """

    def __init__(self, completion: Completion) -> None:
        self._completion = completion
        self._name = f"{completion.fingerprint}#{prompts.prompts_version()}"

    def __repr__(self) -> str:
        return f"CompletionBeliefs({self._completion!r})"

    @property
    def name(self) -> str:
        """Provider, model and the version of the prompts: what is recorded as the writer."""
        return self._name

    def decompose(self, text: str, *, speaker: str | None = None, prior: str | None = None) -> list[Segment]:
        """The segments of a turn; none where it says nothing personal. What was dropped or mended is logged, unquoted."""
        found = self.decomposed(text, speaker=speaker, prior=prior)
        for remark in found.remarks:
            done = "mended" if remark.kept else "dropped"
            _logger.warning("%s: segment %d was %s: %s", self._name, remark.place, done, remark.reason)
        return list(found.segments)

    def decomposed(self, text: str, *, speaker: str | None = None, prior: str | None = None) -> Decomposed:
        """The segments of a turn with what was dropped or mended; only its first 24,000 characters are shown.

        One call. Raises ModelAnswerInvalid where there are segments and none can be kept.
        """
        told = {"prior": (prior or "")[-TEXT_LIMIT:], "speaker": speaker or "", "message": text[:TEXT_LIMIT]}
        answer = self._completion.complete_json(prompts.DECOMPOSE, _as_json(told), prompts.SEGMENTS_SCHEMA)
        segments, remarks = prompts.validated_segments(answer, text)
        if remarks and not segments:
            raise ModelAnswerInvalid(
                f"{self._name} answered {len(remarks)} segments, none of which can be kept ({remarks[0].reason}); ask "
                "a model that follows instructions better"
            )
        return Decomposed(segments=tuple(segments), remarks=tuple(remarks))

    def summarize(self, statements: Sequence[str]) -> str:
        """One sentence without a subject: what the statements, oldest first, share. The newest 60 are shown."""
        told = {"statements": list(statements)[-STATEMENTS:]}
        return self._written(prompts.SUMMARIZE, told, prompts.SUMMARY_LIMIT)

    def synthesize(self, lines: Sequence[str]) -> str:
        """One paragraph from the records of a chain, oldest first; the latest wins. The newest 60 are shown."""
        return self._written(prompts.SYNTHESIZE, {"records": list(lines)[-STATEMENTS:]}, prompts.SYNTHESIS_LIMIT)

    def relate(self, first: str, second: str) -> bool:
        """Whether two statements are about one topic. Raises ModelAnswerInvalid for anything but yes or no."""
        told = _as_json({"first": first, "second": second})
        said = self._completion.complete_text(prompts.RELATE, told, prompts.RELATE_LIMIT)
        yes, no = YES.match(said), NO.match(said)
        if bool(yes) == bool(no):
            raise ModelAnswerInvalid(
                f"{self._name} answered {said[:40]!r} where yes or no was asked; use another model"
            )
        return bool(yes)

    def _written(self, instructions: str, told: dict[str, Any], limit: int) -> str:
        said = " ".join(self._completion.complete_text(instructions, _as_json(told), limit).split()).strip(EDGES)
        if not said:
            raise ModelAnswerInvalid(f"{self._name} wrote nothing but quotation marks; use another model")
        return said


def _as_json(told: dict[str, Any]) -> str:
    """What a user said, as data: no word of it can end the block that it stands in. What is empty is left out."""
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)
