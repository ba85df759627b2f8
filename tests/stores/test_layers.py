"""The in-memory store's collections: copies are cheap, and nobody sees another's changes."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from siltstone.domain.events import Event
from siltstone.stores.inmemory.layers import Journal, Layers

STEPS = st.lists(st.tuples(st.sampled_from(["put", "drop", "copy"]), st.integers(0, 12), st.integers()), max_size=60)


@given(STEPS)
def test_layers_are_a_dict_whose_copies_stay_as_they_were(steps: list[tuple[str, int, int]]) -> None:
    """Whatever is put, dropped and copied, each copy holds what a dict copied then would hold."""
    held, model = Layers[int, int](), dict[int, int]()
    copies = []
    for step, key, value in steps:
        if step == "put":
            held.put(key, value)
            model[key] = value
        elif step == "drop":
            held.drop(key)
            model.pop(key, None)
        else:
            copies.append((held, {**model}))
            held = held.copy()
    for layers, expected in [*copies, (held, model)]:
        assert dict(layers.items()) == expected and len(layers) == len(expected)
        assert sorted(layers) == sorted(expected) and sorted(layers.values()) == sorted(expected.values())
        assert all((layers.get(key) == expected.get(key)) and (key in layers) == (key in expected) for key in range(13))


def _event(seq: int) -> Event:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Event(id=f"e{seq}", user_id="ana", seq=seq, kind="entry_added", version=1, at=at, payload={})


def test_a_copy_of_the_journal_that_is_thrown_away_leaves_nothing() -> None:
    """What an abandoned copy added is in no other; the next copy writes over it."""
    kept = Journal([_event(1)])
    abandoned = kept.copy()
    abandoned.append(_event(2))
    following = kept.copy()
    following.append(_event(3))
    assert [event.seq for event in kept] == [1] and [event.seq for event in following] == [1, 3]
    assert [event.seq for event in following.after(1)] == [3] and len(following) == 2
