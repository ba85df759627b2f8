"""How often the server is asked: a recall once, a write once, or twice where another client was quicker."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from embedders import WordEmbedder
from memories import ANA
from servers import RunningServer
from siltstone import Memory
from siltstone.clock import SystemClock
from siltstone.parts import Parts
from siltstone.retrieval.indexing import Projection
from siltstone.settings import resolve
from siltstone.stores.redis import RedisStore

NUMBERS = itertools.count(1)


def opened(url: str) -> Memory:
    """A memory of its own, as another process has it, with an embedder."""
    store = RedisStore(url, Projection())
    resolved = resolve({"url": url}, environ={})
    return Memory(Parts(store=store, embedder=WordEmbedder(), clock=SystemClock(), resolved=resolved))


@pytest.fixture
def url(redis_server: RunningServer) -> str:
    """A place of this test's own."""
    return redis_server.url(prefix=f"trips{next(NUMBERS)}")


@pytest.fixture
def memory(url: str) -> Iterator[Memory]:
    """A memory with some entries, warm: read and written before."""
    with opened(url) as memory:
        for n in range(20):
            memory.add(f"the plan of day {n} is tea with milk", user_id=ANA)
        memory.retrieve("plan of day 7", user_id=ANA)
        yield memory


def trips(memory: Memory, act: Callable[[], object]) -> int:
    """How often the server is asked while `act` runs."""
    store = memory.store
    assert isinstance(store, RedisStore)
    before = store.server.round_trips
    act()
    return store.server.round_trips - before


def test_a_recall_is_one_round_trip(memory: Memory) -> None:
    """A warm recall asks the server once, hits and texts included."""
    for n in (3, 11, 11):
        assert trips(memory, lambda n=n: memory.retrieve(f"plan of day {n}", user_id=ANA)) == 1  # type: ignore[misc]


def test_a_recall_after_a_write_is_one_round_trip(memory: Memory, url: str) -> None:
    """So does a recall that has to take in what this client, or another one, wrote since."""
    memory.add("the kettle is blue", user_id=ANA)
    assert trips(memory, lambda: memory.retrieve("which colour has the kettle", user_id=ANA)) == 1
    with opened(url) as other:
        other.add("the lamp is green", user_id=ANA)
        other.add("the chair is red", user_id=ANA)
    found: list[str] = []
    assert trips(memory, lambda: found.extend(h.text for h in memory.retrieve("green lamp", user_id=ANA).hits)) == 1
    assert found[0] == "the lamp is green"


def test_a_write_is_one_round_trip(memory: Memory) -> None:
    """Adding, also many at once, with their vectors, asks the server once."""
    assert trips(memory, lambda: memory.add("one more", user_id=ANA)) == 1
    assert trips(memory, lambda: memory.add([f"message {n}" for n in range(30)], user_id=ANA)) == 1
    assert trips(memory, lambda: memory.add("kept once", user_id=ANA, idempotency_key="k1")) == 1


def test_a_write_that_another_client_overtook_is_two(memory: Memory, url: str) -> None:
    """Where another client wrote in between, the refusal tells what is new: the second attempt succeeds."""
    with opened(url) as other:
        other.add("from elsewhere", user_id=ANA)
        assert trips(memory, lambda: memory.add("from here", user_id=ANA)) == 2
        assert trips(other, lambda: other.add("from elsewhere again", user_id=ANA)) == 2
        assert trips(other, lambda: other.add("and again", user_id=ANA)) == 1


def test_changes_are_two_round_trips(memory: Memory) -> None:
    """Updating, rating, forgetting and reviving write once, and read once what they answer with."""
    memory_id = memory.add("the kettle is blue", user_id=ANA).id
    assert trips(memory, lambda: memory.update(memory_id, user_id=ANA, text="the kettle is red")) <= 2
    assert trips(memory, lambda: memory.feedback(memory_id, user_id=ANA, useful=True)) <= 2
    assert trips(memory, lambda: memory.forget(memory_id, user_id=ANA)) <= 2
    assert trips(memory, lambda: memory.revive(memory_id, user_id=ANA)) <= 2
    assert trips(memory, lambda: memory.get(memory_id, user_id=ANA)) == 1


def test_reading_a_whole_user_is_few(url: str, memory: Memory) -> None:
    """A client that starts reads a user with a handful of questions, whatever the number of entries."""
    memory.add([f"message {n}" for n in range(900)], user_id=ANA)
    with opened(url) as other:
        assert trips(other, lambda: other.retrieve("message 7", user_id=ANA)) <= 7
        assert trips(other, lambda: other.retrieve("message 8", user_id=ANA)) == 1


def test_a_cold_write_is_few(url: str, memory: Memory) -> None:
    """A client that starts and only adds does not read the user's memories."""
    memory.add([f"message {n}" for n in range(900)], user_id=ANA)
    with opened(url) as other:
        assert trips(other, lambda: other.add("one more", user_id=ANA)) <= 5
        store = other.store
        assert isinstance(store, RedisStore)
        assert not store.shared.mirrors.of(ANA).whole
