"""Vectors that are made later: the worker embeds after a write, loses nothing, and keeps to what is still there."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from embedders import WordEmbedder
from siltstone import Memory
from siltstone.assembly import assemble
from siltstone.retrieval.later import Later

ANA = "ana"


def opened(model: WordEmbedder, url: str = "memory://", **settings: Any) -> Memory:
    """A memory whose only embedder is too slow for a write."""
    told = {"embedding.provider": "none", "embedding.background": True} | settings
    return Memory(replace(assemble(url, told), embedder=model))


def test_what_is_written_gets_its_vector_without_being_asked_for() -> None:
    """The receipt says that the vector waits; soon after, the recall is whole and lacks nothing."""
    model = WordEmbedder(inline=False)
    with opened(model) as memory:
        assert memory.add("likes green tea", user_id=ANA).waiting_for == ("semantic",)
        assert memory._later.settle(10)
        found = memory.retrieve("green tea", user_id=ANA)
        assert not found.degraded and "semantic" in found.hits[0].channels
        memory.update(found.hits[0].id, user_id=ANA, text="likes black tea")
        assert memory._later.settle(10) and memory.reindex(user_id=ANA) == 0


def test_a_recall_starts_nothing() -> None:
    """Reading leaves the fingerprint as it is, although a text waits for its vector."""
    model = WordEmbedder(inline=False)
    with opened(model, **{"embedding.background": False}) as memory:
        memory.add("likes green tea", user_id=ANA)
        before = memory.fingerprint(user_id=ANA)
        assert memory.retrieve("green tea", user_id=ANA).degraded
        assert memory._later.settle(1) and memory.fingerprint(user_id=ANA) == before


def test_a_model_that_is_down_leaves_the_texts_waiting(caplog: pytest.LogCaptureFixture) -> None:
    """The failure is logged, the next write catches up with what is missing."""
    model = WordEmbedder(inline=False)
    model.down = True
    with opened(model) as memory:
        memory.add("likes green tea", user_id=ANA)
        assert memory._later.settle(10) and "no vector yet" in caplog.text
        model.down = False
        memory.add("and black coffee", user_id=ANA)
        assert memory._later.settle(10) and memory.reindex(user_id=ANA) == 0
        assert sorted(model.asked) == ["and black coffee", "likes green tea"]


def test_a_text_that_is_purged_while_it_is_embedded_leaves_no_vector() -> None:
    """What the model answers for it is thrown away."""
    model = WordEmbedder(inline=False)
    model.gate.clear()
    with opened(model) as memory:
        secret = memory.add("the secret word", user_id=ANA).id
        memory._later._last = memory._later._since = float("-inf")
        with memory._later._changed:
            memory._later._changed.notify_all()
        assert model.entered.wait(10)
        memory.forget(secret, user_id=ANA, purge=True)
        model.gate.set()
        assert memory._later.settle(10)
        assert memory.stats(user_id=ANA).vectors == {}


def test_what_a_closed_memory_left_is_caught_up_by_the_next_write(tmp_path: Path) -> None:
    """Closing does not wait for the model; another process's write finds what lacks a vector."""
    url, model = f"sqlite:///{tmp_path}/m.db", WordEmbedder(inline=False)
    with opened(model, url, **{"embedding.background": False}) as memory:
        memory.add(["one thing", "another thing"], user_id=ANA)
    with opened(model, url) as memory:
        memory.add("a third thing", user_id=ANA)
        assert memory._later.settle(10) and memory.stats(user_id=ANA).vectors == {model.fingerprint: 3}


def test_closing_twice_and_putting_after_it_do_nothing() -> None:
    """A closed worker starts no thread."""
    later = Later([WordEmbedder(inline=False)], assemble("memory://", {}).clock)
    later.close()
    later.close()
    with opened(WordEmbedder()) as memory:
        later.put(memory.store.partition(ANA))
    assert later._thread is None and later.settle(1)


def test_a_program_may_end_without_closing_its_memory(tmp_path: Path) -> None:
    """The worker is stopped before the interpreter goes: the exit code is that of the program."""
    script = (
        "from siltstone import Memory\n"
        f"memory = Memory.open('sqlite:///{tmp_path}/m.db', embedding__background=True)\n"
        "memory.add([f'sentence {n} about tea' for n in range(200)], user_id='ana')\n"
        "memory._later._last = memory._later._since = float('-inf')\n"
        "memory.retrieve('tea', user_id='ana')\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
