"""Where a weak statement goes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from siltstone import Memory

ANA = "ana"
TEA = (
    "I had green tea for breakfast",
    "green tea again this morning",
    "made a cup of green tea at noon",
    "drank green tea on the balcony",
)
OTHERS = ("The metro was late", "rebooted the router", "my umbrella is wet", "the film was long", "the sink drips")


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A memory that never promotes."""
    with Memory.open("memory://", formation__promote=99.0) as opened:
        yield opened


def clusters(memory: Memory, user_id: str = ANA) -> list[set[str]]:
    """The pool as sets of texts."""
    return [{s.text for s in cluster.statements} for cluster in memory.beliefs.pool(user_id=user_id)]


@pytest.mark.parametrize("seed", range(8))
def test_the_order_does_not_matter(memory: Memory, seed: int) -> None:
    """One topic is one cluster, and each other statement its own, in whatever order they come."""
    texts = [*TEA, *OTHERS]
    random.Random(seed).shuffle(texts)
    for text in texts:
        memory.process(text, user_id=ANA)
    found = clusters(memory)
    assert set(TEA) in found and sorted(map(len, found)) == [1] * len(OTHERS) + [len(TEA)]


def test_clusters_that_prove_to_be_one_are_merged(memory: Memory) -> None:
    """A statement that belongs to two clusters makes them one; the older one stays."""
    memory.process("the espresso machine at work", user_id=ANA)
    first = memory.beliefs.pool(user_id=ANA)[0].id
    for text in ("latte with my colleague", "an espresso and a latte at work with a colleague"):
        memory.process(text, user_id=ANA)
    (cluster,) = memory.beliefs.pool(user_id=ANA)
    assert cluster.id == first and len(cluster.statements) == 3


def test_what_speaks_for_a_chain_does_not_wait() -> None:
    """A weak statement on a believed topic is evidence at once."""
    with Memory.open("memory://") as memory:
        for text in TEA:
            memory.process(text, user_id=ANA)
        assert clusters(memory) == []
        (chain,) = memory.beliefs.chains(user_id=ANA)
        assert [statement.text for statement in chain.reinforcing] == [TEA[3]]


def test_what_waited_speaks_for_the_chain_that_comes() -> None:
    """Weak statements in the pool become evidence when a vivid one on their topic founds a chain."""
    with Memory.open("memory://") as memory:
        memory.process("walked the labrador in the rain", user_id=ANA)
        memory.process("I adopted a labrador called Rex", user_id=ANA)
        assert clusters(memory) == []
        (chain,) = memory.beliefs.chains(user_id=ANA)
        assert [statement.text for statement in chain.reinforcing] == ["walked the labrador in the rain"]


def test_users_do_not_share_a_pool(memory: Memory) -> None:
    """What one user says often counts for nobody else."""
    for user_id, text in zip(("ana", "bob", "eve"), TEA, strict=False):
        memory.process(text, user_id=user_id)
    assert [len(clusters(memory, user_id)) for user_id in ("ana", "bob", "eve")] == [1, 1, 1]


def test_a_process_that_reads_beliefs_anew_compares_the_same_words(memory: Memory) -> None:
    """What an index reads from the store of a statement is what it knew when the statement came."""
    for text in (*TEA, *OTHERS):
        memory.process(text, user_id=ANA)
    partition = memory.store.partition(ANA)
    with memory._former.desk(partition) as index:
        known = {name: index.probe(record.body["text"]).terms for name, record in index.statements.items()}
        index.clear()
        index.refresh(partition, thorough=True)
        read = {name: index.members(group) for name, group in index.groups.items()}
    compared = {weighed.probe.terms for members in read.values() for weighed in members}
    assert compared == set(known.values())
