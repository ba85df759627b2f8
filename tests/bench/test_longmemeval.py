"""The LongMemEval benchmark on a small file: what each protocol counts, and the ranking file out and in."""

from __future__ import annotations

import json
import sys
from math import log2
from pathlib import Path

import longmemeval
import longmemeval_data as lme
import pytest
from longmemeval import Ranked
from small_longmemeval import write


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The small file."""
    return write(tmp_path)


@pytest.fixture
def questions(data: Path) -> dict[str, lme.Question]:
    """Its questions by id."""
    return {question.id: question for question in lme.load(data)[0]}


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the script with these arguments, without an embedder."""
    monkeypatch.setattr(sys, "argv", ["longmemeval.py", *map(str, arguments), "--setting", "embedding__provider=none"])
    return longmemeval.main()


def test_one_ranking_is_scored_under_every_protocol(questions: dict[str, lme.Question]) -> None:
    """Sessions, turns and turns cut to sessions have rows of their own, worked out by hand."""
    concerts = questions["q-concerts"]
    turns = ((1, 0), (2, 0), (2, 1), (0, 0), (2, 2))
    rows = longmemeval.protocols(concerts, Ranked(turns=turns, sessions=(1, 2, 0)))
    assert set(rows) == {"P-OFF session", "P-OFF turn", "P-OFF turn>session", "P-470", "P-500"}
    assert rows["P-OFF session"]["ndcg@5"] == pytest.approx((1 + 1 / log2(3)) / 2)
    expected = (1 / log2(3) + 1 / log2(4)) / 2
    assert rows["P-OFF turn"] == rows["P-OFF turn>session"]
    assert rows["P-OFF turn"]["ndcg@10"] == pytest.approx(expected)
    assert (rows["P-470"]["any@1"], rows["P-470"]["all@3"], rows["P-470"]["mrr"]) == (0, 1, 0.5)


def test_assistant_turns_are_no_official_units(questions: dict[str, lme.Question]) -> None:
    """A turn of the assistant in the ranking takes no place in an official row."""
    bicycle = questions["q-bicycle"]
    rows = longmemeval.protocols(bicycle, Ranked(turns=((1, 1), (1, 2)), sessions=(1,)))
    assert rows["P-OFF turn"]["ndcg@5"] == 1


def test_cut_turns_keep_the_renaming(questions: dict[str, lme.Question]) -> None:
    """A renamed turn and the turn with the answer count as two sessions when turns are cut."""
    turns = ["noans_c_2_1", "answer_c_2_3", "answer_c_1_1"]
    cut = [lme.cut(unit) for unit in turns]
    row = longmemeval.score_official(cut, [*cut, "ultra_1"], widen=True)
    assert (row["all@5"], row["ndcg@5"]) == (1, pytest.approx((1 + 1 / log2(3)) / 2))


def test_widening_reaches_what_k_turns_do_not() -> None:
    """Five turns of one session are one unit of the five that k asks for."""
    cut = [*["ultra_1"] * 6, "answer_1"]
    assert longmemeval.score_official(cut, cut, widen=True)["any@5"] == 1
    assert longmemeval.score_official(cut, cut)["any@5"] == 0


def test_each_protocol_has_its_own_questions(questions: dict[str, lme.Question]) -> None:
    """P-OFF leaves out abstentions and assistant answers, P-470 abstentions, P-500 nothing."""
    means = longmemeval.evaluate(list(questions.values()), {}, {"q-recipe"})
    assert [means[name]["all"]["n"] for name in ("P-OFF turn", "P-470", "P-500")] == [2, 3, 4]
    assert (means["P-500"]["dev"]["n"], means["P-500"]["held"]["n"]) == (1, 3)
    assert means["P-470"]["single-session-user"]["n"] == 1
    assert means["P-500"]["all"]["any@50"] == 0


def test_silent_sessions_are_left_out_of_p500(questions: dict[str, lme.Question]) -> None:
    """A session in which only the assistant speaks takes a place in P-470, and none in P-500."""
    rows = longmemeval.protocols(questions["q-bicycle"], Ranked(turns=(), sessions=(2, 1)))
    assert (rows["P-470"]["mrr"], rows["P-500"]["mrr"]) == (0.5, 1)


def test_the_file_runs_from_end_to_end(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run prints and writes both systems under every protocol, and its ranking file scores as the run did."""
    ranking, result = tmp_path / "ranking.json", tmp_path / "result.json"
    assert run(monkeypatch, "--data", data, "--ranking", ranking, "--json", result) == 0
    written = json.loads(result.read_text("utf-8"))
    assert written["bm25"]["P-500"]["all"]["n"] == written["ours"]["P-500"]["all"]["n"] == 4
    assert written["ours"]["P-OFF turn"]["single-session-user"]["any@5"] == 1
    assert written["facts"]["data"] == "not a published file" and written["facts"]["roles"] == "user"
    printed = capsys.readouterr().out
    assert "P-OFF turn>session" in printed and "plain BM25: P-470" in printed
    questions = lme.load(data)[0]
    answers = longmemeval.read_ranking(ranking, questions)
    again = longmemeval.evaluate(questions, answers, ())
    assert again["P-500"] == written["ours"]["P-500"] and again["P-OFF session"] == written["ours"]["P-OFF session"]
    assert run(monkeypatch, "--data", data, "--score", ranking) == 0
    assert "P-OFF session" in (scored := capsys.readouterr().out) and "P-OFF turn" not in scored


def test_both_roles_find_what_the_assistant_said(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With both roles indexed, a session is found by words that only the assistant used."""
    path = tmp_path / "both.json"
    entries = [entry | {"question": "saffron leek?"} for entry in json.loads(data.read_text("utf-8"))]
    data.write_text(json.dumps(entries), "utf-8")
    found = {}
    for roles in ("user", "both"):
        assert run(monkeypatch, "--data", data, "--roles", roles, "--json", path) == 0
        means = json.loads(path.read_text("utf-8"))
        found[roles] = [means[name]["P-500"]["single-session-assistant"]["any@1"] for name in ("bm25", "ours")]
    assert found == {"user": [0, 0], "both": [1, 1]}


def test_a_wrapped_ranking_is_read_alike(data: Path, tmp_path: Path) -> None:
    """A ranking file may be wrapped in "answers", repeat sessions, and lack questions."""
    questions, path = lme.load(data)[0], tmp_path / "given.json"
    path.write_text(json.dumps({"answers": {"q-recipe": ["ultra_1", "ultra_1", "answer_r1"]}}), "utf-8")
    answers = longmemeval.read_ranking(path, questions)
    assert answers["q-recipe"].sessions == (1, 0) and answers["q-bicycle"].sessions == ()


def test_a_session_of_another_haystack_is_refused(data: Path, tmp_path: Path) -> None:
    """A ranking that names a session which its question does not have was made from another file."""
    path = tmp_path / "given.json"
    path.write_text(json.dumps({"q-recipe": ["answer_b1"]}), "utf-8")
    with pytest.raises(ValueError, match="no session of 'q-recipe'"):
        longmemeval.read_ranking(path, lme.load(data)[0])
