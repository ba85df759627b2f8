"""Keepsake's own hashes are read from its server: whole, tolerant, once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from servers import RunningServer, running
from siltstone import Memory
from siltstone.errors import InvalidInput, StoreUnavailable
from siltstone.stores.streams.server import Server

KEYS = itertools.count(1)


@pytest.fixture
def keepsake() -> Iterator[RunningServer]:
    """A server such as Keepsake uses."""
    with running() as server:
        yield server


def tell(server: RunningServer, **fields: str | bytes) -> str:
    """Keep a fragment as Keepsake does; answers its key."""
    key = f"memory:frag:{next(KEYS):012x}"
    client = Server(server.address())
    client.one("HSET", key, *[word for pair in fields.items() for word in pair])
    client.close()
    return key


def url(server: RunningServer) -> str:
    """Where it is."""
    return f"redis+unix://{server.socket}"


def test_everything_that_a_fragment_says_is_kept(keepsake: RunningServer, memory: Memory) -> None:
    """Text, time, target, agent, category, label and intensity arrive; the vector of another model does not."""
    tell(
        keepsake,
        content="Prefers TypeScript with Vite",
        tags="user,agent:coder",
        category="preference",
        source="hermes_agent",
        created="2026-03-01T10:00:00",
        sentiment_score="-0.7",
        sentiment_label="negative",
        feedback_score="2",
        entities="TypeScript,Vite",
        embed_bin=b"\x00\xff" * 8,
        invalid_at="",
        level="0",
    )
    receipt = memory.import_(url(keepsake), user_id="ana")
    assert (receipt.format, receipt.added, receipt.problems) == ("keepsake", 1, ())
    (entry,) = memory.list(user_id="ana")
    assert (entry.text, entry.agent_id, entry.tags) == ("Prefers TypeScript with Vite", "coder", ("user",))
    assert entry.occurred_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert entry.metadata == {
        "source": "keepsake",
        "origin": "hermes_agent",
        "category": "preference",
        "sentiment_label": "negative",
        "entities": "TypeScript,Vite",
        "intensity": 0.7,
    }
    assert (entry.feedback, entry.invalid_at) == (2.0, None)
    assert memory.retrieve("which front end language?", user_id="ana", agent_id="coder") is not None


def test_a_second_import_adds_nothing(keepsake: RunningServer, memory: Memory) -> None:
    """Importing again adds only what is new, and no feedback twice."""
    tell(keepsake, content="first", created="2026-01-01", feedback_score="-1")
    assert memory.import_(url(keepsake), user_id="ana", format="keepsake").added == 1
    tell(keepsake, content="earlier", created="2025-01-01")
    again = memory.import_(url(keepsake), user_id="ana")
    assert (again.added, again.skipped_existing) == (1, 1)
    entries = memory.list(user_id="ana")
    assert sorted((entry.text, entry.feedback) for entry in entries) == [("earlier", 0.0), ("first", -2.0)]


def test_consumed_rows_are_left_out(keepsake: RunningServer, memory: Memory) -> None:
    """What a consolidation consumed is not imported; its merged row is, with its level and without an intensity."""
    tell(keepsake, content="part one", fragment_type="consumed")
    tell(keepsake, content="part two", consumed_by="memory:frag:x", fragment_type="raw")
    tell(keepsake, content="both parts", fragment_type="consolidated", level="2", sentiment_score="0.9")
    assert memory.import_(url(keepsake), user_id="ana").added == 1
    (entry,) = memory.list(user_id="ana")
    assert (entry.text, entry.metadata) == ("both parts", {"source": "keepsake", "level": 2})


def test_agents_stay_apart(keepsake: RunningServer, memory: Memory) -> None:
    """A fragment that two agents kept becomes one entry for each, and no agent sees the other's."""
    tell(keepsake, content="the shared kettle is blue", tags="memory,agent:one,agent:two")
    tell(keepsake, content="the kettle of everybody", tags="memory")
    assert memory.import_(url(keepsake), user_id="ana").added == 3
    assert [entry.agent_id for entry in memory.list(user_id="ana", agent_id="two")] == ["two"]


def test_invalid_rows_are_invalid_since(keepsake: RunningServer, memory: Memory) -> None:
    """Any `invalid_at` that is not empty ends the entry: at that time, or where it cannot be read, at its creation."""
    tell(keepsake, content="ended", invalid_at="2026-02-01T00:00:00+00:00", created="2026-01-01")
    tell(keepsake, content="ended somehow", invalid_at="yes", created="2026-01-02")
    tell(keepsake, content="ended before time", invalid_at="true")
    memory.import_(url(keepsake), user_id="ana")
    ends = {entry.text: entry.invalid_at for entry in memory.list(user_id="ana")}
    assert ends == {
        "ended": datetime(2026, 2, 1, tzinfo=UTC),
        "ended somehow": datetime(2026, 1, 2, tzinfo=UTC),
        "ended before time": datetime(1970, 1, 1, tzinfo=UTC),
    }


def test_broken_rows_are_reported_and_skipped(keepsake: RunningServer, memory: Memory) -> None:
    """Rows without content are reported; odd numbers, dates and bytes are read as far as they can be."""
    empty = tell(keepsake, tags="user")
    tell(keepsake, content="odd", created="yesterday", sentiment_score="nan", feedback_score="many", level="x")
    tell(keepsake, content=b"half \xff bytes", created="1767225600")
    client = Server(keepsake.address())
    client.run([("SET", "memory:frag:string", "x"), ("SET", "memory:full:1", "y")])
    client.close()
    receipt = memory.import_(url(keepsake), user_id="ana")
    assert (receipt.added, receipt.problems) == (2, (f"{empty}: it has no content",))
    assert {entry.text for entry in memory.list(user_id="ana")} == {"odd", "half \ufffd bytes"}


def test_other_places_are_refused(keepsake: RunningServer, memory: Memory) -> None:
    """A server that is gone, another scheme, another format, or a file as Keepsake's: each is a clear error."""
    with pytest.raises(InvalidInput, match="nothing is imported from ftp"):
        memory.import_("ftp://host/file", user_id="ana")
    with pytest.raises(InvalidInput, match="read as 'keepsake', not as 'text'"):
        memory.import_(url(keepsake), user_id="ana", format="text")
    with pytest.raises(InvalidInput, match="on a server"):
        memory.import_("memories.txt", user_id="ana", format="keepsake")
    keepsake.kill()
    with pytest.raises(StoreUnavailable):
        memory.import_(url(keepsake), user_id="ana")
