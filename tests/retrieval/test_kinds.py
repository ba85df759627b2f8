"""Kinds: what was formed from entries does not change how entries are found."""

from __future__ import annotations

from siltstone import Memory

ANA = "ana"
TURNS = ("I adopted a labrador called Rex", "I moved to Lisbon", "The tram was late", "Rex chews slippers")


def test_beliefs_leave_the_scores_of_entries_as_they_are() -> None:
    """A recall of entries gives the same scores with and without episodes and snapshots beside them."""
    found = []
    for form in (False, True):
        with Memory.open("memory://", embedding__provider="none") as memory:
            for turn in TURNS:
                told = {"user_id": ANA, "occurred_at": "2026-01-01"}
                _ = memory.process(turn, **told) if form else memory.add(turn, role="user", **told)
            assert bool(memory.beliefs.episodes(user_id=ANA)) is form
            found.append([(hit.text, hit.score) for hit in memory.retrieve("Rex the labrador", user_id=ANA)])
    assert found[0] == found[1] and len(found[0]) >= 2
