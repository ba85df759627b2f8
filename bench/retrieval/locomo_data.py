"""Reading LoCoMo: sessions, turns, questions and their evidence, to the letter of the protocol."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

SHA256 = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
EVIDENCE = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn: `id` is "D<session>:<turn>"; captions are kept apart from the text."""

    id: str
    session: int
    speaker: str
    text: str
    caption: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question with its gold turns; `key` is "<sample>/<position in qa>"."""

    key: str
    text: str
    category: int
    gold: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One conversation. `dates` are the session headings as the file gives them."""

    id: str
    turns: tuple[Turn, ...]
    dates: dict[int, str]
    questions: tuple[Question, ...]


def load(path: Path) -> list[Sample]:
    """The samples of the file, or of `locomo10.json` in the folder; raises ValueError for a file with another hash."""
    path = path / "locomo10.json" if path.is_dir() else path
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{path.name} has the SHA-256 {digest}, expected {SHA256}; use the unchanged locomo10.json")
    return [_sample(item) for item in json.loads(data)]


def tuning(sample_id: str, sample_ids: list[str]) -> bool:
    """Whether a conversation is in the tuning half: the five of ten whose id has the lowest SHA-256."""
    by_hash = sorted(sample_ids, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return sample_id in by_hash[: len(by_hash) // 2]


def _sample(item: dict) -> Sample:
    talk = item["conversation"]
    numbers = sorted(int(key[8:]) for key, value in talk.items() if re.fullmatch(r"session_\d+", key) and value)
    dates = {number: talk[f"session_{number}_date_time"] for number in numbers}
    turns = [turn for number in numbers for turn in _turns(talk[f"session_{number}"], number, dates[number])]
    asked = [_question(item["sample_id"], place, question) for place, question in enumerate(item["qa"])]
    scorable = tuple(question for question in asked if question.gold)
    return Sample(id=item["sample_id"], turns=tuple(turns), dates=dates, questions=scorable)


def _turns(turns: list[dict], session: int, date: str) -> list[Turn]:
    start = datetime.strptime(date, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return [
        Turn(
            id=turn["dia_id"],
            session=session,
            speaker=turn["speaker"],
            text=turn["text"],
            caption=turn.get("blip_caption") or "",
            at=start + timedelta(seconds=place),
        )
        for place, turn in enumerate(turns)
    ]


def _question(sample_id: str, place: int, item: dict) -> Question:
    pairs = {(int(a), int(b)) for text in item["evidence"] for a, b in EVIDENCE.findall(text)}
    gold = frozenset(f"D{session}:{turn}" for session, turn in pairs)
    return Question(key=f"{sample_id}/{place}", text=str(item["question"]), category=item["category"], gold=gold)
