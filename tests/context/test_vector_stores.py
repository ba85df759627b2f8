"""Vector stores of others: the documented duck type, FAISS and Chroma."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from context.conftest import OtherStore, letters
from siltstone import Memory
from siltstone.context import AgentContext
from siltstone.context.adapters import ChromaVectors, FaissVectors
from siltstone.errors import InvalidInput, NotFound


def faiss_store() -> Any:
    """A FAISS index in memory."""
    faiss = pytest.importorskip("faiss", reason="optional package not installed: faiss-cpu")
    return FaissVectors(faiss.IndexIDMap2(faiss.IndexFlatIP(26)), letters)


def chroma_store() -> Any:
    """A Chroma collection in memory."""
    chromadb = pytest.importorskip("chromadb", reason="optional package not installed: chromadb")
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    made = client.get_or_create_collection(
        "context", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
    )
    if made.count():
        made.delete(ids=made.get()["ids"])
    return ChromaVectors(made, letters)


@pytest.fixture(params=[OtherStore, faiss_store, chroma_store])
def store(request: pytest.FixtureRequest) -> Any:
    """Each kind of vector store."""
    return request.param()


def test_a_vector_store_finds_updates_and_forgets(store: Any) -> None:
    """What is stored is found by its vector, changed in place, and gone from both once forgotten."""
    agent = AgentContext(store)
    first, second = agent.store("aaaa", user_id="ana"), agent.store("zzzz", user_id="ana")
    agent.store("aaab", user_id="bob")
    hits = agent.retrieve("aab", user_id="ana")
    assert hits[0]["id"] == first and {hit["id"] for hit in hits} <= {first, second}
    assert hits[0]["vector_score"] == pytest.approx(2 / math.sqrt(5), abs=1e-3)
    assert agent.update(first, "xxxx", user_id="ana") and agent.retrieve("aab", user_id="ana", min_score=0.1) == []
    assert agent.retrieve("xx", user_id="ana")[0]["id"] == first
    assert agent.forget(user_id="ana") == 2
    assert agent.retrieve("xx", user_id="ana") == [] and len(agent.retrieve("aab", user_id="bob")) == 1


def test_another_user_does_not_crowd_one_out(store: Any) -> None:
    """The user's own nearest memory is found behind any number of another's nearer ones."""
    agent = AgentContext(store)
    for number in range(150):
        agent.store("aaaa", user_id="bob", memory_id=f"m{number}")
    agent.store("aaabbb", user_id="ana", memory_id="m1")
    assert [(hit["id"], hit["content"]) for hit in agent.retrieve("aaaa", user_id="ana")] == [("m1", "aaabbb")]


def test_a_vector_store_is_saved_beside_the_memories(tmp_path: Path) -> None:
    """FAISS writes its vectors with `save` and reads them with `load`."""
    agent, other = AgentContext(faiss_store()), AgentContext(faiss_store())
    stored = agent.store("aaaa")
    agent.save(tmp_path)
    other.load(tmp_path)
    assert other.retrieve("aab")[0]["id"] == stored and other.store("bbbb") != stored
    assert len(other.retrieve("ab")) == 2


def test_what_is_no_vector_store_raises() -> None:
    """An object without the methods raises and names them."""
    with pytest.raises(InvalidInput, match="store_vectors"):
        AgentContext(object())


def test_vectors_of_the_callers_own_are_checked(context: AgentContext) -> None:
    """`store_vectors` takes vectors of stored memories; another dimension, NaN or an unknown memory raises."""
    store = OtherStore()
    agent = AgentContext(store)
    stored = agent.store("zzzz")
    assert agent.memory.store_vectors([letters("aaaa")], [{"memory_id": stored}]) == ["v2"]
    assert agent.retrieve("aaaa")[0]["vector_score"] == pytest.approx(1.0)
    for vector in ([1.0], [math.nan] * 26):
        with pytest.raises(InvalidInput):
            agent.memory.store_vectors([vector], [{"memory_id": stored}])
    with pytest.raises(InvalidInput):
        agent.memory.store_vectors([letters("a")], [{"memory_id": "nobody"}])
    with pytest.raises(InvalidInput, match="embedder"):
        context.memory.store_vectors([[1.0]], [{"memory_id": context.store("x")}])


def held_by(store: Any, text: str) -> set[str]:
    """The ids of all vectors in a vector store."""
    return {str(hit["id"]) for hit in store.search_vectors(query_vector=letters(text), k=50)}


def test_vectors_of_the_callers_own_are_forgotten_with_their_memory(store: Any) -> None:
    """`forget` takes out of a vector store the vector of the text and every one that `store_vectors` put beside it."""
    agent = AgentContext(store)
    first, second = agent.store("aaaa"), agent.store("zzzz")
    told = [{"memory_id": first}, {"memory_id": second}, {"memory_id": first}]
    ids = agent.memory.store_vectors([letters("ab"), letters("yz"), letters("ac")], told)
    ids += agent.memory.store_vectors([letters("ad")], [{"memory_id": first}])
    assert len(held_by(store, "abcz")) == 6 and agent.get(first)["metadata"] == {"user_id": "default"}
    assert agent.forget(first) == 1
    assert len(held_by(store, "abcz")) == 2 and held_by(store, "abcz") >= {ids[1]} and len(agent.retrieve("yz")) == 1


def test_vectors_of_the_callers_own_stay_with_the_text_they_were_made_of(store: Any) -> None:
    """A change of metadata keeps them, another text and a memory stored anew after `forget` do without them."""
    agent = AgentContext(store)
    stored = agent.store("aaaa", memory_id="m1")
    own = set(agent.memory.store_vectors([letters("ab")], [{"memory_id": stored}]))
    assert agent.update(stored, metadata={"type": "note"}) and len(held_by(store, "ab")) == 2
    assert own < held_by(store, "ab")
    assert agent.update(stored, "bbbb") and len(held_by(store, "ab")) == 1
    agent.memory.store_vectors([letters("ab")], [{"memory_id": stored}])
    agent.forget(stored)
    assert held_by(store, "ab") == set()
    agent.store("bbbb", memory_id="m1")
    assert len(held_by(store, "ab")) == 1 and agent.forget("m1") == 1 and held_by(store, "ab") == set()


class NoDeletion(OtherStore):
    """A vector store that only grows."""

    delete_vectors = None  # type: ignore[assignment]


def test_a_vector_store_that_cannot_delete_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """What is forgotten is forgotten; that its vectors stay in such a store is said once in the log and in `stats`."""
    store = NoDeletion()
    agent = AgentContext(store)
    ids = [agent.store(text) for text in ("aaaa", "bbbb")]
    assert agent.stats()["degraded"] == []
    assert [agent.forget(name) for name in ids] == [1, 1] and agent.retrieve("ab") == [] and len(store.rows) == 2
    said = [record.message for record in caplog.records if "NoDeletion" in record.message]
    assert len(said) == 1 and "stay in it" in said[0] and agent.stats()["degraded"] == said


class Meanwhile(OtherStore):
    """A vector store while whose writing something else happens."""

    act: Callable[[], object] = staticmethod(int)

    def store_vectors(self, vectors: Sequence[Any], metadata: Sequence[dict[str, Any]]) -> list[str]:
        """Keep vectors, then let it happen."""
        ids = super().store_vectors(vectors, metadata)
        self.act()
        return ids


def test_vectors_that_cannot_be_recorded_are_taken_out_again() -> None:
    """Where a memory is forgotten while its vectors are put, `store_vectors` raises and leaves no vector of it behind."""
    store = Meanwhile()
    agent = AgentContext(store)
    stored, other = agent.store("aaaa"), agent.store("bbbb")
    store.act = lambda: agent.forget(stored)
    with pytest.raises(NotFound, match=stored):
        agent.memory.store_vectors([letters("bc"), letters("ab")], [{"memory_id": other}, {"memory_id": stored}])
    assert set(store.rows) == {"v2", "v3"}


def test_a_memory_of_ones_own_is_a_vector_store(tmp_path: Path) -> None:
    """`vector_store` may be a Memory, which stays open, or the URL of a store, which is closed with the context."""
    with Memory.open(f"sqlite:///{tmp_path}/m.db", embedding__provider="none") as memory:
        with AgentContext(memory) as agent:
            agent.store("tea", user_id="ana")
        assert memory.retrieve("tea", user_id="ana").hits
    with AgentContext(f"sqlite:///{tmp_path}/m.db") as agent:
        assert agent.count(user_id="ana") == 1
    with pytest.raises(InvalidInput):
        AgentContext("memory://", url="memory://")
