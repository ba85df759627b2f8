"""Rules of the people whom a question names."""

from __future__ import annotations

import numpy as np

from siltstone import Memory
from siltstone.retrieval.channels.semantic import _stretched

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


def test_a_narrow_model_is_stretched_and_keeps_its_order() -> None:
    """Cosines of e5 lie close to 1: unrelated texts count 0 as with other models, equal ones 1; others are left."""
    cosines = np.array([0.7, 0.75, 0.8, 0.9, 1.0], np.float32)
    stretched = _stretched(cosines, "multilingual-e5-small-q4/384/1")
    assert stretched.tolist()[:2] == [0, 0] and stretched[-1] == 1 and (np.diff(stretched) >= 0).all()
    assert _stretched(cosines, "wordllama/256") is cosines
