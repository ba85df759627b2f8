"""Reading LoCoMo, on a conversation made up here in the same shape."""

from __future__ import annotations

import hashlib
from pathlib import Path

import locomo_data
import pytest
from small_locomo import write


def test_another_file_is_refused(tmp_path: Path) -> None:
    """A file with another hash is not read."""
    with pytest.raises(ValueError, match="SHA-256"):
        locomo_data.load(write(tmp_path))


@pytest.mark.parametrize(
    ("evidence", "gold"),
    [
        (["D1:1"], {"D1:1"}),
        (["D1:1; D2:3"], {"D1:1", "D2:3"}),
        (["D1:1 D1:2 D2:3"], {"D1:1", "D1:2", "D2:3"}),
        (["D1:1, D, D2:3"], {"D1:1", "D2:3"}),
        (["D:11:26"], {"D11:26"}),
        (["D30:05"], {"D30:5"}),
        (["D1:1", "D1:1"], {"D1:1"}),
        (["D10:19"], {"D10:19"}),
        (["(see D 1 : 2)"], {"D1:2"}),
    ],
)
def test_evidence_is_every_pair_of_numbers(small_data: Path, evidence: list[str], gold: set[str]) -> None:
    """Every "D<session>:<turn>" in every string counts once, however it is written and whether or not it exists."""
    path = write(small_data.parent, evidence=evidence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(locomo_data, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
        assert locomo_data.load(path)[0].questions[0].gold == gold


def test_what_has_no_evidence_is_not_scored(small_data: Path) -> None:
    """A question without evidence drops out, and the others keep their place in the file as their key."""
    assert [question.key for question in locomo_data.load(small_data)[0].questions] == ["small-1/0", "small-1/2"]


def test_a_date_without_a_session_is_ignored(small_data: Path) -> None:
    """A heading whose session is not there makes no session."""
    assert locomo_data.load(small_data)[0].dates == {1: "1:56 pm on 8 May, 2023", 2: "10:04 am on 19 May, 2023"}


def test_captions_stay_apart_and_queries_stay_out(small_data: Path) -> None:
    """A turn's caption is not in its text, and what was searched for to find its picture is nowhere."""
    turn = locomo_data.load(small_data)[0].turns[1]
    assert (turn.text, turn.caption) == ("Look at this kiln!", "a kiln with an open door")
    assert "forbidden" not in repr(turn)


def test_half_of_the_conversations_tune() -> None:
    """The tuning half is decided by the ids alone, whatever their order."""
    names = [f"conv-{n}" for n in range(10)]
    chosen = {name for name in names if locomo_data.tuning(name, names)}
    assert len(chosen) == 5
    assert chosen == {name for name in names if locomo_data.tuning(name, names[::-1])}
