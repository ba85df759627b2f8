"""The copy that the store in the process keeps is the one that JSON would give."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from siltstone.errors import InvalidInput
from siltstone.stores.codec import copied, decode, encode

PLAIN = (
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text()
)
KEYS = some.text() | some.integers() | some.none() | some.booleans()
VALUES = some.recursive(
    PLAIN,
    lambda inner: some.lists(inner) | some.lists(inner).map(tuple) | some.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


class Loud(str):
    """A text of a type of its own."""


@given(some.dictionaries(some.text(), VALUES, max_size=5))
def test_a_copy_is_what_json_gives_back(value: dict[str, Any]) -> None:
    """Values and types are those of `decode(encode(value))`."""
    assert repr(copied(value)) == repr(decode(encode(value)))


def test_a_copy_shares_texts_and_nothing_that_changes() -> None:
    """Lists and dicts are new at every depth, texts are the same objects, a text of another type becomes plain."""
    text = "".join(["te", "a"])
    value = {"a": [{"b": text}], "c": Loud("x")}
    found = copied({"a": [{"b": text}]})
    assert found["a"][0]["b"] is text
    value["a"].append(1)  # type: ignore[attr-defined]
    assert found == {"a": [{"b": "tea"}]} and type(copied(value)["c"]) is str


def deep(levels: int) -> dict[str, Any]:
    """A dict within a dict within …"""
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"in": value}
    return value


def circle() -> dict[str, Any]:
    """A dict that holds itself."""
    value: dict[str, Any] = {}
    value["in"] = value
    return value


@pytest.mark.parametrize(
    "value", [{"x": math.nan}, {"x": [-math.inf]}, {"x": {1, 2}}, {"x": object()}, circle(), deep(50_000)]
)
def test_what_json_has_no_form_for_raises(value: dict[str, Any]) -> None:
    """Numbers that are not finite, other objects, circles and bottomless nesting raise as they do in the encoder."""
    with pytest.raises(InvalidInput):
        copied(value)
