"""What is asked to calibrate the floor, and that the fit finds what is there."""

from __future__ import annotations

import calibration
import numpy as np
import pytest
from calibration import Asking, Memories
from locomo_data import Question, Sample, Turn

from siltstone import Memory


def conversation(name: str, speaker: str) -> Sample:
    """Two sessions of four turns, and a question that the second turn of the second one answers."""
    turns = tuple(
        Turn(id=f"{name}:{s}:{n}", session=s, speaker=speaker, text=f"turn {n} of {s}", caption="", at=None)
        for s in (1, 2)
        for n in range(4)
    )
    question = Question(key=f"{name}/0", text=f"What is {speaker}'s turn?", category=1, gold=frozenset({f"{name}:2:1"}))
    return Sample(id=name, turns=turns, dates={1: "", 2: ""}, questions=(question,))


def test_every_question_is_asked_of_memories_of_every_size() -> None:
    """Of its own and of the other conversation, of a session of each, of 1, 3 and 8 turns, with its names and without."""
    samples = [conversation("a", "Ann"), conversation("b", "Ben")]
    with Memory.open("memory://", embedding__provider="none") as memory:
        memories = Memories(memory, samples)
        planned = [
            (kind, user, question.text, right) for kind, _, user, question, right in calibration.plan(memories, samples)
        ]
        sizes = {user: len(memory.list(user_id=user)) for _, user, *_ in planned}
    kinds = {kind for kind, *_ in planned}
    assert kinds == {"full", "session", "t1", "t3", "t8", "full-", "session-", "t3-"}
    assert all(sum(right for k, *_, right in planned if k == kind) == 2 for kind in kinds)
    assert all(sum(not right for k, *_, right in planned if k == kind) == 2 for kind in kinds)
    assert {user for kind, user, *_ in planned if kind == "full"} == {"a", "b"}
    assert {text for kind, _, text, right in planned if kind == "full-" and right} == {"What is my turn?"}
    assert {sizes[user] for kind, user, *_ in planned if kind == "t1"} == {1}
    assert max(sizes[user] for kind, user, *_ in planned if kind == "t8") <= 4


def test_the_fit_finds_the_weights_that_made_the_answers() -> None:
    """From grounds and answers that a known logistic drew, weights and constant come back, the size's part given."""
    chance = np.random.default_rng(3)
    wanted, base, size = np.array([3.0, 5.0]), -2.0, 0.5
    asked = []
    for _ in range(20_000):
        values, rows = chance.random(2), int(chance.choice([1, 30, 600]))
        right = bool(chance.random() < 1 / (1 + np.exp(-(values @ wanted + base - size * np.log1p(rows)))))
        grounds = dict(zip(("covered", "names"), values.tolist(), strict=True))
        asked.append(Asking(kind="full", tuned=True, right=right, found=right, grounds=grounds, rows=rows))
    held = [
        Asking(kind="full", tuned=False, right=True, found=True, grounds={"covered": 0.0, "names": 0.0}, rows=1)
    ] * 500
    weights, constant = calibration.fit([[*asked, *held]], ("covered", "names"), size)
    rate = np.mean([item.right for item in asked])
    assert weights == pytest.approx(wanted, abs=0.4)
    assert constant == pytest.approx(base - np.log(rate / (1 - rate)), abs=0.3)


def test_what_passes_and_what_is_lost() -> None:
    """A wrong asking passes at the floor or above; an answer is lost below it, where it had been found."""
    asked = [
        Asking(kind="full", tuned=True, right=False, found=False, grounds={"covered": 1.0}, rows=1),
        Asking(kind="full", tuned=True, right=False, found=False, grounds=None, rows=1),
        Asking(kind="full", tuned=True, right=True, found=True, grounds={"covered": 0.0}, rows=1),
        Asking(kind="full", tuned=True, right=True, found=False, grounds={"covered": 0.0}, rows=1),
    ]
    shown = calibration.passes(asked, np.array([2.0, 2.0, -2.0, -2.0]), 0.5)
    assert shown == {"full": {"tuning": (0.5, 0.5), "held": (0.0, 0.0)}}
