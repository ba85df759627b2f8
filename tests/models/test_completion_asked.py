"""A model that somebody else reaches: the same tolerance, without a server of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from siltstone.assembly import asked
from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelUnavailable

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"entities": {"type": "array", "items": {"type": "object"}}},
    "required": ["entities"],
}
Ask = Callable[[str, str, int], tuple[str, bool]]


def _scripted(*answers: tuple[str, bool]) -> tuple[Ask, list[tuple[str, str, int]]]:
    requests: list[tuple[str, str, int]] = []

    def ask(instructions: str, text: str, limit: int) -> tuple[str, bool]:
        requests.append((instructions, text, limit))
        return answers[len(requests) - 1]

    return ask, requests


@pytest.mark.parametrize(
    "answer",
    [
        '{"entities": [{"name": "Ana"}]}',
        '```json\n{"entities": [{"name": "Ana"}]}\n```',
        'Here it is:\n{"entities": [{"name": "Ana"}]}\nAnything else?',
        '<think>{}</think>{"entities": [{"name": "Ana"}]}',
    ],
)
def test_an_answer_is_read_with_tolerance(answer: str) -> None:
    """Fences, prose and thoughts around an object cost no second question."""
    ask, requests = _scripted((answer, False))
    found = asked(ask, model="host").complete_json("Read it.", "Ana is here", SCHEMA)
    assert found == {"entities": [{"name": "Ana"}]}
    assert len(requests) == 1
    assert '"entities"' in requests[0][0], "the schema stands in the instructions"


def test_a_cut_answer_is_asked_for_again_with_more_room() -> None:
    """What the limit cut off is asked for once more, and taken as far as it goes where it is cut again."""
    cut = ('{"entities": [{"name": "Ana"}, {"na', True)
    ask, requests = _scripted(cut, cut)
    assert asked(ask, model="host").complete_json("Read it.", "…", SCHEMA) == {"entities": [{"name": "Ana"}]}
    assert requests[1][2] == 2 * requests[0][2]
    assert requests[1][0] == requests[0][0], "the schema is told once"


def test_two_unreadable_answers_are_an_error() -> None:
    """Nothing is made up where nothing can be read."""
    ask, _ = _scripted(("stub-reply #1", False), ("stub-reply #2", False))
    with pytest.raises(ModelAnswerInvalid, match="host"):
        asked(ask, model="host").complete_json("Read it.", "…", SCHEMA)


def test_an_error_of_whoever_asks_is_passed_on() -> None:
    """A model that cannot be reached is an error of its own kind."""

    def ask(instructions: str, text: str, limit: int) -> tuple[str, bool]:
        raise ModelUnavailable("the model of the host is away; try later")

    with pytest.raises(ModelUnavailable):
        asked(ask, model="host").complete_text("Say it.", "…", 10)


def test_a_model_has_a_name() -> None:
    """A completion without a name is refused."""
    with pytest.raises(InvalidInput):
        asked(lambda instructions, text, limit: ("", False), model=" ")
