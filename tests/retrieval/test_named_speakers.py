"""Rules of the people whom a question names."""

from __future__ import annotations

from siltstone import Memory

ANA = "ana"


def test_the_conversations_of_the_named_person_come_first(memory: Memory) -> None:
    """Of two equal turns by others the one counts more that was said where the named person took part."""
    for session, partner in (("early", "Cid"), ("late", "Dora")):
        memory.add(
            [
                {"speaker": partner, "content": "Did you sleep well?"},
                {"speaker": "Bob", "content": "The recital was on the pier"},
            ],
            user_id=ANA,
            session_id=session,
        )
    assert memory.retrieve("where was the recital?", user_id=ANA).hits[0].session_id == "early"
    assert memory.retrieve("where was the recital that Dora heard of?", user_id=ANA).hits[0].session_id == "late"
