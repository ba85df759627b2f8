"""Each factor can change the order, is bounded, is shown, and is 1.0 when it is off."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memories import ANA, texts
from moments import still
from siltstone import Memory
from siltstone.testing.clock import ManualClock

OFF = {
    "recall__half_life_days": 0,
    "ranking__emotion_factor": 0,
    "ranking__feedback_boost": 1,
    "ranking__feedback_penalty": 1,
    "ranking__topic_boost": 1,
    "ranking__attention_boost": 1,
}
BOUNDS = {"time": (0.3, 1), "emotion": (1, 1.8), "feedback": (0.5, 1.3), "hot_topic": (1, 1.2), "attention": (1, 1.5)}


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def alone(clock: ManualClock, *names: str, **more: Any) -> Memory:
    """A host's memory with these factors on and all others off."""
    kept = {key: value for key, value in OFF.items() if not any(name in key for name in names)}
    return still(clock, profile="host", **kept, **more)


def factors(memory: Memory, query: str) -> dict[str, dict[str, float]]:
    """The factors of each hit, by text."""
    return {hit.text: dict(hit.factors) for hit in memory.retrieve(query, user_id=ANA)}


def test_time_brings_the_newer_first(clock: ManualClock) -> None:
    """Of two texts alike the one said later wins, by 0.3 + 0.7 · 2^(−age / 60 days)."""
    with alone(clock, "half_life") as memory:
        memory.add("paid rent", user_id=ANA, occurred_at=clock.now() - timedelta(days=60))
        memory.add("paid the rent too", user_id=ANA, occurred_at=clock.now() + timedelta(days=9))
        assert texts(memory, "paid rent") == ["paid the rent too", "paid rent"]
        shown = factors(memory, "paid rent")
        assert shown["paid rent"]["time"] == pytest.approx(0.65) and shown["paid the rent too"]["time"] == 1.0


def test_emotion_brings_what_moved_first(clock: ManualClock) -> None:
    """Of two texts alike the one said with more feeling wins; leaning counts by its own boost."""
    with alone(clock, "emotion", "positive", "negative") as memory:
        memory.add("the interview at Acme", user_id=ANA)
        memory.add("the interview at Acme was absolutely terrible!!", user_id=ANA)
        assert texts(memory, "interview Acme")[0].endswith("!!")
        shown = factors(memory, "interview Acme")
        assert shown["the interview at Acme"]["emotion"] == 1.0
        assert shown["the interview at Acme was absolutely terrible!!"]["emotion"] == pytest.approx(
            1 + 0.4 * (0.4 + 0.1)
        )


@pytest.mark.parametrize(("key", "text"), [("positive", "I love my bike"), ("negative", "I hate my bike")])
def test_each_leaning_has_its_own_boost(clock: ManualClock, key: str, text: str) -> None:
    """The boost of the side to which a text leans lifts it, the other does not, and 1.0 switches it off."""
    for boost, other, expected in ((4.0, 1.0, 1.4), (1.0, 4.0, 1.0)):
        names = {"ranking__positive_boost": boost, "ranking__negative_boost": other}
        if key == "negative":
            names = {"ranking__positive_boost": other, "ranking__negative_boost": boost}
        with still(clock, ranking__emotion_factor=0.4, **names) as memory:
            memory.add(text, user_id=ANA)
            assert factors(memory, "bike")[text]["emotion"] == pytest.approx(expected)


def test_feedback_moves_a_memory_up_and_down(clock: ManualClock) -> None:
    """Useful memories rise to 1.3, useless ones fall to 0.5, one turn counts once."""
    with still(clock) as memory:
        first, second = (memory.add(f"garage code {n}", user_id=ANA).id for n in ("one", "two"))
        memory.feedback(second, user_id=ANA, useful=True, turn="t")
        memory.feedback(second, user_id=ANA, useful=True, turn="t")
        assert texts(memory, "garage code")[0] == "garage code two"
        assert factors(memory, "garage")["garage code two"]["feedback"] == pytest.approx(1.1)
        for turn in "abc":
            memory.feedback(second, user_id=ANA, useful=True, turn=turn)
            memory.feedback(first, user_id=ANA, useful=False, turn=turn)
        assert {key: value["feedback"] for key, value in factors(memory, "garage").items()} == {
            "garage code two": pytest.approx(1.3),
            "garage code one": pytest.approx(0.5),
        }


def talked(memory: Memory, clock: ManualClock, days: int = 0) -> None:
    """Two texts alike, and talk about the topic of the second on one day before now."""
    memory.add("the plan for Neovim", user_id=ANA, occurred_at=clock.now() - timedelta(days=400))
    memory.add("the plan for Emacs", user_id=ANA, occurred_at=clock.now() - timedelta(days=400))
    for n in range(3):
        memory.add(f"{n} notes: NEOVIM", user_id=ANA, occurred_at=clock.now() - timedelta(days=days))


@pytest.mark.parametrize("name", ["topic", "attention"])
def test_a_topic_of_the_day_lifts_what_mentions_it(clock: ManualClock, name: str) -> None:
    """A word that keeps coming lifts the memories with it, whatever its case: hot topics and attention alike."""
    with alone(clock, name) as memory:
        memory.add("the plan for Emacs", user_id=ANA, occurred_at=clock.now() - timedelta(days=400))
        talked(memory, clock)
        found = texts(memory, "plan for")
        assert found.index("the plan for Neovim") < found.index("the plan for Emacs")
        factor = {"topic": "hot_topic", "attention": "attention"}[name]
        shown = factors(memory, "plan for")
        assert shown["the plan for Neovim"][factor] > 1.0 == shown["the plan for Emacs"][factor]


def test_topics_have_real_windows(clock: ManualClock) -> None:
    """A topic counts today, for 7 days and for 90 days, fades by when it was last seen, and then is none."""
    with still(clock, profile="host") as memory:
        talked(memory, clock)
        (topic,) = [topic for topic in memory.upkeep.topics(user_id=ANA) if topic.word == "neovim"]
        assert (topic.today, topic.week, topic.mentions, topic.fading) == (3, 3, 3, 1.0)
        factor = factors(memory, "plan for")["the plan for Neovim"]["hot_topic"]
        clock.advance(timedelta(days=1))
        (topic,) = [topic for topic in memory.upkeep.topics(user_id=ANA) if topic.word == "neovim"]
        assert (topic.today, topic.week, topic.mentions) == (0, 3, 3)
        clock.advance(timedelta(days=29))
        (topic,) = [topic for topic in memory.upkeep.topics(user_id=ANA) if topic.word == "neovim"]
        assert (topic.today, topic.week, topic.mentions, topic.fading) == (0, 0, 3, 0.5)
        assert 1.0 < factors(memory, "plan for")["the plan for Neovim"]["hot_topic"] < factor
        clock.advance(timedelta(days=60))
        assert not [topic for topic in memory.upkeep.topics(user_id=ANA) if topic.word == "neovim"]
        assert factors(memory, "plan for")["the plan for Neovim"]["hot_topic"] == 1.0


def test_attention_follows_use(clock: ManualClock) -> None:
    """Of two texts alike the used one wins; a use counts once a turn and fades."""
    with alone(clock, "attention") as memory:
        first, second = (memory.add(f"door code {n}", user_id=ANA).id for n in ("red", "blue"))
        before = memory.fingerprint(user_id=ANA)
        assert texts(memory, "door code")[0] == "door code red" and memory.fingerprint(user_id=ANA) == before
        assert memory.used([second], user_id=ANA, turn="t") == [second]
        assert memory.used([first, second], user_id=ANA, turn="t") == [first]
        assert memory.used(second, user_id=ANA) == [second]
        entry = memory.get(second, user_id=ANA)
        assert entry is not None and entry.uses == 2
        assert texts(memory, "door code")[0] == "door code blue"
        attention = factors(memory, "door code")["door code blue"]["attention"]
        clock.advance(timedelta(days=60))
        assert 1 < factors(memory, "door code")["door code blue"]["attention"] < attention


def test_factors_are_bounded_and_shown(clock: ManualClock) -> None:
    """With every factor at its extreme each stays within its bounds, and the score within [0, 1]."""
    with still(clock, profile="host") as memory:
        best = memory.add("absolutely extremely totally GREAT sooo good!! love it!? wow?!", user_id=ANA).id
        memory.add("great old thing", user_id=ANA, occurred_at=clock.now() - timedelta(days=4000))
        for n in range(12):
            memory.feedback(best, user_id=ANA, useful=True)
            memory.used(best, user_id=ANA, turn=str(n))
        for hit in memory.retrieve("great good love", user_id=ANA):
            assert 0 < hit.score <= 1 and hit.factors.keys() == BOUNDS.keys()
            for name, (low, high) in BOUNDS.items():
                assert low - 1e-6 <= hit.factors[name] <= high + 1e-6


def test_off_means_one(clock: ManualClock) -> None:
    """In a library nothing but feedback moves a score: every other factor is 1.0, and feedback too until it is given."""
    with still(clock) as memory:
        memory.add("I absolutely LOVE tea!!", user_id=ANA, occurred_at=clock.now() - timedelta(days=900))
        memory.used(memory.add("tea tea tea", user_id=ANA).id, user_id=ANA)
        assert all(set(shown.values()) == {1.0} for shown in factors(memory, "tea").values())


@pytest.mark.parametrize("profile", ["library", "host"])
def test_a_live_index_ranks_as_one_read_anew(clock: ManualClock, profile: str) -> None:
    """Topics and attention counted along the way are those of an index that was built at once."""
    with still(clock, profile=profile) as memory:
        ids = [memory.add(f"cello lesson {n} with tea and word{n % 3}", user_id=ANA).id for n in range(9)]
        for n, memory_id in enumerate(ids):
            memory.retrieve("cello tea", user_id=ANA)
            clock.advance(timedelta(days=n))
            memory.used(memory_id, user_id=ANA)
            if n % 3 == 0:
                memory.forget(memory_id, user_id=ANA)
            if n % 4 == 1:
                memory.update(memory_id, user_id=ANA, text=f"violin lesson {n}")
        live = memory.retrieve("cello lesson tea word1", user_id=ANA).hits
        memory._shelf.drop(ANA)
        assert memory.retrieve("cello lesson tea word1", user_id=ANA).hits == live and live
        assert memory.replay(user_id=ANA).same
