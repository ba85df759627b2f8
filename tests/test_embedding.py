"""What a memory does with an embedder that works, fails, is slow, or is another one than before."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from embedders import WordEmbedder
from memories import ANA, texts
from siltstone import AsyncMemory, Memory
from siltstone.errors import ModelUnavailable


def opened(url: str, embedder: WordEmbedder) -> Memory:
    """A memory at `url` with this embedder."""
    return Memory(replace(Memory.open(url, embedding__provider="none").parts, embedder=embedder))


@pytest.fixture
def model() -> WordEmbedder:
    """A working embedder."""
    return WordEmbedder()


@pytest.fixture
def memory(tmp_path: Path, model: WordEmbedder) -> Iterator[Memory]:
    """A memory on disk with that embedder."""
    with opened(f"sqlite:///{tmp_path}/memory.db", model) as made:
        yield made


def test_equal_texts_share_a_vector(memory: Memory, model: WordEmbedder) -> None:
    """One vector is stored for them, and replay and recall embed nothing anew but the query."""
    memory.add(["likes tea", "likes tea"], user_id=ANA)
    memory.add("likes tea", user_id=ANA)
    assert set(model.asked) == {"likes tea"} and memory.stats(user_id=ANA).vectors == {model.fingerprint: 1}
    model.asked.clear()
    assert memory.replay(user_id=ANA).same and not model.asked
    assert memory.retrieve("tea", user_id=ANA).hits[0].channels["semantic"] > 0 and model.asked == ["tea"]


def test_a_model_that_is_down_loses_nothing(memory: Memory, model: WordEmbedder) -> None:
    """The text is kept and found by its words, the receipt and the recall say what is missing, reindex mends it."""
    model.down = True
    receipt = memory.add("likes tea", user_id=ANA)
    assert receipt.status == "waiting" and receipt.waiting_for == ("semantic",)
    recall = memory.retrieve("tea", user_id=ANA)
    assert recall.hits[0].text == "likes tea" and "semantic" not in recall.hits[0].channels
    assert recall.degraded[0].part == "semantic" and "stand-in is down" in recall.degraded[0].reason
    with pytest.raises(ModelUnavailable):
        memory.reindex(user_id=ANA)
    model.down = False
    assert "1 of 1 memories have no vector" in memory.retrieve("tea", user_id=ANA).degraded[0].reason
    assert memory.reindex(user_id=ANA) == 1 and memory.reindex(user_id=ANA) == 0
    assert memory.retrieve("tea", user_id=ANA).degraded == ()


def test_vectors_of_two_models_never_meet(tmp_path: Path) -> None:
    """After a change of model of the same size, only its own vectors are compared; the old ones stay."""
    url = f"sqlite:///{tmp_path}/memory.db"
    with opened(url, WordEmbedder("first")) as memory:
        memory.add("likes tea", user_id=ANA)
    second = WordEmbedder("second")
    with opened(url, second) as memory:
        recall = memory.retrieve("tea", user_id=ANA)
        assert "semantic" not in recall.hits[0].channels and "have no vector of second/16" in recall.degraded[0].reason
        progress: list[tuple[int, int]] = []
        assert memory.reindex(user_id=ANA, progress=lambda *step: progress.append(step)) == 1
        assert progress == [(1, 1)] and memory.retrieve("tea", user_id=ANA).hits[0].channels["semantic"] > 0
        assert memory.stats(user_id=ANA).vectors == {"first/16": 1, "second/16": 1}
        assert memory.replay(user_id=ANA).same


def test_a_slow_model_leaves_its_vectors_for_later(tmp_path: Path) -> None:
    """An embedder that is not meant to run inside a write is not asked by it."""
    model = WordEmbedder(inline=False)
    with opened("memory://", model) as memory:
        assert memory.add("likes tea", user_id=ANA).status == "waiting" and not model.asked
        assert memory.reindex(user_id=ANA) == 1 and model.asked == ["likes tea"]


def test_nothing_is_locked_while_a_model_is_asked(memory: Memory, model: WordEmbedder) -> None:
    """While one write waits for its vector, other writes of others and all reads go on."""
    memory.add("likes tea", user_id=ANA)
    model.gate.clear()
    waiting = threading.Thread(target=memory.add, args=("slow one",), kwargs={"user_id": ANA})
    waiting.start()
    began = time.monotonic()
    with Memory.open(memory.store.url, embedding__provider="none") as other:
        other.add("quick one", user_id=ANA)
        assert texts(other, "tea") == ["likes tea"]
    assert time.monotonic() - began < 5 and waiting.is_alive()
    model.gate.set()
    waiting.join()
    assert sorted(entry.text for entry in memory.list(user_id=ANA)) == ["likes tea", "quick one", "slow one"]


async def _ticks_during(memory: AsyncMemory, model: WordEmbedder) -> int:
    """How often the event loop came round while a recall waited for its model."""
    model.gate.clear()
    asking = asyncio.create_task(memory.retrieve("tea", user_id=ANA))
    for _ in range(20):
        await asyncio.sleep(0.005)
    ticks = 0 if asking.done() else 20
    model.gate.set()
    assert (await asking).hits
    return ticks


def test_the_event_loop_is_never_blocked(memory: Memory, model: WordEmbedder) -> None:
    """An awaited recall runs off the loop."""
    memory.add("likes tea", user_id=ANA)
    assert asyncio.run(_ticks_during(AsyncMemory(memory), model)) == 20


def test_reindex_without_an_embedder_says_what_to_set_and_install() -> None:
    """The error names the setting that says so, and the exact command."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        memory.add("likes tea", user_id=ANA)
        with pytest.raises(ModelUnavailable, match=r"embedding.provider is 'none'.* pip install 'siltstone\[local\]'"):
            memory.reindex(user_id=ANA)


def test_export_carries_the_vectors(memory: Memory, model: WordEmbedder, tmp_path: Path) -> None:
    """An import into an empty user of another store needs no model and gives the same fingerprint."""
    memory.add(["likes tea", "likes mate"], user_id=ANA)
    memory.export(user_id=ANA, to=tmp_path / "out.jsonl")
    with Memory.open("memory://", embedding__provider="none") as other:
        other.import_(tmp_path / "out.jsonl", user_id=ANA)
        assert other.fingerprint(user_id=ANA) == memory.fingerprint(user_id=ANA)
        assert other.stats(user_id=ANA).vectors == {model.fingerprint: 2}


def test_the_first_recall_of_a_process_embeds_the_question_once(model: WordEmbedder, tmp_path: Path) -> None:
    """Although it takes the index, which has to be read first, to know that it names a speaker."""
    url = f"sqlite:///{tmp_path}/m.db"
    with opened(url, model) as memory:
        memory.add([{"speaker": "Ada", "content": "I paint boats"}], user_id=ANA)
    with opened(url, model) as memory:
        model.asked.clear()
        assert memory.retrieve("What does Ada paint?", user_id=ANA).hits[0].text == "I paint boats"
        assert model.asked == ["What does I paint?"]


def test_a_model_that_is_away_costs_no_index(memory: Memory, model: WordEmbedder) -> None:
    """While it does not answer, the user's index stays as it is, and its vectors count again afterwards."""
    memory.add("likes green tea", user_id=ANA)
    before = memory.retrieve("green tea", user_id=ANA)
    index = memory._shelf._corpora[ANA][0]
    model.down = True
    assert "semantic" not in memory.retrieve("green tea", user_id=ANA).hits[0].channels
    model.down = False
    assert memory.retrieve("green tea", user_id=ANA).hits == before.hits
    assert memory._shelf._corpora[ANA][0] is index
