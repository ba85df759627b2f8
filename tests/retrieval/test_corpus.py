"""A user's index follows the store, and never depends on the way it got there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories import ANA, BOB, texts
from siltstone import Hit, Memory
from siltstone.retrieval.shelf import Shelf

STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "session", "update", "forget", "revive", "ask", "purge"]), st.integers(0, 5)),
    min_size=1,
    max_size=14,
)


def answer(memory: Memory) -> tuple[Hit, ...]:
    """Everything that a broad question finds."""
    return memory.retrieve("cello tea lesson what happened", user_id=ANA, top_k=50).hits


def act(memory: Memory, step: str, n: int, ids: list[str]) -> None:
    """One change, or one question."""
    if step in ("add", "session"):
        session = {"session_id": f"s{n % 2}"} if step == "session" else {}
        ids += memory.add(f"cello lesson {n} with tea?", user_id=ANA, **session).ids  # type: ignore[arg-type]
    elif step == "ask":
        answer(memory)
    elif ids:
        memory_id = ids[n % len(ids)]
        if step == "purge":
            ids.remove(memory_id)
            memory.forget(memory_id, user_id=ANA, purge=True)
        elif step == "update":
            memory.update(memory_id, user_id=ANA, text=f"updated tea {n}", metadata={"n": n})
        else:
            getattr(memory, step)(memory_id, user_id=ANA)


@settings(max_examples=40)
@given(STEPS)
def test_an_index_kept_current_answers_as_one_read_anew(steps: list[tuple[str, int]]) -> None:
    """After any changes, questions in between or not, the live index and a fresh one give equal hits."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        ids: list[str] = []
        for step, n in steps:
            act(memory, step, n, ids)
        live = answer(memory)
        memory._shelf.drop(ANA)
        assert answer(memory) == live


def test_what_another_process_writes_is_found(tmp_path: Path) -> None:
    """An index in use sees the commits, updates and purges of another opening of the same file."""
    url, none = f"sqlite:///{tmp_path}/m.db", {"embedding__provider": "none"}
    with Memory.open(url, **none) as mine, Memory.open(url, **none) as theirs:
        mine.add("one cello", user_id=ANA)
        assert texts(mine, "cello") == ["one cello"]
        memory_id = theirs.add("two cellos", user_id=ANA).id
        assert sorted(texts(mine, "cello")) == ["one cello", "two cellos"]
        theirs.update(memory_id, user_id=ANA, text="two violins")
        assert texts(mine, "cello") == ["one cello"]
        theirs.forget(all=True, user_id=ANA, purge=True)
        assert texts(mine, "cello violin") == []


@pytest.fixture
def talk(memory: Memory) -> Iterator[Memory]:
    """A session in which the answer shares no word with the question, and another session."""
    turns = ["How was the audition at the conservatory?", "They took me!", "Wonderful news", "Now I need a flat"]
    memory.add([{"role": "user", "content": turn} for turn in turns], user_id=ANA, session_id="a")
    memory.add([{"role": "user", "content": f"Nothing new on day {n}"} for n in range(30)], user_id=ANA, session_id="b")
    return memory


def test_a_turn_is_found_with_what_was_asked_before_it(talk: Memory) -> None:
    """The answer to a question is found by the question's words."""
    assert "They took me!" in texts(talk, "what about the audition at the conservatory?")[:2]


def test_a_neighbour_outside_the_filter_neither_counts_nor_shows(talk: Memory) -> None:
    """Under a filter, context comes from what the filter lets through alone."""
    talk.add({"role": "user", "content": "audition", "tags": ["x"]}, user_id=ANA, session_id="a")
    assert texts(talk, "audition conservatory", tags=["x"]) == ["audition"]


def test_the_open_session_is_a_buffer(talk: Memory) -> None:
    """The latest turns of the session under way are found although no word of the question is in them."""
    found = texts(talk, "zzz qqq", recent_session="a")
    assert found[0] == "Now I need a flat" and len(found) == 4
    assert texts(talk, "zzz qqq") == [] and texts(talk, "zzz qqq", recent_session="unknown") == []


def test_the_shelf_keeps_what_fits_and_always_the_one_in_use() -> None:
    """Beyond its bound the least recently used indexes go; the totals stay right."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        for user_id in (ANA, BOB):
            memory.add(["some text about tea"] * 20, user_id=user_id)
        shelf = Shelf(limit=1)
        for user_id in (ANA, BOB, ANA):
            with shelf.current(memory.store.partition(user_id)) as corpus:
                assert corpus.count == 20
            assert list(shelf._corpora) == [user_id] and shelf._total == corpus.nbytes
        shelf.drop(ANA)
        assert shelf._total == 0
