"""Events: versions, upcasting, what they are about, what a purge leaves of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from siltstone.domain import events
from siltstone.domain.events import ENTRIES_FORGOTTEN, ENTRY_ADDED, Draft, Event, mentions, redact, upcast
from siltstone.errors import SchemaTooNew

AT = datetime(2026, 5, 7, tzinfo=UTC)


def event(kind: str = ENTRY_ADDED, version: int = 1, **payload: Any) -> Event:
    """The third event of a user."""
    return Event(user_id="ana", seq=3, id="e3", kind=kind, version=version, at=AT, payload=payload)


def test_a_draft_becomes_an_event_of_the_newest_version() -> None:
    """Place and user are given by the journal; the rest is the draft's."""
    made = Event.of(Draft(id="e3", kind=ENTRY_ADDED, at=AT, payload={"id": "m1"}), user_id="ana", seq=3)
    assert made == event(id="m1")


def test_an_old_version_is_read_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step's function is applied once, in order, and the event is then of the newest version."""
    monkeypatch.setitem(events.VERSIONS, ENTRY_ADDED, 3)
    monkeypatch.setitem(events.UPCASTS, (ENTRY_ADDED, 1), lambda payload: {**payload, "steps": ["1 to 2"]})
    monkeypatch.setitem(
        events.UPCASTS, (ENTRY_ADDED, 2), lambda payload: {**payload, "steps": [*payload["steps"], "2 to 3"]}
    )
    read = upcast(event(id="m1"))
    assert read.version == 3 and read.payload == {"id": "m1", "steps": ["1 to 2", "2 to 3"]}
    assert upcast(read) == read


@pytest.mark.parametrize("kind", [ENTRY_ADDED, "never_heard_of"])
def test_an_event_from_the_future_is_refused(kind: str) -> None:
    """A newer version or an unknown kind is an error that says what to do, and never guessed at."""
    with pytest.raises(SchemaTooNew, match="upgrade"):
        upcast(event(kind, version=99))


def test_an_event_is_about_the_memories_that_it_names() -> None:
    """One id or a list of them."""
    assert mentions(event(id="m1"), "m1") and not mentions(event(id="m1"), "m2")
    assert mentions(event(ENTRIES_FORGOTTEN, ids=["m1", "m2"]), "m2")


def test_a_purge_leaves_the_fact_and_none_of_the_content() -> None:
    """The redacted event keeps its place, kind and id; others are left as they are; twice is as once."""
    told = event(id="m1", text="secret", tags=["t"])
    erased = redact(told, frozenset({"m1"}))
    assert erased.payload == {"id": "m1", "purged": True} and (erased.seq, erased.kind) == (3, ENTRY_ADDED)
    assert redact(told, frozenset({"m2"})) is told and redact(erased, frozenset({"m1"})) is erased


def test_every_kind_is_in_the_table_with_its_version() -> None:
    """The page of events, made from the docstring, names each kind once."""
    table = events.__doc__ or ""
    for kind, version in events.VERSIONS.items():
        assert f"| {kind} | {version} |" in table
