"""Which chain an episode joins, and what its joining does to the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from siltstone import Memory

ANA = "ana"


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A memory in which every statement is an episode."""
    with Memory.open("memory://", formation__threshold=0.0) as opened:
        yield opened


def chains(memory: Memory, *texts: str) -> list[list[str]]:
    """The chains, as texts, after these statements."""
    for text in texts:
        memory.process(text, user_id=ANA)
    return [[episode.text for episode in chain.episodes] for chain in memory.beliefs.chains(user_id=ANA)]


@pytest.mark.parametrize(
    "texts",
    [
        ("I work as a nurse", "night shift at the hospital again", "I am a nurse on the children's ward"),
        ("I adopted a labrador called Rex", "Rex sleeps on the sofa", "my dog Rex loves the beach"),
        ("我养了一只柯基", "今天带狗去打疫苗", "我家柯基半夜叫"),
    ],
)
def test_one_topic_is_one_chain(memory: Memory, texts: tuple[str, ...]) -> None:
    """Statements about one thing in other words join one chain, in English and in Chinese."""
    assert len(chains(memory, *texts)) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I run marathons", "I run a printing company"),
        ("I drink green tea", "I painted the wall green"),
        ("I am allergic to peanuts", "I moved to Lisbon"),
        ("我只喝绿茶", "我会拉小提琴"),
    ],
)
def test_two_topics_are_two_chains(memory: Memory, first: str, second: str) -> None:
    """Statements about two things stay apart, also where they share a word."""
    assert chains(memory, first, second) == [[first], [second]]


def test_a_chain_is_ordered_by_event_time(memory: Memory) -> None:
    """What happened earlier comes earlier, whenever it was told."""
    for text, day in (("Rex is my dog", "2026-02-02"), ("my dog Rex was born", "2026-01-01")):
        memory.process(text, user_id=ANA, occurred_at=day)
    assert chains(memory) == [["my dog Rex was born", "Rex is my dog"]]


def test_the_distance_gate_is_a_setting() -> None:
    """At distance 0 nothing joins; far enough, everything does."""
    for distance, count in ((0.001, 2), (1.9, 1)):
        with Memory.open("memory://", formation__threshold=0.0, formation__chain_max_distance=distance) as memory:
            assert len(chains(memory, "I adopted a labrador", "I am allergic to peanuts")) == count


def test_two_chains_that_prove_to_be_one_are_united(memory: Memory) -> None:
    """A statement that belongs to both makes them one: the older stays, with all episodes and one snapshot."""
    assert len(chains(memory, "a zebra curtain", "a violet armchair")) == 2
    older = memory.beliefs.chains(user_id=ANA)[0].id
    for text in ("a zebra curtain and a violet armchair", "a violet armchair, a zebra curtain"):
        memory.process(text, user_id=ANA)
    (chain,) = memory.beliefs.chains(user_id=ANA)
    assert chain.id == older and len(chain.episodes) == 4
    assert [snapshot.id for snapshot in memory.beliefs.snapshots(user_id=ANA)] == [older]
    assert memory.replay(user_id=ANA).before == memory.fingerprint(user_id=ANA)
