"""Rules of the conversations that an answer comes from."""

from __future__ import annotations

from siltstone import Memory

ANA = "ana"


def test_several_good_turns_outweigh_one(memory: Memory) -> None:
    """A conversation about the matter comes before one that names it once; each is named once."""
    memory.add(
        ["I repaired the bicycle chain", "The bicycle needs new brakes", "A bicycle tour in June"],
        user_id=ANA,
        session_id="talk",
    )
    memory.add(["We had soup", "The bicycle shop was closed", "It rained"], user_id=ANA, session_id="aside")
    recall = memory.retrieve("bicycle", user_id=ANA, top_k=50)
    assert recall.sessions == ("talk", "aside")


def test_notes_belong_to_no_conversation(memory: Memory) -> None:
    """Memories without a session are left out; an empty recall has no sessions."""
    memory.add("The bicycle is red", user_id=ANA)
    assert memory.retrieve("bicycle", user_id=ANA).sessions == ()
    assert memory.retrieve("zeppelin", user_id=ANA).sessions == ()
