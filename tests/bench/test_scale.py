"""What the growing user is made of."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import pytest
import scale
from locomo_data import load


def test_a_splice_takes_half_of_each() -> None:
    """The beginning comes from one text and the end from another."""
    assert scale.splice("one two three four", "five six seven eight") == "one two seven eight"
    assert scale.splice("alone", "last word") == "alone word"


def test_targets_and_distractors_share_no_conversation(small_data: Path) -> None:
    """Only the held half's turns have units, and only the tuning half's turns repeat."""
    samples = load(small_data)
    units = {unit for _, turns in scale.targets(samples) for unit, _ in turns}
    others = list(itertools.islice(scale.distractors(samples, True), 6))
    owners = {unit.partition("/")[0] for unit in units}
    assert len(owners) == 1 and all(not name.startswith(tuple(owners)) for name, _ in others)
    assert {unit for _, turns in others for unit, _ in turns} == {""}
    assert len({name for name, _ in others}) == len(others)


def test_spliced_rounds_have_texts_of_their_own(small_data: Path) -> None:
    """The first round is the file's; later ones differ from it where they are spliced, and repeat it where not."""
    samples = load(small_data)
    once = sum(name.endswith("-0") for name, _ in itertools.islice(scale.distractors(samples, False), 20))
    texts = {}
    for spliced in (False, True):
        sessions = list(itertools.islice(scale.distractors(samples, spliced), 2 * once))
        said = [[turn.text for _, turn in turns] for _, turns in sessions]
        texts[spliced] = said[:once], said[once:]
    assert texts[False][0] == texts[False][1] == texts[True][0] != texts[True][1]


def test_the_questions_are_the_same_each_time(small_data: Path) -> None:
    """The sample of questions depends on its size alone, and its gold are units of the targets."""
    samples = load(small_data)
    units = {unit for _, turns in scale.targets(samples) for unit, _ in turns}
    asked = scale.questions(samples, 2)
    assert [question.key for question, _ in asked] == [question.key for question, _ in scale.questions(samples, 2)]
    assert all(gold <= units for _, gold in asked)


def test_the_user_grows_to_each_size(small_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each size has exactly as many turns, and both systems are asked at each."""
    args = argparse.Namespace(rows=[10, 25], questions=3, copies=False, setting=["embedding__provider=none"])
    result = scale.measure(load(small_data), args)
    assert list(result) == ["10", "25"]
    assert all(row["ours"]["n"] == row["bm25"]["n"] > 0 for row in result.values())
    assert result["10"]["ours"]["any@10"] > 0 and "25 turns" in capsys.readouterr().out


def test_too_few_rows_are_refused(small_data: Path) -> None:
    """A size below that of the targets is an error that says so."""
    args = argparse.Namespace(rows=[1], questions=3, copies=False, setting=[])
    with pytest.raises(SystemExit, match="too few"):
        scale.measure(load(small_data), args)
