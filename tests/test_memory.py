"""The verbs of Memory that write: add, update, forget, purge, feedback, on every store that needs no server."""

from __future__ import annotations

from typing import Any

import pytest

from memories import ANA, BOB, texts
from siltstone import Memory
from siltstone.errors import InvalidInput, NotFound, UnknownFilter


def test_what_was_added_is_found_at_once(memory: Memory) -> None:
    """A text is searchable as soon as add returns."""
    receipt = memory.add("Prefers TypeScript with Vite", user_id=ANA)
    assert texts(memory, "typescript") == ["Prefers TypeScript with Vite"]
    assert receipt.created and receipt.status == "kept" and receipt.seq == 1


def test_another_user_sees_nothing(memory: Memory) -> None:
    """No read, list, count or history of one user shows another user's memory."""
    memory_id = memory.add("likes tea", user_id=ANA).id
    assert texts(memory, "tea", BOB) == []
    assert memory.list(user_id=BOB) == [] and memory.get(memory_id, user_id=BOB) is None
    assert memory.stats(user_id=BOB).events == 0 and memory.users() == [ANA]
    with pytest.raises(NotFound):
        memory.history(memory_id, user_id=BOB)
    with pytest.raises(NotFound):
        memory.forget(memory_id, user_id=BOB)
    assert texts(memory, "tea") == ["likes tea"]


@pytest.mark.parametrize("verb", ["add", "process"])
def test_identity_in_metadata_is_dropped_with_a_warning(memory: Memory, verb: str) -> None:
    """A scope comes from parameters alone; identity keys in metadata are dropped, the rest stays."""
    told = {"metadata": {"user": "bob", "agent_id": "billing", "colour": "red"}}
    with pytest.warns(UserWarning, match=r"agent_id, user dropped"):
        memory_id = getattr(memory, verb)("likes tea", user_id="mallory", **told).id
    entry = memory.get(memory_id, user_id="mallory")
    assert entry is not None and entry.metadata == {"colour": "red"} and entry.agent_id is None
    assert texts(memory, "tea", BOB) == []


@pytest.mark.parametrize(
    "user_id", ["r7&user=u2", "a/b", "../../x", "100%", "a=b", "main", "_", "a.b", "team-blue", "佳", "😀"]
)
def test_any_plain_text_is_a_user(memory: Memory, user_id: str) -> None:
    """Ids that look like syntax or paths are names like any other, each its own user."""
    memory.add("likes tea", user_id=user_id)
    memory.add("likes mate", user_id="r7")
    assert texts(memory, "tea mate likes", user_id) == ["likes tea"]


@pytest.mark.parametrize("user_id", ["", "  ", None, 7, "a\x00b", "a\nb", "x" * 300, "\ud800"])
def test_an_unusable_user_is_an_error_everywhere(memory: Memory, user_id: Any) -> None:
    """A blank, foreign or malformed user never means everybody or nobody."""
    for call in (
        lambda: memory.add("x", user_id=user_id),
        lambda: memory.retrieve("x", user_id=user_id),
        lambda: memory.list(user_id=user_id),
        lambda: memory.forget(all=True, user_id=user_id),
        lambda: memory.export(user_id=user_id),
    ):
        with pytest.raises(InvalidInput, match="user_id"):
            call()
    assert memory.users() == []


def test_an_unknown_argument_is_a_type_error(memory: Memory) -> None:
    """A misspelt keyword is never swallowed, and the message names the nearest one."""
    with pytest.raises(TypeError, match="'limit'"):
        memory.retrieve("x", user_id=ANA, limit=200)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean 'occurred_at'"):
        memory.add("x", user_id=ANA, ocurred_at="2026-01-01")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean 'session_id'"):
        memory.list(user_id=ANA, session="s")  # type: ignore[call-arg]


def test_an_unknown_filter_is_an_error(memory: Memory) -> None:
    """A filter key that no memory has is named, with the nearest known one."""
    with pytest.raises(UnknownFilter, match="did you mean 'agent_id'"):
        memory.retrieve("x", user_id=ANA, filters={"agentid": "a"})
    with pytest.raises(InvalidInput, match="one call reads one user"):
        memory.retrieve("x", user_id=ANA, filters={"user_id": BOB})


@pytest.mark.parametrize("query", ["", "   ", "\n", None, 3])
def test_a_blank_query_is_an_error(memory: Memory, query: Any) -> None:
    """Asking nothing is a mistake of the caller, not a request for everything."""
    with pytest.raises(InvalidInput, match="query"):
        memory.retrieve(query, user_id=ANA)


@pytest.mark.parametrize("top_k", [0, -3, True, 2.5, "5", 10**6])
def test_top_k_is_a_positive_number(memory: Memory, top_k: Any) -> None:
    """Zero, negative and other values are refused."""
    with pytest.raises(InvalidInput, match="top_k"):
        memory.retrieve("x", user_id=ANA, top_k=top_k)


@pytest.mark.parametrize(
    "content", ["", "  \n", "\x00", None, 7, b"x", {"role": "user"}, {"role": "user", "content": None}]
)
def test_content_that_holds_nothing_is_an_error(memory: Memory, content: Any) -> None:
    """Blank or foreign content raises, and nothing is written."""
    with pytest.raises(InvalidInput):
        memory.add(content, user_id=ANA)
    assert memory.users() == []


def test_messages_in_a_list_are_one_step(memory: Memory) -> None:
    """A list of messages is kept in order, the empty ones skipped and named."""
    receipt = memory.add(
        [
            {"role": "user", "content": "I moved to Lisbon"},
            {"role": "assistant", "content": None},
            {"role": "user", "content": [{"type": "text", "text": "My cello came too"}]},
        ],
        user_id=ANA,
        session_id="s1",
    )
    assert receipt.skipped == ("message 1: its content is null",)
    assert [entry.text for entry in memory.list(user_id=ANA)] == ["I moved to Lisbon", "My cello came too"]
    assert {entry.kind for entry in memory.list(user_id=ANA)} == {"turn"}


def test_a_bad_message_in_a_batch_writes_nothing(memory: Memory) -> None:
    """One unusable message refuses the whole batch."""
    with pytest.raises(InvalidInput):
        memory.add([{"role": "user", "content": "fine"}, {"role": "user", "content": 7}], user_id=ANA)
    assert memory.list(user_id=ANA) == []


def test_an_idempotency_key_writes_once(memory: Memory) -> None:
    """The same key answers with the first call's ids and writes nothing."""
    first = memory.add(["one", "two"], user_id=ANA, idempotency_key="k1")
    again = memory.add(["one", "two"], user_id=ANA, idempotency_key="k1")
    assert again.ids == first.ids and first.created and not again.created
    assert memory.stats(user_id=ANA).events == 2
    assert memory.add("one", user_id=BOB, idempotency_key="k1").created


def test_update_keeps_the_old_version_in_the_history(memory: Memory) -> None:
    """After an update only the new text is found; the history holds both."""
    memory_id = memory.add("lives in Berlin", user_id=ANA).id
    entry = memory.update(memory_id, user_id=ANA, text="lives in Lisbon")
    assert entry.text == "lives in Lisbon" and entry.revision == 2
    assert texts(memory, "Berlin") == [] and texts(memory, "Lisbon") == ["lives in Lisbon"]
    assert [change.kind for change in memory.history(memory_id, user_id=ANA)] == ["entry_added", "entry_updated"]


def test_update_tells_none_from_empty(memory: Memory) -> None:
    """None leaves a value, an empty one clears it, falsy values inside metadata are stored."""
    memory_id = memory.add("x1", user_id=ANA, metadata={"a": 1}, tags=["t"]).id
    assert memory.update(memory_id, user_id=ANA, text="x2", metadata=None).metadata == {"a": 1}
    falsy = {"zero": 0, "empty": "", "no": False, "none": None}
    assert memory.update(memory_id, user_id=ANA, metadata=falsy).metadata == falsy
    assert memory.update(memory_id, user_id=ANA, metadata={}, tags=[]).metadata == {}
    assert memory.get(memory_id, user_id=ANA).tags == ()  # type: ignore[union-attr]
    with pytest.raises(InvalidInput, match="changes nothing"):
        memory.update(memory_id, user_id=ANA)
    with pytest.raises(NotFound):
        memory.update("no-such-id", user_id=ANA, text="y")


def test_an_update_clears_by_name(memory: Memory) -> None:
    """`clear` removes a value; a name that cannot be cleared is an error."""
    memory_id = memory.add("x", user_id=ANA, speaker="Ana", invalid_at="2000-01-01").id
    entry = memory.update(memory_id, user_id=ANA, clear=["invalid_at", "speaker"])
    assert entry.invalid_at is None and entry.speaker is None and texts(memory, "x") == ["x"]
    with pytest.raises(InvalidInput, match="text"):
        memory.update(memory_id, user_id=ANA, clear=["text"])


def test_a_forgotten_memory_is_in_no_answer(memory: Memory) -> None:
    """After forget no channel, list or neighbour shows it; get and history still do; revive brings it back."""
    ids = memory.add(["the cello is old", "it sounds warm", "rain again"], user_id=ANA, session_id="s").ids
    receipt = memory.forget(ids[0], user_id=ANA)
    assert receipt.ids == (ids[0],) and not receipt.purged
    assert "the cello is old" not in texts(memory, "cello old warm")
    assert [entry.id for entry in memory.list(user_id=ANA)] == list(ids[1:])
    assert memory.get(ids[0], user_id=ANA).forgotten_at is not None  # type: ignore[union-attr]
    assert memory.forget(ids[0], user_id=ANA).count == 0
    memory.revive(ids[0], user_id=ANA)
    assert texts(memory, "cello")[0] == "the cello is old"


def test_forget_needs_exactly_one_selector(memory: Memory) -> None:
    """Nothing, an empty filter and two selectors at once are refused; nothing is forgotten."""
    memory_id = memory.add("x", user_id=ANA).id
    for options in ({}, {"filters": {}}, {"metadata": {}}, {"tags": []}, {"memory_id": []}, {"memory_id": ""}):
        with pytest.raises(InvalidInput):
            memory.forget(user_id=ANA, **options)
    with pytest.raises(InvalidInput, match="exclude each other"):
        memory.forget(memory_id, user_id=ANA, all=True)
    assert len(memory.list(user_id=ANA)) == 1


def test_forget_all_leaves_nothing_of_thousands(memory: Memory) -> None:
    """Forgetting everything of a user is no first page."""
    memory.add([f"memory number {n}" for n in range(1001)], user_id=ANA)
    memory.add("stays", user_id=BOB)
    assert memory.forget(all=True, user_id=ANA).count == 1001
    assert memory.list(user_id=ANA) == [] and texts(memory, "memory number") == []
    assert texts(memory, "stays", BOB) == ["stays"]


def test_forget_by_filter_takes_exactly_what_matches(memory: Memory) -> None:
    """A filter selects by session, tag or metadata within the user."""
    memory.add(["a1", "a2"], user_id=ANA, session_id="s1")
    memory.add("b1", user_id=ANA, session_id="s2", tags=["x-y@example.org {q}|r"])
    assert memory.forget(user_id=ANA, session_id="s1").count == 2
    assert memory.forget(user_id=ANA, filters={"tags": ["x-y@example.org {q}"]}).count == 0
    assert memory.forget(user_id=ANA, filters={"tags": ["x-y@example.org {q}|r"]}).count == 1


def test_purge_erases_and_says_what(memory: Memory) -> None:
    """A purge leaves the fact that something was there, and none of its content."""
    ids = memory.add(["secret zebra", "plain horse"], user_id=ANA, metadata={"m": "zebra-meta"}).ids
    memory.update(ids[0], user_id=ANA, text="secret zebra two")
    receipt = memory.forget(ids[0], user_id=ANA, purge=True)
    assert receipt.purged and receipt.erased["events"] == 2 and receipt.erased["records"] == 1
    assert memory.get(ids[0], user_id=ANA) is None and texts(memory, "zebra") == []
    assert "zebra two" not in "\n".join(memory.export(user_id=ANA))  # type: ignore[arg-type]
    assert memory.replay(user_id=ANA).same and texts(memory, "horse") == ["plain horse"]


def test_feedback_counts_once_a_turn(memory: Memory) -> None:
    """Feedback is signed, scoped and idempotent per turn."""
    memory_id = memory.add("x", user_id=ANA).id
    memory.feedback(memory_id, user_id=ANA, useful=True, turn="t1")
    assert memory.feedback(memory_id, user_id=ANA, useful=True, turn="t1").feedback == 1.0
    assert memory.feedback(memory_id, user_id=ANA, useful=False, turn="t2").feedback == -1.0
    with pytest.raises(NotFound):
        memory.feedback(memory_id, user_id=BOB, useful=True)
    with pytest.raises(InvalidInput):
        memory.feedback(memory_id, user_id=ANA, useful="yes")  # type: ignore[arg-type]
