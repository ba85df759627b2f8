"""Rules of reading an object out of what a model wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.completions import SCHEMA, WORDS
from siltstone.models.completion_answers import looks_cut, mended_object, shaped, whole_object, without_thoughts

TEXT = json.dumps(WORDS, ensure_ascii=False)
ITEMS: dict[str, Any] = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"type": "object"}}, "more": {"type": "boolean"}},
    "required": ["items"],
}


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\ufeff\n {TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}```",
        f"Here you are:\n```JSON\n{TEXT}\n```\nAnything else?",
        f"Of course {{smiles}}! {TEXT} I hope {{that}} helps.",
        f"<think>\n{{}} or {{'words': 1}}?\n</think>\n{TEXT}",
        f"<thinking>{TEXT[:9]}</thinking>{TEXT}",
        f"they want words</think>{TEXT}",
        f'{{"draft": true}}\n{TEXT}',
        json.dumps(WORDS["words"]),
        json.dumps({"words": json.dumps(WORDS["words"])}),
        json.dumps({**WORDS, "note": "not asked for"}),
        json.dumps({"words": ["kettle", "水\0壶"]}, ensure_ascii=False).replace("\\u0000", "\0"),
    ],
)
def test_an_object_is_found_wherever_it_stands(text: str) -> None:
    """Alone, fenced, in prose, after thoughts, as a bare list or as a text within the object."""
    assert whole_object(text, SCHEMA) == WORDS


@pytest.mark.parametrize(
    "text",
    [
        TEXT[:-1],
        TEXT[:-2],
        '{"words": ["kettle", "水壶",]}',
        "{'words': ['kettle', '水壶']}",
        '{words: ["kettle", "水壶"]}',
        '```json\n{"words": ["kettle", "水壶"',
        'Here: {"words": ["kettle", "水壶"], // all\n}',
    ],
)
def test_a_broken_object_is_mended(text: str) -> None:
    """Missing ends, trailing commas, single quotes, bare names and remarks are mended."""
    assert whole_object(text, SCHEMA) is None
    assert mended_object(text, SCHEMA, cut=False) == WORDS


@pytest.mark.parametrize("text", ["", "nothing", "[[[", "I [really] cannot", "{sorry}", "<think>{", "{" * 5_000])
def test_what_holds_no_object_gives_none(text: str) -> None:
    """Prose, brackets in prose and thoughts alone are never taken for an object."""
    assert whole_object(text, ITEMS) is None
    assert mended_object(text, ITEMS, cut=looks_cut(text)) is None


def test_a_list_that_was_cut_off_at_once_is_not_empty() -> None:
    """A cut answer whose list has no item yet gives nothing: that there is nothing was not said."""
    assert mended_object('{"items": [', ITEMS, cut=True) is None
    assert mended_object('{"items": [],', ITEMS, cut=False) == {"items": []}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"items": [], "more": "yes"}, {"items": [], "more": True}),
        ({"items": [], "more": "maybe"}, {"items": []}),
        ({"items": [], "more": 1}, {"items": []}),
        ({"items": {}}, None),
        ({"items": None}, None),
        ({"more": True}, None),
        ([{"a": 1}], {"items": [{"a": 1}]}),
        (["a"], None),
        ("items", None),
        (None, None),
        (7, None),
    ],
)
def test_the_top_level_has_the_types_of_the_schema(value: Any, expected: Any) -> None:
    """What is required has the right type or there is no object; what is optional and wrong is left out."""
    assert shaped(value, ITEMS) == expected


@pytest.mark.parametrize(
    ("kind", "value", "kept"), [("number", 0.5, True), ("integer", True, False), ("string", 1, False)]
)
def test_numbers_and_texts_are_told_apart(kind: str, value: Any, kept: bool) -> None:
    """A truth value is no number, and a number no text."""
    schema = {"type": "object", "properties": {"x": {"type": kind}}, "required": ["x"]}
    assert shaped({"x": value}, schema) == ({"x": value} if kept else None)


@pytest.mark.parametrize(("text", "cut"), [(TEXT, False), (f"```\n{TEXT}\n```", False), (TEXT[:-4], True), ("", False)])
def test_an_end_within_an_object_is_seen(text: str, cut: bool) -> None:
    """A text that does not end as an object ends was cut, whatever the server said."""
    assert looks_cut(text) is cut


@given(st.text())
def test_no_text_raises(text: str) -> None:
    """Whatever a model writes, reading it gives an object or none."""
    for found in (whole_object(text, ITEMS), mended_object("{" + text, ITEMS, cut=True)):
        assert found is None or "items" in found


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.integers(0, 200))
def test_a_cut_text_gives_a_beginning(items: list[str], at: int) -> None:
    """Wherever a text is cut, the items that are left of it are those that were sent, none of them cut or changed."""
    text = json.dumps({"words": items}, ensure_ascii=True)[:at]
    found = (mended_object(text, SCHEMA, cut=True) or {"words": []})["words"]
    assert found == items[: len(found)]


def test_thoughts_are_left_out() -> None:
    """Closed, unclosed and unopened thoughts are left out, in any case."""
    assert without_thoughts("<THINK>a</THINK>b") == without_thoughts("a</think>b") == "b"
    assert without_thoughts("b<think>a") == "b"
