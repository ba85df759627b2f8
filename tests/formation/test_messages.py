"""Reading messages of every known shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.errors import InvalidInput
from siltstone.formation.messages import Utterance, read


def one(content: Any) -> Utterance:
    """The only utterance of a message."""
    (found,) = read(content).utterances
    return found


def test_a_string_is_one_utterance() -> None:
    """Text is taken as it is, without NUL and lone surrogates."""
    assert one("tea \x00now \ud800").text == "tea now \ufffd"


def test_a_message_brings_role_speaker_and_time() -> None:
    """The usual spellings of who and when are read."""
    found = one({"role": "user", "name": "Ana", "content": "hi there", "timestamp": "2026-01-01", "session_id": "s"})
    assert found.role == "user" and found.told == {"speaker": "Ana", "occurred_at": "2026-01-01", "session_id": "s"}


@pytest.mark.parametrize(
    ("image_url", "kept"),
    [
        ({"url": "https://x.example/a.png"}, "https://x.example/a.png"),
        ("https://x.example/a.png", "https://x.example/a.png"),
        (None, "unnamed"),
        ({}, "unnamed"),
        ({"url": None}, "unnamed"),
        ({"url": "data:image/png;base64," + "A" * 5000}, "data:image/png;base64,… (5022 characters)"),
    ],
)
def test_an_image_part_is_kept_as_a_reference(image_url: Any, kept: str) -> None:
    """The text is stored, the image goes to the metadata, whatever form its address has."""
    parts = [{"type": "text", "text": "my new bike"}, {"type": "image_url", "image_url": image_url}]
    found = one({"role": "user", "content": parts})
    assert found.text == "my new bike" and found.told["metadata"]["images"] == [kept]


def test_an_image_alone_leaves_a_mark() -> None:
    """A message that is only an image is not lost."""
    found = one({"role": "user", "content": [{"type": "input_image", "image_url": "https://x.example/b.png"}]})
    assert found.text == "[image]" and found.told["metadata"] == {"images": ["https://x.example/b.png"]}


def test_tool_calls_are_searchable_text() -> None:
    """An assistant message with null content and a tool call keeps name and arguments."""
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Lisbon"}'}}
    found = one({"role": "assistant", "content": None, "tool_calls": [call, "junk", {"function": None}]})
    assert found.text == '(called weather with {"city": "Lisbon"})'
    assert found.told["metadata"]["tool_calls"] == [{"name": "weather", "arguments": '{"city": "Lisbon"}'}]


def test_several_text_parts_are_joined() -> None:
    """Parts follow each other on lines; unknown parts are passed over."""
    content = [
        {"type": "text", "text": "one"},
        "two",
        {"type": "audio", "audio": {}},
        {"type": "output_text", "text": "three"},
    ]
    assert one({"role": "user", "content": content}).text == "one\ntwo\nthree"


def test_text_about_tags_is_kept_whole() -> None:
    """A text that talks about <think> tags loses nothing."""
    text = "we strip <think> from answers </think> since May"
    assert one({"role": "user", "content": text}).text == text


def test_what_holds_nothing_is_skipped_with_its_reason() -> None:
    """In a list the empty messages are named by position, the others kept."""
    reading = read([{"role": "user", "content": None}, {"role": "user", "content": " "}, "kept", {"content": []}])
    assert [item.text for item in reading.utterances] == ["kept"]
    assert reading.skipped == (
        "message 0: its content is null",
        "message 1: it is blank",
        "message 3: it is blank",
    )


@pytest.mark.parametrize("content", [3, b"bytes", None, object(), [3], [["nested"]], {"foo": 1}, {"content": 3}, {}])
def test_foreign_shapes_are_errors(content: Any) -> None:
    """What is no message is refused with the shapes that are."""
    with pytest.raises(InvalidInput):
        read(content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["role", "content", "tool_calls", "name", "image_url", "type", "text", "refusal", "function_call"]
)


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=5), max_size=4))
def test_no_message_crashes_the_reader(messages: list[dict[str, Any]]) -> None:
    """Any JSON in any place is read, skipped with a reason, or refused with InvalidInput."""
    try:
        reading = read(messages)
    except InvalidInput:
        return
    assert len(reading.utterances) + len(reading.skipped) == len(messages)
    assert all(item.text.strip() for item in reading.utterances)
