"""The LoCoMo benchmark, from file to ranking file and back, and its calibration row."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import locomo
import pytest
from bm25 import BM25
from locomo_data import load

CALIBRATION = {
    "all": {
        "any@1": 36.5,
        "any@5": 60.6,
        "any@10": 68.7,
        "fraction@10": 63.2,
        "fraction@25": 70.8,
        "fraction@50": 76.2,
    },
    "1": {"any@1": 22.7, "any@10": 61.3, "fraction@10": 35.0, "fraction@25": 47.7, "all@10": 14.2},
    "2": {"any@1": 44.5, "any@10": 72.3, "fraction@10": 69.4, "fraction@25": 76.2, "all@10": 66.7},
    "3": {"any@1": 16.3, "any@10": 40.2, "fraction@10": 30.1, "fraction@25": 37.5, "all@10": 20.7},
    "4": {"any@1": 39.4, "any@10": 71.1, "fraction@10": 69.5, "fraction@25": 76.2, "all@10": 67.8},
    "5": {"any@1": 38.3, "any@10": 72.0, "fraction@10": 71.3, "fraction@25": 78.3, "all@10": 70.6},
    "1-4": {"any@1": 36.0, "any@10": 67.7, "fraction@10": 60.8, "fraction@25": 68.6, "all@10": 54.9},
}
SESSIONS = {"any@1": 72.6, "any@5": 93.0, "any@10": 97.1, "fraction@5": 88.2, "fraction@10": 93.8, "all@10": 90.1}
QUESTIONS = {"all": 1982, "1": 282, "2": 321, "3": 92, "4": 841, "5": 446, "1-4": 1536}
NEAR = 0.1
"""Points by which a calibration row may differ from another harness' before one of them is wrong."""


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the script with these arguments, without an embedder."""
    monkeypatch.setattr(sys, "argv", ["locomo.py", *map(str, arguments), "--setting", "embedding__provider=none"])
    return locomo.main()


def differing(expected: dict[str, float], means: dict[str, float]) -> dict[str, float]:
    """The metrics that are not the expected ones, in percent."""
    return {key: means[key] for key, value in expected.items() if abs(100 * means[key] - value) > NEAR}


def test_a_ranking_file_scores_as_the_run_that_wrote_it(
    small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exchange format holds everything that the table of a run is made of."""
    ranking, result = tmp_path / "ranking.json", tmp_path / "result.json"
    assert run(monkeypatch, "--data", small_data, "--ranking", ranking, "--json", result) == 0
    capsys.readouterr()
    assert run(monkeypatch, "--data", small_data, "--score", ranking) == 0
    given = json.loads(ranking.read_text("utf-8"))
    assert locomo.evaluate(load(small_data), given["answers"], "turn") == json.loads(result.read_text("utf-8"))["ours"]
    assert "siltstone" in capsys.readouterr().out


def test_a_packed_ranking_file_is_the_same_one(
    small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that ends in .gz packs the file, to the same bytes each time; it is scored and compared as a plain one."""
    packed, plain = tmp_path / "ranking.json.gz", tmp_path / "ranking.json"
    assert run(monkeypatch, "--data", small_data, "--ranking", packed) == 0
    assert run(monkeypatch, "--data", small_data, "--ranking", plain, "--against", packed) == 0
    assert locomo.read_ranking(packed) == locomo.read_ranking(plain) == json.loads(plain.read_text("utf-8"))
    before = packed.read_bytes()
    locomo.write_ranking(packed, locomo.read_ranking(plain))
    assert packed.read_bytes() == before and len(before) < plain.stat().st_size
    capsys.readouterr()
    assert run(monkeypatch, "--data", small_data, "--score", packed) == 0
    assert "siltstone" in capsys.readouterr().out


@pytest.mark.parametrize(("unit", "form"), [("turn", r"D\d+:\d+"), ("session", r"D\d+")])
def test_a_ranking_file_says_what_it_ranks(
    small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str, form: str
) -> None:
    """A ranking file names format, data set, hash, unit and captions, and keys its answers by place in the file."""
    ranking = tmp_path / "ranking.json"
    assert run(monkeypatch, "--data", small_data, "--ranking", ranking, "--unit", unit) == 0
    given = json.loads(ranking.read_text("utf-8"))
    answers = given.pop("answers")
    assert given | {"system": "", "sha256": ""} == {
        "format": "ranking/1",
        "dataset": "locomo10",
        "sha256": "",
        "unit": unit,
        "captions": False,
        "system": "",
    }
    assert given["sha256"] == locomo.SHA256 and given["system"].startswith("siltstone ")
    assert list(answers) == ["small-1/0", "small-1/2", "small-2/0"]
    assert answers["small-1/0"] and all(re.fullmatch(form, name) for name in answers["small-1/0"])


def test_a_question_without_a_ranking_is_a_miss(small_data: Path) -> None:
    """Questions that a ranking file lacks are counted and score 0."""
    means = locomo.evaluate(load(small_data), {"small-1/0": ["D1:2"]}, "turn")
    assert (means["all"]["n"], means["all"]["any@1"]) == (3, pytest.approx(1 / 3))
    assert means["1"]["any@10"] == 0


def test_sessions_come_in_the_order_of_their_best_turn() -> None:
    """The roll-up keeps each session once, at the place of its first turn."""
    assert locomo.rolled_up(["D3:1", "D1:9", "D3:7", "D2:2", "D1:1"]) == ["D3", "D1", "D2"]


def test_bm25_leaves_out_what_shares_no_word() -> None:
    """Only texts that share a stemmed word are ranked, and equal scores keep the earlier text first."""
    index = BM25(["the heron flew", "a herons nest", "nothing here", "herons nested"])
    assert index.rank("Did the herons nest?", 10) == [1, 3, 0]


def test_the_calibration_rows_are_the_known_ones(evaluation_data: Path) -> None:
    """Plain BM25 on LoCoMo scores what other harnesses got, within 0.1 points, over exactly the scorable questions."""
    samples = load(evaluation_data / "locomo" / "locomo10.json")
    for unit in ("turn", "session"):
        rankings: dict[str, list[str]] = {}
        for sample in samples:
            rank = locomo.rank_bm25(sample, False, unit)
            rankings |= {question.key: rank(question) for question in sample.questions}
        means = locomo.evaluate(samples, rankings, unit)
        assert {group: means[group]["n"] for group in QUESTIONS} == QUESTIONS
        if unit == "session":
            assert differing(SESSIONS, means["all"]) == {}
            assert means["all"]["mrr"] == pytest.approx(0.817, abs=0.001)
        else:
            assert {group: bad for group in CALIBRATION if (bad := differing(CALIBRATION[group], means[group]))} == {}
            assert means["all"]["mrr"] == pytest.approx(0.474, abs=0.001)
