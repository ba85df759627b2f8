"""One agent of a user, and what it may see and do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memories import ANA, texts
from siltstone import Memory
from siltstone.assembly import assemble
from siltstone.errors import InvalidInput, NotFound

NONE = {"embedding__provider": "none"}


def opened(url: str, agent: str, **settings: Any) -> Memory:
    """A memory that is bound to that agent."""
    return Memory.open(url, scope__agent_id=agent, **NONE, **settings)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with an entry of each of two agents and a shared one."""
    where = f"sqlite:///{tmp_path}/m.db"
    with Memory.open(where, **NONE) as memory:
        memory.add("tea of the researcher", user_id=ANA, agent_id="researcher")
        memory.add("tea of the writer", user_id=ANA, agent_id="writer")
        memory.add("tea of all", user_id=ANA)
    return where


def test_an_agent_sees_its_own_and_what_is_shared(url: str) -> None:
    """Recall, list and get of an agent that is not primary never show another agent's entry; both agents work."""
    for agent, other in (("researcher", "writer"), ("writer", "researcher")):
        with opened(url, agent) as memory:
            mine = {f"tea of the {agent}", "tea of all"}
            assert set(texts(memory, "tea")) == mine and {entry.text for entry in memory.list(user_id=ANA)} == mine
            assert texts(memory, "tea", agent_id=other) == []
    with opened(url, "boss", scope__primary=True) as memory:
        assert len(texts(memory, "tea")) == 3


def test_what_an_agent_adds_is_its_own(url: str) -> None:
    """Its writes carry its name, another agent does not see them, and it cannot write for another."""
    with opened(url, "researcher") as mine, opened(url, "writer") as theirs:
        assert theirs.retrieve("tea", user_id=ANA)
        memory_id = mine.add("green tea", user_id=ANA).id
        entry = mine.get(memory_id, user_id=ANA)
        assert entry is not None and entry.agent_id == "researcher"
        assert "green tea" in texts(mine, "tea") and "green tea" not in texts(theirs, "tea")
        for write in (
            lambda: mine.add("x", user_id=ANA, agent_id="writer"),
            lambda: mine.update(memory_id, user_id=ANA, agent_id="writer"),
        ):
            with pytest.raises(InvalidInput, match="primary"):
                write()


def test_the_same_text_of_two_agents_is_two_memories(url: str) -> None:
    """Neither takes the other's away, and upkeep of one does not touch the other's."""
    with opened(url, "researcher") as mine, opened(url, "writer") as theirs:
        for memory in (mine, theirs):
            memory.add("tea at five", user_id=ANA)
        report = mine.upkeep.maintain(user_id=ANA)
        assert sum(step.count for step in report.steps) == 0
        assert "tea at five" in texts(mine, "tea") and "tea at five" in texts(theirs, "tea")


def test_an_id_of_another_agent_is_no_id(url: str) -> None:
    """Whoever knows the id of another agent's entry can do nothing with it."""
    with Memory.open(url, **NONE) as whole:
        (hidden,) = [entry.id for entry in whole.list(user_id=ANA) if entry.agent_id == "writer"]
    with opened(url, "researcher") as memory:
        assert memory.get(hidden, user_id=ANA) is None
        for call in (
            lambda: memory.history(hidden, user_id=ANA),
            lambda: memory.update(hidden, user_id=ANA, text="x"),
            lambda: memory.forget(hidden, user_id=ANA),
            lambda: memory.forget(hidden, user_id=ANA, purge=True),
            lambda: memory.revive(hidden, user_id=ANA),
            lambda: memory.feedback(hidden, user_id=ANA, useful=True),
            lambda: memory.used(hidden, user_id=ANA),
            lambda: memory.upkeep.undo(hidden, user_id=ANA),
        ):
            with pytest.raises((NotFound, InvalidInput)):
                call()
        assert memory.forget(all=True, user_id=ANA, purge=True).count == 2
    with Memory.open(url, **NONE) as whole:
        assert [entry.text for entry in whole.list(user_id=ANA)] == ["tea of the writer"]


def test_the_whole_of_a_user_is_for_the_primary_agent(url: str, tmp_path: Path) -> None:
    """An export and a restore of everything are refused to an agent that does not see everything; replay is not."""
    with Memory.open(url, **NONE) as whole:
        whole.export(user_id=ANA, to=tmp_path / "all.jsonl")
    with opened(url, "researcher") as memory:
        with pytest.raises(InvalidInput, match="primary"):
            memory.export(user_id=ANA, to=tmp_path / "mine.jsonl")
        with pytest.raises(InvalidInput, match="primary"):
            memory.import_(tmp_path / "all.jsonl", user_id="copy")
        assert memory.replay(user_id=ANA).same


def test_beliefs_of_several_agents_are_hidden_from_each(url: str) -> None:
    """What was formed from another agent's turns is not recalled, listed or summarised for this one."""
    with Memory.open(url, **NONE) as whole:
        whole.process("I quit smoking in March", user_id=ANA, agent_id="writer")
        whole.process("I finally quit drinking for good", user_id=ANA, agent_id="researcher")
    with opened(url, "researcher") as memory:
        said = [statement.text for episode in memory.beliefs.episodes(user_id=ANA) for statement in episode.statements]
        assert said and not any("smoking" in text for text in said)
        found = memory.retrieve("quit smoking drinking", user_id=ANA, kinds=("turn", "episode", "snapshot"))
        assert found and not any("smoking" in hit.text for hit in found)
        memory.process("I started to run again, I love it", user_id=ANA)
        assert len(memory.beliefs.status(user_id=ANA).waiting) == 0


def test_without_an_agent_nothing_is_bound() -> None:
    """The store is the store itself where no agent is named, and for the primary one."""
    for settings in ({}, {"scope__agent_id": "a", "scope__primary": True}, {"scope__primary": False}):
        parts = assemble("memory://", {**NONE, **settings})
        assert Memory(replace(parts)).store is parts.store
