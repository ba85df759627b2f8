"""Following a source: each text once, the mark with it."""

from __future__ import annotations

from typing import Any

import pytest

from siltstone import Memory
from siltstone.errors import InvalidInput


def _turns(*keys: str) -> list[dict[str, Any]]:
    return [{"key": key, "role": "user", "content": f"text {key}"} for key in keys]


def test_a_source_is_kept_with_how_far_it_was_read(memory: Memory) -> None:
    """What was read and the mark are there together, and the mark is answered as it was given."""
    assert memory.followed("tape", user_id="ana") is None
    receipt = memory.follow(_turns("a", "b"), user_id="ana", source="tape", mark={"count": 2})
    assert len(receipt.ids) == 2
    assert memory.followed("tape", user_id="ana") == {"count": 2}
    assert [entry.text for entry in memory.list(user_id="ana")] == ["text a", "text b"]


def test_reading_again_keeps_nothing_twice(memory: Memory) -> None:
    """A text that was kept under its key before is not kept again, and an unmoved mark writes nothing."""
    memory.follow(_turns("a", "b"), user_id="ana", source="tape", mark={"count": 2})
    again = memory.follow(_turns("a", "b", "c", "c"), user_id="ana", source="tape", mark={"count": 3})
    assert len(again.ids) == 1
    before = memory.stats(user_id="ana").events
    assert memory.follow(_turns("a"), user_id="ana", source="tape", mark={"count": 3}).created is False
    assert memory.stats(user_id="ana").events == before


def test_sources_and_users_do_not_share_keys(memory: Memory) -> None:
    """The same key in another source or of another user is another text."""
    for user, source in (("ana", "one"), ("ana", "two"), ("bo", "one")):
        assert memory.follow(_turns("a"), user_id=user, source=source, mark={}).created
    assert memory.followed("two", user_id="bo") is None


def test_a_forgotten_text_stays_forgotten(memory: Memory) -> None:
    """Reading a source again does not bring back what was forgotten."""
    receipt = memory.follow(_turns("a"), user_id="ana", source="tape", mark={"n": 1})
    memory.forget(receipt.id, user_id="ana")
    memory.follow(_turns("a"), user_id="ana", source="tape", mark={"n": 2})
    assert memory.list(user_id="ana") == []


def test_replay_keeps_the_mark(memory: Memory) -> None:
    """A replay gives the same fingerprint, marks included."""
    memory.follow(_turns("a"), user_id="ana", source="tape", mark={"n": 1})
    memory.follow(_turns("b"), user_id="ana", source="tape", mark={"n": 2})
    replayed = memory.replay(user_id="ana")
    assert replayed.before == replayed.after
    assert memory.followed("tape", user_id="ana") == {"n": 2}


@pytest.mark.parametrize(
    ("items", "mark"),
    [([{"role": "user", "content": "x"}], {}), ([], None), ([], {"x": float("nan")}), ([], {"x": object()})],
)
def test_what_cannot_be_used_is_refused(memory: Memory, items: Any, mark: Any) -> None:
    """A message without a key and a mark that is no JSON are errors, and nothing is written."""
    with pytest.raises(InvalidInput):
        memory.follow(items, user_id="ana", source="tape", mark=mark)
    assert memory.users() == []
