"""Rules of the semantic channel: cosines of different models mean the same before they are weighed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from siltstone import Memory
from siltstone.retrieval.channels.semantic import ENOUGH, TYPICAL, Sight, _unrelated

ANA = "ana"
TOPICS = "boat rain tea bread train piano garden river cloud stone lamp road".split()


class Narrow:
    """A model whose texts all point much the same way: a topic is a small part of a vector, the rest is common."""

    dimension = len(TOPICS) + 1
    languages = frozenset[str]()
    inline = True
    fingerprint = "narrow/13/1"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors; unrelated ones have a cosine of .8."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[-1] = 2
            row[:-1] = [word in text for word in TOPICS]
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same."""
        found: NDArray[np.float32] = self.embed([text])[0]
        return found


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Four notes on each topic but the last, as the narrow model sees them."""
    with (
        Memory.open("memory://", embedding__provider="none") as plain,
        Memory(replace(plain.parts, embedder=Narrow())) as memory,
    ):
        memory.add([f"{topic} number {n}" for n in range(4) for topic in TOPICS[:-1]], user_id=ANA)
        yield memory


def test_unrelated_texts_count_as_with_a_centred_model(memory: Memory) -> None:
    """The cosine of what is unrelated is found in the memory itself, and taken out; what is alike stays ahead of it."""
    hits = memory.retrieve("about the piano", user_id=ANA, top_k=40).hits
    found = {hit.text: hit.channels["semantic"] for hit in hits}
    assert all(found[f"piano number {n}"] > 0.9 for n in range(4))
    assert {round(score, 2) for text, score in found.items() if "piano" not in text} <= {TYPICAL}


def test_a_narrow_model_does_not_lift_what_is_not_there_above_the_floor(memory: Memory) -> None:
    """A question on a topic that no note has gets no answer although every cosine is .8."""
    assert memory.retrieve("piano", user_id=ANA).hits
    assert memory.retrieve("which road did they take there?", user_id=ANA).hits == ()


def test_an_index_with_forgotten_rows_answers_as_one_read_anew(memory: Memory) -> None:
    """What was forgotten is no part of what is usual."""
    for entry in memory.list(user_id=ANA, limit=100)[:20]:
        memory.forget(entry.id, user_id=ANA)
    live = memory.retrieve("about the piano", user_id=ANA, top_k=40).hits
    memory._shelf.drop(ANA)
    assert memory.retrieve("about the piano", user_id=ANA, top_k=40).hits == live


def test_a_memory_too_small_to_show_it_takes_what_is_known_of_the_model() -> None:
    """Of e5 it is known, for questions in Latin and in CJK script, and less is believed; of others nothing is assumed."""
    few, many, low = (np.full(count, cosine, np.float32) for count, cosine in ((5, 0.9), (ENOUGH, 0.9), (5, 0.7)))
    vector = np.zeros(1, np.float32)
    latin, cjk = (Sight("multilingual-e5-small-q4/384/1", vector, cjk) for cjk in (False, True))
    assert 0.7 < _unrelated(few, latin) < _unrelated(few, cjk) < 0.85
    assert _unrelated(low, latin) == _unrelated(low, cjk) == pytest.approx((0.7 - TYPICAL) / (1 - TYPICAL))
    assert _unrelated(few, Sight("stranger/1", vector)) == 0 == _unrelated(few[:0], Sight("stranger/1", vector))
    assert _unrelated(many, latin) == pytest.approx((0.9 - TYPICAL) / (1 - TYPICAL))


def test_a_model_whose_texts_are_apart_is_left_as_it_is() -> None:
    """A median below that of a centred model takes nothing away."""
    assert _unrelated(np.full(ENOUGH, TYPICAL / 2, np.float32), Sight("stranger/1", np.zeros(1, np.float32))) == 0
