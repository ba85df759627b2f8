"""Rules of the embedder that stands beside the first one: made later, counted where it is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from siltstone import Memory
from siltstone.errors import ModelUnavailable

ANA = "ana"
TOPICS = ("cat", "kitten", "train", "station", "bread", "oven")


class Topics:
    """An embedder by hand: a dimension a topic, and words of one pair point the same way."""

    dimension = len(TOPICS) // 2
    languages = frozenset({"en"})

    def __init__(self, name: str, *, inline: bool) -> None:
        self.fingerprint, self.inline, self.down = name, inline, False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors; all ones for a text about nothing."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same for one."""
        if self.down:
            raise ModelUnavailable("the model is down; start it")
        found = np.array([sum(text.lower().count(word) for word in TOPICS[n : n + 2]) for n in (0, 2, 4)], np.float32)
        found = found if found.any() else np.ones(3, np.float32)
        return found / np.float32(np.linalg.norm(found))


class Blind(Topics):
    """Sees no difference between any two texts."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Always the same vector."""
        return super().embed_query("")


@pytest.fixture
def two() -> Iterator[tuple[Memory, Topics, Topics]]:
    """A memory whose first embedder is blind and whose second one sees."""
    first, second = Blind("blind/3/1", inline=True), Topics("topics/3/1", inline=False)
    with (
        Memory.open("memory://", embedding__provider="none") as plain,
        Memory(replace(plain.parts, embedder=first, second=second)) as memory,
    ):
        memory.add(["Our kitten sleeps all day", "We met at the station", "The oven is broken"], user_id=ANA)
        yield memory, first, second


def test_it_answers_at_once_and_better_after_reindex(two: tuple[Memory, Topics, Topics]) -> None:
    """Before its vectors are made a recall says how many wait; afterwards a paraphrase is found by meaning alone."""
    memory, first, second = two
    before = memory.retrieve("the cat", user_id=ANA)
    assert [gap.reason.split()[0] for gap in before.degraded] == ["3"] and second.fingerprint in before.degraded[
        0
    ].reason
    assert memory.reindex(user_id=ANA) == 3 and memory.reindex(user_id=ANA) == 0
    after = memory.retrieve("the cat", user_id=ANA)
    assert after.degraded == () and after.hits[0].text.startswith("Our kitten")
    assert after.hits[0].channels["sense"] == pytest.approx(1.0)
    assert set(memory.store.partition(ANA).models()) == {first.fingerprint, second.fingerprint}


def test_a_new_memory_is_not_put_behind_while_it_waits(two: tuple[Memory, Topics, Topics]) -> None:
    """A row without a vector of the second model counts with its cosine by the first, not with nothing."""
    memory, _, _ = two
    memory.reindex(user_id=ANA)
    memory.add("Trains leave from platform nine", user_id=ANA)
    hits = memory.retrieve("when do trains leave", user_id=ANA).hits
    assert hits[0].text.startswith("Trains") and hits[0].channels["sense"] == hits[0].channels["semantic"]


def test_down_it_is_left_out_and_said_so(two: tuple[Memory, Topics, Topics]) -> None:
    """A second model that fails costs its own part of the answer only."""
    memory, _, second = two
    memory.reindex(user_id=ANA)
    second.down = True
    found = memory.retrieve("the oven", user_id=ANA)
    assert found.hits[0].text == "The oven is broken" and "sense" not in found.hits[0].channels
    assert [gap.reason for gap in found.degraded] == ["the model is down; start it"]


def test_replay_keeps_both_models_vectors(two: tuple[Memory, Topics, Topics]) -> None:
    """A replay calls no model and gives the same state, the same answers included."""
    memory, first, second = two
    memory.reindex(user_id=ANA)
    before = memory.retrieve("kitten bread", user_id=ANA).hits
    first.down = second.down = True
    done = memory.replay(user_id=ANA)
    first.down = second.down = False
    assert done.before == done.after and memory.retrieve("kitten bread", user_id=ANA).hits == before


def test_a_question_in_another_script_is_not_put_to_it(two: tuple[Memory, Topics, Topics]) -> None:
    """Models of English see nothing of a Chinese question; its characters are searched for."""
    memory, _, _ = two
    memory.reindex(user_id=ANA)
    memory.add("烤箱坏了", user_id=ANA)
    hit = memory.retrieve("烤箱怎么了？", user_id=ANA).hits[0]
    assert hit.text == "烤箱坏了" and set(hit.channels) == {"lexical"}
