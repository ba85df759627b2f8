"""Rules of what a model is told about beliefs, and of the check of its segments."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.domain.beliefs import VALENCES, Segment
from siltstone.models.completion_openai import is_strict
from siltstone.models.rubric_prompts import SEGMENTS_SCHEMA, prompts_version, validated_segments

GOOD = {"text": "Ana has a dog", "intensity": 0.7, "valence": "pos"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
ITEM = st.fixed_dictionaries(
    {}, optional={"text": JSON, "intensity": JSON, "valence": JSON | st.sampled_from(VALENCES)}
)


def one(**changes: Any) -> tuple[list[Segment], list[bool]]:
    """What becomes of a segment with some values changed: it, and for each remark whether it was kept."""
    found, remarks = validated_segments({"segments": [{**GOOD, **changes}]})
    return found, [remark.kept for remark in remarks]


def test_a_good_segment_is_kept_as_it_is() -> None:
    """A segment that is right is kept without a remark."""
    assert one() == ([Segment(text="Ana has a dog", intensity=0.7, valence="pos")], [])
    assert one(retracted=True)[0][0].retracted


def test_a_bad_segment_is_dropped_alone() -> None:
    """One segment that cannot be kept costs none of its neighbours, and the remark names its place."""
    found, remarks = validated_segments({"segments": [GOOD, {**GOOD, "text": ""}, "x", {**GOOD, "text": "Ana sings"}]})
    assert [segment.text for segment in found] == ["Ana has a dog", "Ana sings"]
    assert [(remark.place, remark.kept) for remark in remarks] == [(1, False), (2, False)]


@pytest.mark.parametrize(
    ("value", "intensity"), [(7, 1.0), (-0.1, 0.0), (10**400, 1.0), (-(10**400), 0.0), ("0.9", 0.9), (" 1 ", 1.0)]
)
def test_a_number_is_brought_into_range(value: Any, intensity: float) -> None:
    """An intensity beyond 0 to 1 goes to the nearer end, one that came as a text is read; both with a remark."""
    (found,), kept = one(intensity=value)
    assert (found.intensity, kept) == (intensity, [True])


@pytest.mark.parametrize("value", [None, True, "high", "", math.nan, math.inf, "nan", [0.5], {}])
def test_what_is_no_number_drops_the_segment(value: Any) -> None:
    """An intensity that is no number drops the segment: none is made up."""
    assert one(intensity=value)[0] == []


@pytest.mark.parametrize(("value", "valence"), [("POS", "pos"), ("neutral", "neu"), ("Negative", "neg")])
def test_a_valence_is_read_in_full_too(value: str, valence: str) -> None:
    """Case does not matter, and whole words are understood."""
    assert one(valence=value)[0][0].valence == valence


@pytest.mark.parametrize("value", [None, "love", "", 1, ["pos"]])
def test_another_valence_drops_the_segment(value: Any) -> None:
    """A valence that is none of the three drops the segment."""
    assert one(valence=value) == ([], [False])


@pytest.mark.parametrize("value", [None, 5, "", " \n", "\0", "\0 \0"])
def test_a_segment_without_text_is_dropped(value: Any) -> None:
    """A text that is missing or blank drops the segment."""
    assert one(text=value) == ([], [False])


def test_nul_is_removed() -> None:
    """NUL goes, half a surrogate pair is marked, and a remark says so: both could not be stored."""
    (found,), kept = one(text=" Ana\0 has \ud83d a dog ")
    assert (found.text, kept) == ("Ana has \ufffd a dog", [True])


def test_a_segment_in_the_source_has_its_place() -> None:
    """Where a statement stands word for word in the turn its place is told; one worded anew has none."""
    found, _ = validated_segments({"segments": [GOOD, {**GOOD, "text": "Ana owns a dog"}]}, "So: Ana has a dog.")
    assert [(segment.start, segment.end) for segment in found] == [(4, 17), (-1, -1)]


@given(st.lists(ITEM | JSON, max_size=4))
def test_whatever_comes_nothing_wrong_is_kept(items: list[Any]) -> None:
    """No answer raises; what is kept is right in every part, and the rest is accounted for."""
    found, remarks = validated_segments({"segments": items})
    assert len(found) + sum(not remark.kept for remark in remarks) == len(items)
    for segment in found:
        assert segment.text.strip() and "\0" not in segment.text
        assert 0 <= segment.intensity <= 1 and segment.valence in VALENCES


def test_the_schema_is_strict() -> None:
    """The segments' schema can be asked for in strict mode, the text before the numbers that rate it."""
    assert is_strict(SEGMENTS_SCHEMA)
    assert list(SEGMENTS_SCHEMA["properties"]["segments"]["items"]["properties"])[:2] == ["text", "intensity"]


def test_the_version_is_recorded_as_text() -> None:
    """The version of the prompts is the same at every call, eight hex digits."""
    assert prompts_version() == prompts_version()
    assert len(prompts_version()) == 8 and int(prompts_version(), 16) >= 0
