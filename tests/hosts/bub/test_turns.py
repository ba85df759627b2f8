"""What the entries of a tape say: messages with their sender, tool traffic in short, nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from siltstone.hosts.bub import turns
from siltstone.hosts.bub.tapes import Line


def _line(kind: str, payload: dict[str, Any], date: str = "2026-01-01T10:00:00+00:00") -> Line:
    return Line(kind=kind, payload=payload, meta={"run_id": "run-1"}, date=date)


def _user(content: Any) -> Line:
    return _line("message", {"role": "user", "content": content})


def _kept(*lines: Line) -> list[dict[str, Any]]:
    return turns.messages(lines, tape="w__s", session="cli:local")


def test_the_hosts_prefix_is_taken_off_and_the_sender_kept() -> None:
    """What Bub puts in front of a message is not what the person said."""
    content = "sender_id=human|channel=$cli|chat_id=local\n---Date: 2026-01-01T10:00:00+01:00---\nHello\nthere"
    (found,) = _kept(_user(content))
    assert found["content"] == "Hello\nthere" and found["speaker"] == "human" and found["role"] == "user"
    assert found["session_id"] == "cli:local" and found["metadata"] == {"tape": "w__s", "step": "run-1"}
    assert found["occurred_at"] == "2026-01-01T10:00:00+00:00"


def test_a_message_without_prefix_is_kept_as_it_is() -> None:
    """A bare message, with an equals sign and dashes of its own, loses nothing."""
    assert _kept(_user("a=b\n---\nc"))[0]["content"] == "a=b\n---\nc"


def test_telegram_messages_of_a_batch_are_told_apart() -> None:
    """Each message of a debounced batch is a text of its own, by its own sender; what is no JSON stays."""
    prefix = "channel=$telegram|chat_id=7\n---Date: x---\n"
    batch = [
        json.dumps({"message": "I need to fix\na bug", "full_name": "Ana B", "username": "ana", "date": 1.0}),
        json.dumps({"message": "me too", "username": "bo", "reply_to_message": {"message": "old"}}),
        "plain",
    ]
    found = _kept(_user(prefix + "\n".join(batch)))
    assert [(one["content"], one.get("speaker")) for one in found] == [
        ("I need to fix\na bug", "Ana B"),
        ("me too", "bo"),
        ("plain", None),
    ]
    assert len({one["key"] for one in found}) == 3


def test_tool_traffic_is_kept_in_short_and_ours_not_at_all() -> None:
    """A huge result becomes a line with its length; what our own tools asked and answered is not kept again."""
    call = {"id": "1", "function": {"name": "bash", "arguments": '{"command": "pytest"}'}}
    own = {"id": "2", "function": {"name": "memory_search", "arguments": '{"query": "x"}'}}
    found = _kept(
        _line("tool_call", {"calls": [call, own], "content": "Let me look."}),
        _line("tool_result", {"results": ["ok " * 5000, "[memory] 1 memories"]}),
    )
    assert [one["role"] for one in found] == ["assistant", "tool", "tool"]
    assert found[1]["content"] == '(called bash with {"command": "pytest"})'
    assert len(found[2]["content"]) < 700 and "14999 characters" in found[2]["content"]
    assert found[2]["tags"] == [turns.TOOL]


def test_prompts_events_and_blank_messages_say_nothing() -> None:
    """System prompts, events, errors, first anchors and empty answers are not kept."""
    assert (
        _kept(
            _line("system", {"content": "You are"}),
            _line("event", {"name": "run", "data": {}}),
            _line("error", {"message": "no"}),
            _line("anchor", {"name": "session/start", "state": {"owner": "human"}}),
            _line("message", {"role": "assistant", "content": " "}),
            _line("message", {"role": "user", "content": None}),
            _line("message", {"role": "user", "content": [{"type": "image_url"}]}),
        )
        == []
    )


def test_the_summary_of_a_handoff_is_kept() -> None:
    """What a handoff sums up is found by later conversations."""
    (found,) = _kept(_line("anchor", {"name": "p", "state": {"summary": "Bob owns tests"}}))
    assert found["content"] == "Handoff p: Bob owns tests" and found["tags"] == [turns.HANDOFF]


def test_the_texts_of_a_message_with_pictures_are_its_words() -> None:
    """Of content parts the texts count, with the prefix taken off."""
    parts = [{"type": "text", "text": "sender_id=ana\n---Date: x---\nLook"}, {"type": "image_url", "image_url": {}}]
    assert turns.question(parts) == "Look"


@pytest.mark.parametrize("date", ["", "yesterday", "9999-99-99"])
def test_a_date_that_cannot_be_read_is_left_out(date: str) -> None:
    """An entry without a date that means something is kept all the same."""
    (found,) = _kept(_line("message", {"role": "user", "content": "hi"}, date))
    assert "occurred_at" not in found


@pytest.mark.parametrize("session", ["x" * 300, "a\nb", " a ", ""])
def test_a_name_that_no_memory_can_carry_becomes_a_digest(session: str) -> None:
    """Too long, odd or blank names are replaced, each by one of its own."""
    name = turns.name_of(session)
    assert name.startswith("sha256:") and name != turns.name_of(session + "x")
    assert turns.name_of("../../x") == "../../x"


def test_a_tape_tells_its_session(tmp_path: Path) -> None:
    """The session of a tape is found by what its messages tell, and proven by its name."""
    line = _user("channel=$telegram|chat_id=42\n---Date: x---\nhi")
    assert turns.session_of([line], turns.tape_name(tmp_path, "telegram:42")) == "telegram:42"
    assert turns.session_of([line], turns.tape_name(tmp_path, "cli:local")) == "cli:local"
    assert turns.session_of([line], turns.tape_name(tmp_path, "elsewhere")) is None
