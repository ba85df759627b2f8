"""The fold is pure, and total: events about what is no longer there change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from siltstone.domain import events as e
from siltstone.domain.events import Event
from siltstone.domain.fold import apply
from siltstone.domain.records import Gone, Record, Vector, canonical, fingerprint, text_key
from siltstone.domain.values import ENTRY

AT = datetime(2026, 5, 7, tzinfo=UTC)


def journal(*told: tuple[str, dict[str, Any]]) -> list[Event]:
    """Events of one user, a second apart."""
    return [
        Event(user_id="ana", seq=n, id=f"e{n}", kind=kind, version=1, at=AT + timedelta(seconds=n), payload=payload)
        for n, (kind, payload) in enumerate(told, 1)
    ]


def folded(events: Iterable[Event]) -> dict[str, Record]:
    """The entries that a journal gives."""
    state: dict[tuple[str, str], Record] = {}
    for event in events:
        for change in apply(event, lambda kind, name: state.get((kind, name))):
            if isinstance(change, Gone):
                state.pop((change.kind, change.id), None)
            else:
                state[change.kind, change.id] = change
    return {name: record for (kind, name), record in state.items() if kind == ENTRY}


ADDED = (e.ENTRY_ADDED, {"id": "m", "text": "tea", "kind": "note", "occurred_at": "2026-05-07T00:00:00Z"})


def test_an_entry_is_changed_forgotten_revived_and_purged() -> None:
    """Each event leaves the record as it says, at its own position; the origin stays."""
    update = (e.ENTRY_UPDATED, {"id": "m", "changes": {"text": "mate", "tags": ["t"], "speaker": None}})
    forget, revive = (e.ENTRIES_FORGOTTEN, {"ids": ["m"]}), (e.ENTRIES_REVIVED, {"ids": ["m"]})
    record = folded(journal(ADDED, update))["m"]
    assert (record.seq, record.origin, record.body["text"], record.body["revision"]) == (2, 1, "mate", 2)
    assert "speaker" not in record.body
    assert not folded(journal(ADDED, update, forget))["m"].live
    back = folded(journal(ADDED, update, forget, revive))["m"]
    assert back.live and "forgotten_at" not in back.body
    assert folded(journal(ADDED, update, (e.ENTRIES_PURGED, {"ids": ["m"]}))) == {}


def test_feedback_adds_up() -> None:
    """The sum and the turns that gave it are kept."""
    useful, useless = ({"id": "m", "value": value, "turn": turn} for value, turn in ((1.0, "t1"), (-2.0, "t2")))
    body = folded(journal(ADDED, (e.FEEDBACK_GIVEN, useful), (e.FEEDBACK_GIVEN, useless)))["m"].body
    assert body["feedback"] == -1.0 and body["feedback_turns"] == ["t1", "t2"]


KINDS = st.sampled_from(
    [
        ADDED,
        (e.ENTRY_ADDED, {"id": "m", "purged": True}),
        (e.ENTRY_UPDATED, {"id": "m", "changes": {"text": "x"}}),
        (e.ENTRY_UPDATED, {"id": "gone", "purged": True}),
        (e.ENTRIES_FORGOTTEN, {"ids": ["m", "gone"]}),
        (e.ENTRIES_REVIVED, {"ids": ["gone", "m"]}),
        (e.ENTRIES_PURGED, {"ids": ["m"]}),
        (e.FEEDBACK_GIVEN, {"id": "m", "value": 1.0}),
        (e.TEXTS_EMBEDDED, {"model": "x", "count": 1}),
    ]
)


@given(st.lists(KINDS, max_size=12))
def test_any_order_of_events_folds_to_one_state(told: list[tuple[str, dict[str, Any]]]) -> None:
    """No order raises, and folding again gives the same."""
    assert folded(journal(*told)) == folded(journal(*told))


def test_equal_state_has_an_equal_fingerprint_in_any_order() -> None:
    """Records and vectors are ordered before they are hashed; any difference shows."""
    one, two = (Record(kind=ENTRY, id=name, seq=1, origin=1, body={"b": 1, "a": "é"}) for name in "ab")
    vector = ("model", Vector(key=text_key("tea"), seq=1, data=b"\0" * 8))
    assert fingerprint([one, two], [vector]) == fingerprint([two, one], [vector])
    assert fingerprint([one, two], [vector]) != fingerprint([one, two], [])
    assert canonical({"b": 1, "a": "é"}) == '{"a":"é","b":1}'
