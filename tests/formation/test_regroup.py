"""Grouping anew: what the first look got wrong, consolidation mends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from servers import DURABLE, Servers
from siltstone import Memory
from siltstone.assembly import assemble
from siltstone.errors import ModelUnavailable
from siltstone.formation.affinity import affinities
from siltstone.formation.likeness import Weights, Words, pair, probe
from siltstone.formation.linkage import FEW, Reach, linked

ANA = "ana"
TEA = (
    "I had green tea for breakfast",
    "green tea again this morning",
    "made a cup of green tea at noon",
    "drank green tea on the balcony",
)
OTHERS = (
    "The metro was late",
    "rebooted the router",
    "my umbrella is wet",
    "the film was long",
    "the sink drips",
    "bought new curtains",
    "the shop was closed",
)
DOG = ("I adopted a labrador called Rex", "I love walking my labrador Rex")
JOB = ("I am a nurse in a children's hospital", "I hate night shifts as a nurse at the hospital")
APART, MIXED = 5.0, -1.0
"""Likenesses that no two statements reach, and that all do."""


def said(folder: Path, texts: Sequence[str], reach: float, **settings: float) -> str:
    """The address of a store in which these were processed with that likeness for everything."""
    url = f"sqlite:///{folder}/ana.db"
    say(url, texts, reach, **settings)
    return url


def say(url: str, texts: Sequence[str], reach: float, **settings: float) -> None:
    """Process these there."""
    chosen = {"join_similarity": reach, "topic_similarity": reach, "chain_max_distance": 1 - reach, **settings}
    with Memory.open(url, embedding__provider="static", **{f"formation__{k}": v for k, v in chosen.items()}) as memory:
        for text in texts:
            memory.process(text, user_id=ANA)


def groups(memory: Memory) -> list[set[str]]:
    """The clusters and chains as sets of texts."""
    found = [{s.text for s in cluster.statements} for cluster in memory.beliefs.pool(user_id=ANA)]
    for chain in memory.beliefs.chains(user_id=ANA):
        evidence = [s for episode in chain.episodes for s in episode.statements]
        found.append({s.text for s in (*evidence, *chain.reinforcing)})
    return found


def events(memory: Memory) -> int:
    """How many events the journal has."""
    return len(list(memory.store.partition(ANA).events()))


def replayed(memory: Memory) -> bool:
    """Whether a replay gives the state that is."""
    before = memory.fingerprint(user_id=ANA)
    memory.replay(user_id=ANA)
    return memory.fingerprint(user_id=ANA) == before


def test_what_was_left_apart_comes_together(tmp_path: Path) -> None:
    """Statements on one topic that each founded a cluster become one belief; the others stay alone."""
    url = said(tmp_path, (*TEA, *OTHERS), APART)
    with Memory.open(url, embedding__provider="static") as memory:
        assert len(groups(memory)) == len(TEA) + len(OTHERS)
        (episode,) = memory.consolidate(user_id=ANA)
        assert {statement.text for statement in episode.statements} == set(TEA)
        assert sorted(map(len, groups(memory))) == [1] * len(OTHERS) + [len(TEA)]
        assert replayed(memory)


def test_a_chain_of_two_topics_is_parted(tmp_path: Path) -> None:
    """Episodes that share a chain by mistake get one each, and the statements go with their topic."""
    url = said(tmp_path, (DOG[0], JOB[0], DOG[1], JOB[1]), MIXED)
    with Memory.open(url, embedding__provider="static") as memory:
        assert len(memory.beliefs.chains(user_id=ANA)) == 1
        memory.consolidate(user_id=ANA)
        assert sorted(groups(memory), key=min) == sorted([set(DOG), set(JOB)], key=min)
        assert len(memory.beliefs.snapshots(user_id=ANA)) == 2 and replayed(memory)


def test_two_chains_on_one_topic_become_one(tmp_path: Path) -> None:
    """The older chain goes on; no snapshot of the other is left."""
    url = said(tmp_path, (*DOG, JOB[0]), APART)
    with Memory.open(url, embedding__provider="static") as memory:
        first = memory.beliefs.chains(user_id=ANA)[0].id
        memory.consolidate(user_id=ANA)
        chains = memory.beliefs.chains(user_id=ANA)
        assert [len(chain.episodes) for chain in chains] == [2, 1] and chains[0].id == first
        assert len(memory.beliefs.snapshots(user_id=ANA)) == 2 and replayed(memory)


def test_what_another_topic_superseded_holds_again(tmp_path: Path) -> None:
    """A contradiction between statements that turn out to be on two topics was none."""
    texts = ("I adopted a labrador called Rex", "I no longer work as a nurse in the hospital")
    url = said(tmp_path, texts, MIXED)
    with Memory.open(url, embedding__provider="static") as memory:
        assert [bool(episode.superseded_by) for episode in memory.beliefs.episodes(user_id=ANA)] == [True, False]
        memory.consolidate(user_id=ANA)
        assert [episode.superseded_by for episode in memory.beliefs.episodes(user_id=ANA)] == [None, None]
        assert len(memory.beliefs.chains(user_id=ANA)) == 2 and replayed(memory)


def test_a_distilled_episode_of_many_topics_is_taken_back(tmp_path: Path) -> None:
    """What was promoted by mistake waits in the pool again, each statement with its own topic."""
    url = said(tmp_path, OTHERS, MIXED, promote=0.01)
    with Memory.open(url, embedding__provider="static") as memory:
        assert len(memory.beliefs.episodes(user_id=ANA)) == 1
        assert memory.consolidate(user_id=ANA) == []
        assert memory.beliefs.episodes(user_id=ANA) == memory.beliefs.chains(user_id=ANA) == []
        assert sorted(map(len, groups(memory))) == [1] * len(OTHERS) and replayed(memory)


def test_an_episode_whose_evidence_was_forgotten_stays_whole(tmp_path: Path) -> None:
    """Of what is not all there nothing is taken back, and what is revived is there again."""
    url = said(tmp_path, OTHERS[:3], MIXED, promote=0.01)
    with Memory.open(url, embedding__provider="static") as memory:
        (episode,) = memory.beliefs.episodes(user_id=ANA)
        memory.forget(episode.turns[0].id, user_id=ANA)
        memory.consolidate(user_id=ANA)
        assert [item.id for item in memory.beliefs.episodes(user_id=ANA)] == [episode.id]
        memory.revive(episode.turns[0].id, user_id=ANA)
        memory.consolidate(user_id=ANA)
        assert sorted(map(len, groups(memory))) == [1, 1, 1] and replayed(memory)


@pytest.mark.parametrize("texts", [OTHERS, (*TEA, *DOG, *OTHERS, *JOB)])
def test_a_second_consolidation_finds_nothing_to_do(texts: tuple[str, ...]) -> None:
    """What is where it belongs stays there, and unrelated statements are never promoted."""
    with Memory.open("memory://", embedding__provider="static") as memory:
        for text in texts:
            memory.process(text, user_id=ANA)
        memory.consolidate(user_id=ANA)
        before, found = events(memory), groups(memory)
        memory.consolidate(user_id=ANA)
        assert (events(memory), groups(memory)) == (before, found)
        promoted = [episode for episode in memory.beliefs.episodes(user_id=ANA) if not episode.vivid]
        assert {s.text for episode in promoted for s in episode.statements}.isdisjoint(OTHERS)


@pytest.mark.parametrize("kind", DURABLE)
def test_every_durable_store_keeps_what_was_mended(kind: str, servers: Servers, tmp_path: Path) -> None:
    """Parted chains, moved statements and episodes that were taken back are the same once they are read again."""
    url = servers.url(kind, tmp_path)
    say(url, (DOG[0], JOB[0], *OTHERS, DOG[1], JOB[1]), MIXED, promote=0.01)
    with Memory.open(url, embedding__provider="static") as memory:
        memory.consolidate(user_id=ANA)
        mended = sorted(groups(memory), key=min)
    assert set(DOG) in mended and set(JOB) in mended and len(mended) == 2 + len(OTHERS)
    with Memory.open(url, embedding__provider="static") as memory:
        assert sorted(groups(memory), key=min) == mended and replayed(memory)
        assert {hit.text for hit in memory.retrieve("labrador", user_id=ANA, kinds=("episode",))} <= {*DOG, *JOB}


class Slow:
    """An embedder of two dimensions that counts what it is asked: texts on tea one way, all others the other."""

    fingerprint, dimension, languages, inline = "slow/1", 2, frozenset({"en"}), False

    def __init__(self, *, up: bool = True) -> None:
        self.up = up
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        if not self.up:
            raise ModelUnavailable("the model is down")
        self.asked += texts
        return np.array([[1, 0] if "tea" in text else [0, 1] for text in texts], np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same."""
        row: NDArray[np.float32] = self.embed([text])[0]
        return row


def test_a_closer_look_asks_once_about_each_statement() -> None:
    """Vectors of the slow embedder are kept: a second consolidation embeds what is new, a replay nothing."""
    slow = Slow()
    with Memory(replace(assemble("memory://", {"embedding__provider": "static"}), closer=(slow,))) as memory:
        for text in (*TEA[:2], "今天又喝了绿茶"):
            memory.process(text, user_id=ANA)
        assert not slow.asked
        memory.consolidate(user_id=ANA)
        assert set(TEA[:2]) <= set(slow.asked) and "今天又喝了绿茶" not in slow.asked
        slow.asked.clear()
        memory.process(OTHERS[0], user_id=ANA)
        memory.consolidate(user_id=ANA)
        assert slow.asked == [OTHERS[0]] and replayed(memory) and slow.asked == [OTHERS[0]]


def test_a_closer_look_that_fails_is_done_without(caplog: pytest.LogCaptureFixture) -> None:
    """Consolidation goes on by the first embedder, and says so."""
    parts = replace(assemble("memory://", {"embedding__provider": "static"}), closer=(Slow(up=False),))
    with Memory(parts) as memory:
        for text in TEA:
            memory.process(text, user_id=ANA)
        memory.consolidate(user_id=ANA)
        assert len(memory.beliefs.chains(user_id=ANA)) == 1 and "the model is down" in caplog.text


@pytest.mark.parametrize("sighted", [(), (0, 1, 2, 4, 5), range(6)])
def test_affinity_is_the_likeness_of_each_two(sighted: Sequence[int]) -> None:
    """The matrix says what comparing two by two says, whoever has a vector."""
    texts = ("my dog Rex barks", "Rex ate the green tea", *TEA[:2], "今天又喝了绿茶", "绿茶很好喝")
    words, vectors = Words(), np.random.default_rng(1).normal(size=(len(texts), 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    probes = [probe(text, vectors[place] if place in sighted else None) for place, text in enumerate(texts)]
    for one in probes:
        words.add(one)
    made = [words.weighed(one) for one in probes]
    found = affinities(made, texts, Weights())
    expected = [[pair(one, other, Weights()) for other in made] for one in made]
    off = ~np.eye(len(texts), dtype=bool)
    assert np.allclose(found[off], np.array(expected)[off], atol=1e-5)


def plainly_linked(alike: NDArray[np.float64], reach: float) -> list[list[int]]:
    """Average linkage as it is defined, each mean anew from all pairs."""
    found = [[place] for place in range(len(alike))]
    while len(found) > 1:
        above = {
            (one, other): round(
                float(np.mean([alike[a, b] for a in found[one] for b in found[other]]))
                - reach
                - FEW / (len(found[one]) * len(found[other])),
                5,
            )
            for one in range(len(found))
            for other in range(one)
        }
        (one, other), best = max(above.items(), key=lambda item: item[1])
        if best < 0:
            break
        found[other] += found.pop(one)
    return sorted(sorted(places) for places in found)


@given(st.integers(0, 10_000), st.integers(1, 9))
def test_linkage_is_average_linkage(seed: int, count: int) -> None:
    """Kept partners and running means give what the definition gives."""
    drawn = np.random.default_rng(seed).uniform(-0.2, 0.8, (count, count))
    alike = (drawn + drawn.T) / 2
    reach = Reach(join=0.3, topic=0.3, chain=0.3)
    assert linked(alike, [1] * count, [False] * count, reach) == plainly_linked(alike, 0.3)


def test_nothing_is_linked_to_nothing() -> None:
    """A user who said nothing has no topics."""
    assert linked(np.zeros((0, 0)), [], [], Reach(join=0.3, topic=0.3, chain=0.3)) == []
