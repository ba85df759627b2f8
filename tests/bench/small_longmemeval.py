"""A file of LongMemEval's shape with four questions of our own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

Said = tuple[str, str] | tuple[str, str, bool]


def write(folder: Path) -> Path:
    """Write it."""
    path = folder / "small_lme.json"
    path.write_text(json.dumps([_bicycle(), _recipe(), _concerts(), _nothing()]), "utf-8")
    return path


def _item(name: str, kind: str, question: str, sessions: dict[str, Sequence[Said]], gold: Sequence[str]) -> dict:
    return {
        "question_id": name,
        "question_type": kind,
        "question": question,
        "answer": "",
        "question_date": "2023/06/01 (Thu) 09:00",
        "haystack_session_ids": list(sessions),
        "haystack_dates": [f"2023/05/{day:02} (Sat) 02:21" for day in range(1, len(sessions) + 1)],
        "haystack_sessions": [[_turn(*said) for said in turns] for turns in sessions.values()],
        "answer_session_ids": list(gold),
    }


def _turn(role: str, content: str, answers: bool | None = None) -> dict:
    return {"role": role, "content": content} | ({} if answers is None else {"has_answer": answers})


WEATHER: list[Said] = [("user", "Will it rain over the harbour?"), ("assistant", "Likely, take an umbrella.")]
GREETING: list[Said] = [("assistant", "Welcome back! How can I assist?")]


def _bicycle() -> dict:
    told: list[Said] = [
        ("user", "My commute needs planning.", False),
        ("assistant", "How do you travel?", False),
        ("user", "I ride a green bicycle called Pickle.", True),
    ]
    sessions = {"ultra_1": WEATHER, "answer_b1": told, "ultra_2": GREETING}
    return _item("q-bicycle", "single-session-user", "What is my bicycle called?", sessions, ["answer_b1"])


def _recipe() -> dict:
    told: list[Said] = [("user", "Give me a soup.", False), ("assistant", "Try the saffron leek soup.", True)]
    sessions = {"answer_r1": told, "ultra_1": WEATHER}
    return _item("q-recipe", "single-session-assistant", "Which soup did you give me?", sessions, ["answer_r1"])


def _concerts() -> dict:
    first: list[Said] = [("user", "I heard a cello concert in March.", True), ("assistant", "Lovely.", False)]
    second: list[Said] = [
        ("user", "Tell me about tickets.", False),
        ("assistant", "For what?", False),
        ("user", "For the choir concert in May, where I sat in front.", True),
    ]
    sessions = {"answer_c_1": first, "ultra_1": WEATHER, "answer_c_2": second}
    gold = ["answer_c_1", "answer_c_2"]
    return _item("q-concerts", "multi-session", "How many concerts did I attend?", sessions, gold)


def _nothing() -> dict:
    told: list[Said] = [("user", "I ride a green bicycle.", False)]
    return _item("q-car_abs", "single-session-user", "Which car do I drive?", {"answer_n1": told}, ["answer_n1"])
