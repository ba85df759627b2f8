"""Reading LongMemEval, and its authors' rules by examples worked out by hand."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from math import log2
from pathlib import Path

import longmemeval_data as lme
import pytest
from small_longmemeval import write


@pytest.fixture
def questions(tmp_path: Path) -> dict[str, lme.Question]:
    """The small file's questions by id."""
    return {question.id: question for question in lme.load(write(tmp_path))[0]}


def test_dates_are_read_without_their_weekday(questions: dict[str, lme.Question]) -> None:
    """Sessions and questions are dated in UTC, and turns follow each other by a second."""
    question = questions["q-bicycle"]
    assert question.at == datetime(2023, 6, 1, 9, 0, tzinfo=UTC)
    assert [turn.at.second for turn in question.sessions[1].turns] == [0, 1, 2]
    assert question.sessions[1].turns[0].at == datetime(2023, 5, 2, 2, 21, tzinfo=UTC)


def test_a_field_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A file of another shape is refused with the name of the question and of what it lacks."""
    path = write(tmp_path)
    entries = json.loads(path.read_text("utf-8"))
    del entries[1]["haystack_dates"]
    path.write_text(json.dumps(entries), "utf-8")
    with pytest.raises(ValueError, match=r"'q-recipe' has no 'haystack_dates'"):
        lme.load(path)


def test_an_id_is_given_once(tmp_path: Path) -> None:
    """A file that repeats a question is refused."""
    path = write(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) * 2), "utf-8")
    with pytest.raises(ValueError, match="4 repeated"):
        lme.load(path)


def test_official_rows_leave_out_abstentions_and_assistant_answers(questions: dict[str, lme.Question]) -> None:
    """P-OFF scores a question only if it can be answered, and by something that the user said."""
    assert [name for name, question in questions.items() if question.official] == ["q-bicycle", "q-concerts"]
    assert [name for name, question in questions.items() if question.abstains] == ["q-car_abs"]


def test_sessions_without_an_answer_of_the_user_are_renamed(questions: dict[str, lme.Question]) -> None:
    """ "answer" becomes "noans" in the id of a session in which no turn of the user has the answer."""
    units = {name: [lme.session_unit(s) for s in question.sessions] for name, question in questions.items()}
    assert units["q-bicycle"] == ["ultra_1", "answer_b1", "ultra_2"]
    assert units["q-recipe"] == ["noans_r1", "ultra_1"]
    assert units["q-concerts"] == ["answer_c_1", "ultra_1", "answer_c_2"]


def test_turns_are_numbered_among_all_turns_and_renamed(questions: dict[str, lme.Question]) -> None:
    """A user's turn is numbered from 1 with the assistant's turns counted, and renamed unless it has the answer."""
    sessions = questions["q-concerts"].sessions
    units = [lme.turn_unit(session, turn) for session in sessions for turn in session.said]
    assert units == ["answer_c_1_1", "ultra_1_1", "noans_c_2_1", "answer_c_2_3"]
    assert lme.gold_units(units) == {"answer_c_1_1", "answer_c_2_3"}
    assert [lme.cut(unit) for unit in units] == ["answer_c_1", "ultra_1", "noans_c_2", "answer_c_2"]


def test_k_is_widened_until_it_covers_k_units() -> None:
    """Repeated units do not count towards k, and a ranking that has too few is taken whole."""
    ranking = ["a", "a", "b", "a", "c", "d"]
    assert [lme.widened(ranking, k) for k in (1, 2, 3, 4, 5)] == [1, 3, 5, 6, 6]
    assert lme.widened(["a"], 3) == 3


@pytest.mark.parametrize(
    ("ranking", "k", "expected"),
    [
        (["answer_1", "answer_2", "x"], 5, 1.0),
        (["x", "answer_1", "answer_2"], 5, (1 + 1 / log2(3)) / 2),
        (["answer_1", "x", "y", "answer_2"], 5, (1 + 1 / 2) / 2),
        (["answer_1", "x", "y", "answer_2"], 3, 1 / 2),
        (["x", "y"], 5, 0.0),
        ([], 5, 0.0),
    ],
)
def test_ranks_one_and_two_weigh_the_same(ranking: list[str], k: int, expected: float) -> None:
    """The official nDCG does not discount rank 2, and discounts rank i from there by log2(i)."""
    corpus = ["x", "answer_1", "y", "answer_2", "z"]
    assert lme.ndcg(ranking, corpus, k) == pytest.approx(expected)


def test_the_ideal_is_that_of_the_whole_corpus() -> None:
    """Finding one of three gold units first is a third of the ideal at most, though nothing else was returned."""
    corpus = ["answer_1", "answer_2", "answer_3", "x"]
    assert lme.ndcg(["answer_1"], corpus, 10) == pytest.approx(1 / (1 + 1 + 1 / log2(3)))


def test_without_gold_the_ndcg_is_zero() -> None:
    """A corpus without gold has no ideal, and the score is 0 and no error."""
    assert lme.ndcg(["x"], ["x", "noans_y"], 5) == 0.0
