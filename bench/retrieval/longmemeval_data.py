"""Reading LongMemEval, and its authors' rules: unit ids, what is gold, nDCG, and how turns become sessions."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

KNOWN = {"d6f21ea9d60a0d56f34a05b609c79c88a451d2ae03597821ea3d5a9678c3a442": "longmemeval_s_cleaned"}
"""SHA-256 → the published file."""
TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
)
WEEKDAY = re.compile(r"\s*\([^)]*\)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn; `number` is its 1-based position among all turns of its session, `answers` the file's `has_answer`."""

    number: int
    role: str
    text: str
    answers: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session of a haystack, under the data set's own id."""

    id: str
    turns: tuple[Turn, ...]

    @property
    def said(self) -> tuple[Turn, ...]:
        """The user's turns."""
        return tuple(turn for turn in self.turns if turn.role == "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question with its haystack; `gold` are the `answer_session_ids`, `at` is when it is asked."""

    id: str
    kind: str
    text: str
    at: datetime
    sessions: tuple[Session, ...]
    gold: frozenset[str]

    @property
    def abstains(self) -> bool:
        """Whether the right answer is that there is none."""
        return "_abs" in self.id

    @property
    def official(self) -> bool:
        """Whether P-OFF scores it: no abstention, and some turn of the user has the answer."""
        return not self.abstains and any(turn.answers for session in self.sessions for turn in session.said)


def load(path: Path) -> tuple[list[Question], str]:
    """The questions, and the file's SHA-256. Raises ValueError where an entry lacks a field or repeats an id."""
    data = path.read_bytes()
    questions = [_question(item) for item in json.loads(data)]
    ids = [question.id for question in questions]
    if len(set(ids)) < len(ids):
        raise ValueError(f"{path.name} has {len(ids) - len(set(ids))} repeated question ids; use an unchanged file")
    return questions, hashlib.sha256(data).hexdigest()


def moment(text: str) -> datetime:
    """The data set's "2023/05/20 (Sat) 02:21", read as UTC; the weekday is ignored."""
    return datetime.strptime(WEEKDAY.sub(" ", text).strip(), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def _question(item: Mapping[str, Any]) -> Question:
    try:
        haystack = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True)
        return Question(
            id=item["question_id"],
            kind=item["question_type"],
            text=str(item["question"]),
            at=moment(item["question_date"]),
            sessions=tuple(_session(name, date, turns) for name, date, turns in haystack),
            gold=frozenset(item["answer_session_ids"]),
        )
    except KeyError as error:
        name = item.get("question_id", "without an id")
        raise ValueError(f"the question {name!r} has no {error}; use a file of LongMemEval's own shape") from error


def _session(name: str, date: str, turns: Sequence[Mapping[str, Any]]) -> Session:
    start = moment(date)
    return Session(
        id=name,
        turns=tuple(
            Turn(
                number=place + 1,
                role=turn["role"],
                text=turn["content"] or "",
                answers=bool(turn.get("has_answer")),
                at=start + timedelta(seconds=place),
            )
            for place, turn in enumerate(turns)
        ),
    )


def session_unit(session: Session) -> str:
    """P-OFF's id of a session: "answer" becomes "noans" where no turn of the user has the answer."""
    answered = any(turn.answers for turn in session.said)
    return session.id if answered else session.id.replace("answer", "noans")


def turn_unit(session: Session, turn: Turn) -> str:
    """P-OFF's id of a user's turn: "answer" becomes "noans" where that turn does not have the answer."""
    unit = f"{session.id}_{turn.number}"
    return unit if turn.answers else unit.replace("answer", "noans")


def cut(unit: str) -> str:
    """A turn unit without its last part. "answer_x" and "noans_x" stay two, as the authors' script has it."""
    return unit.rpartition("_")[0]


def gold_units(corpus: Sequence[str]) -> set[str]:
    """P-OFF's gold: every unit whose id contains "answer"."""
    return {unit for unit in corpus if "answer" in unit}


def widened(ranking: Sequence[str], k: int) -> int:
    """The least depth from `k` on at which `ranking` covers k distinct units, or its length."""
    depth, distinct = k, set(ranking[:k])
    while depth < len(ranking) and len(distinct) < k:
        distinct.add(ranking[depth])
        depth += 1
    return depth


def ndcg(ranking: Sequence[str], corpus: Sequence[str], k: int) -> float:
    """The authors' nDCG@k: ranks 1 and 2 both weigh 1; the ideal is taken over the whole `corpus`.

    After `cut`, units repeat in both, and each repetition counts.
    """
    gold = gold_units(corpus)
    ideal = _dcg(sorted((unit in gold for unit in corpus), reverse=True)[:k])
    return _dcg([unit in gold for unit in ranking[:k]]) / ideal if ideal else 0.0


def _dcg(relevant: Sequence[bool]) -> float:
    return sum(found / max(math.log2(rank), 1.0) for rank, found in enumerate(relevant, 1))
