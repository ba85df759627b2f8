"""Every key of Keepsake's configuration, under its own name, changes what it says it changes.

Each test opens one memory with the key in Keepsake's file, or its variable, and one without, and shows the difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memories import ANA, texts
from moments import read_names
from siltstone import Memory
from siltstone.assembly import assemble
from siltstone.models.remembering import RememberingEmbedder
from siltstone.settings import FOREIGN
from siltstone.testing.clock import ManualClock

ADDRESS = {"redis_host", "redis_port", "redis_password"}
EMBEDDER = {"embedder.provider", "embedder.api_key", "embedder.base_url", "embedder.model"}
BY_ITSELF = {
    "candidate_k",
    "embed_cache_ttl",
    "entity_cooc_min_count",
    "forget_dry_run",
    "is_primary",
    "skip_patterns_file",
}
"""Keys that have a test of their own below."""
RANKING = [
    ("decay_half_days", 5),
    ("sentiment_boost_positive", 1.0),
    ("sentiment_boost_negative", 1.0),
    ("feedback_positive_boost", 2.0),
    ("feedback_negative_penalty", 0.9),
    ("hot_topic_boost", 1.5),
    ("hot_topic_decay_half_days", 2),
    ("attention_boost_max", 3.0),
    ("attention_base_increment", 40.0),
    ("attention_emotion_factor", 40.0),
    ("emotion_intensity_factor", 0.9),
]
UPKEEP = [
    ("consolidate_min_group", 3, "consolidate", 2),
    ("consolidate_max_age_hours", 10_000, "consolidate", 2),
    ("forget_max_age_days", 10_000, "forget", 2),
]
NOTE = "the billing service is deployed with Helm"


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def keepsake(
    clock: ManualClock, keys: dict[str, Any], folder: Path, *, by_variable: bool = False, **settings: Any
) -> Memory:
    """A memory in the profile for hosts, with these keys in Keepsake's file or as its variables."""
    file = folder / "keepsake.json"
    file.write_text("// Keepsake\n" + json.dumps({} if by_variable else keys), "utf-8")
    environ = {"KEEPSAKE_CONFIG": str(file)}
    if by_variable:
        environ |= {f"KEEPSAKE_{key.upper()}": str(value) for key, value in keys.items()}
    parts = assemble("memory://", {"embedding__provider": "none", "profile": "host", **settings}, environ=environ)
    return Memory(replace(parts, clock=clock))


def factor(memory: Memory, query: str, name: str) -> list[float]:
    """That factor of each hit, by text."""
    return [hit.factors[name] for hit in sorted(memory.retrieve(query, user_id=ANA), key=lambda hit: hit.text)]


def old_and_loved(memory: Memory, clock: ManualClock) -> list[float]:
    """The factors of memories that each factor has something to say about."""
    memory.add("a: tea was absolutely wonderful!!", user_id=ANA, occurred_at=clock.now() - timedelta(days=50))
    memory.add("b: tea was absolutely horrible!!", user_id=ANA)
    good = memory.add("c: tea on the terrace", user_id=ANA).id
    bad = memory.add("d: tea in the tearoom terrace", user_id=ANA).id
    memory.feedback(good, user_id=ANA, useful=True)
    memory.feedback(bad, user_id=ANA, useful=False)
    memory.used(good, user_id=ANA)
    memory.add("e: the tower", user_id=ANA)
    clock.advance(timedelta(days=5))
    names = ("time", "emotion", "feedback", "hot_topic", "attention")
    return [value for query in ("tea", "tower") for name in names for value in factor(memory, query, name)]


@pytest.mark.parametrize("by_variable", [False, True], ids=["file", "variable"])
@pytest.mark.parametrize(("key", "value"), RANKING)
def test_a_ranking_key_changes_its_factor(
    clock: ManualClock, tmp_path: Path, key: str, value: float, by_variable: bool
) -> None:
    """With the key at another value than its default some hit has another factor."""
    with keepsake(clock, {}, tmp_path) as plain:
        before = old_and_loved(plain, clock)
    other = ManualClock()
    with keepsake(other, {key: value}, tmp_path, by_variable=by_variable) as memory:
        assert old_and_loved(memory, other) != before


def shown(memory: Memory) -> int:
    """How many of twelve memories a query shows."""
    memory.add([f"tea number {n}" for n in range(12)], user_id=ANA)
    return len(memory.retrieve("tea number", user_id=ANA))


def ranked_by_words(memory: Memory) -> int:
    """How many rows were looked at in full for a query with twelve hits."""
    memory.add([f"tea {'tea ' * n}number {n}" for n in range(12)], user_id=ANA)
    return int(memory.retrieve("tea", user_id=ANA).trace["candidates"])


def tagged(memory: Memory) -> list[str]:
    """What is found of a tagged memory and one without."""
    memory.add("tea with tags", user_id=ANA, tags=["office", "x"])
    memory.add("tea without tags", user_id=ANA)
    return texts(memory, "tea")


def short(memory: Memory) -> bool:
    """Whether a query of three letters is asked."""
    memory.add("the tea", user_id=ANA)
    return bool(memory.retrieve("tea", user_id=ANA))


def together(memory: Memory) -> list[str]:
    """What a query for one entity finds where others come along."""
    memory.add(
        ["Python with Django", "Python beside Django", "Django alone", "Python by Flask", "Flask alone"], user_id=ANA
    )
    read_names(memory, ANA)
    return texts(memory, "Python")


def suggested(memory: Memory) -> int:
    """How many synonyms are suggested of a talk about cars."""
    for n in range(12):
        part = ("engine", "tyres", "garage", "brakes")[n % 4]
        memory.add(f"the car {part} needs repair, the automobile {part} is old", user_id=ANA)
        memory.add([f"the car {part} makes noise {n}", f"the automobile {part} makes noise {n}"] * (n < 5), user_id=ANA)
    return len(memory.upkeep.discover_synonyms(user_id=ANA))


def bound(memory: Memory) -> list[str | None]:
    """Whose an added memory is."""
    memory.add("tea", user_id=ANA)
    return [entry.agent_id for entry in memory.list(user_id=ANA)]


EFFECTS: list[tuple[dict[str, Any], Callable[[Memory], Any], Any]] = [
    ({"top_k": 3}, shown, 3),
    ({"bm25_limit": 4}, ranked_by_words, 4),
    ({"tag_filter": "office"}, tagged, ["tea with tags"]),
    ({"skip_min_length": 4}, short, False),
    ({"entity_cooc_top_n": 0}, together, ["Python with Django", "Python beside Django", "Python by Flask"]),
    ({"synonym_min_word_freq": 100}, suggested, 0),
    ({"synonym_jaccard_threshold": 0.95}, suggested, 0),
    ({"synonym_min_co_occurrence": 30}, suggested, 0),
    ({"agent_id": "main-brain"}, bound, ["main-brain"]),
]


@pytest.mark.parametrize("by_variable", [False, True], ids=["file", "variable"])
@pytest.mark.parametrize(
    ("keys", "look", "expected"),
    EFFECTS,
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_key_has_its_effect(
    clock: ManualClock,
    tmp_path: Path,
    keys: dict[str, Any],
    look: Callable[[Memory], Any],
    expected: Any,
    by_variable: bool,
) -> None:
    """With the key a memory behaves as the key says, and without it otherwise."""
    with keepsake(clock, keys, tmp_path, by_variable=by_variable) as memory, keepsake(clock, {}, tmp_path) as plain:
        assert look(memory) == expected
        assert look(plain) != expected


def test_company_needs_its_count(clock: ManualClock, tmp_path: Path) -> None:
    """With a lower count an entity that came along once brings its memories too."""
    with keepsake(clock, {}, tmp_path) as plain, keepsake(clock, {"entity_cooc_min_count": 1}, tmp_path) as memory:
        assert "Flask alone" not in together(plain) and "Flask alone" in together(memory)


def test_meaning_has_its_own_candidates(clock: ManualClock, tmp_path: Path) -> None:
    """Fewer memories without a word of the query are looked at where fewer candidates by meaning are allowed."""
    pytest.importorskip("wordllama", reason="optional package not installed")
    looked = []
    for keys in ({"candidate_k": 1}, {}):
        with keepsake(clock, keys, tmp_path, embedding__provider="static") as memory:
            memory.add([f"a dog {word}" for word in ("barks", "sleeps", "eats", "runs", "jumps")], user_id=ANA)
            looked.append(memory.retrieve("puppy", user_id=ANA).trace["candidates"])
    assert looked[0] == 1 < looked[1]


def test_the_primary_agent_sees_all(clock: ManualClock, tmp_path: Path) -> None:
    """An agent is bound to its own unless it is the primary one; the text "false" is false."""
    seen = {}
    for primary in ("true", "false"):
        keys = {"agent_id": "a", "is_primary": primary}
        with keepsake(clock, {}, tmp_path) as whole, keepsake(clock, keys, tmp_path, by_variable=True) as memory:
            bound_to = Memory(replace(memory.parts, store=whole.parts.store))
            whole.add("tea of b", user_id=ANA, agent_id="b")
            seen[primary] = texts(bound_to, "tea")
    assert seen == {"true": ["tea of b"], "false": []}


def test_the_file_of_patterns_is_read(clock: ManualClock, tmp_path: Path) -> None:
    """A query that a line of the file names is skipped."""
    (tmp_path / "skip.txt").write_text("the tea\n", "utf-8")
    with keepsake(clock, {"skip_patterns_file": str(tmp_path / "skip.txt")}, tmp_path) as memory:
        memory.add("the tea", user_id=ANA)
        assert not memory.retrieve("The tea!", user_id=ANA) and memory.retrieve("tea", user_id=ANA)


@pytest.mark.parametrize(
    ("key", "value", "step", "without"),
    UPKEEP,
)
def test_an_upkeep_key_changes_what_is_due(
    clock: ManualClock, tmp_path: Path, key: str, value: float, step: str, without: int
) -> None:
    """With a higher bound nothing is merged or forgotten that would be without it."""
    counts = []
    for keys in ({key: value}, {}):
        with keepsake(clock, keys, tmp_path) as memory:
            memory.add([NOTE, "the billing service listens on port 9077"], user_id=ANA)
            clock.advance(timedelta(days=200))
            counts.append(memory.upkeep.maintain(user_id=ANA, steps=[step]).steps[0].count)
    assert counts == [0, without]


@pytest.mark.parametrize("dry", ["true", "false"])
def test_forgetting_is_dry_where_it_says_so(clock: ManualClock, tmp_path: Path, dry: str) -> None:
    """The text "false" is false: only then is anything forgotten."""
    with keepsake(clock, {"forget_dry_run": dry}, tmp_path, by_variable=True) as memory:
        memory.add(NOTE, user_id=ANA)
        clock.advance(timedelta(days=200))
        memory.upkeep.maintain(user_id=ANA, steps=["forget"])
        assert bool(memory.list(user_id=ANA)) is (dry == "true")


def test_the_cache_of_vectors_lives_as_long_as_it_says(clock: ManualClock, tmp_path: Path) -> None:
    """The endpoint's answers are reused for that time, and never where it is 0."""
    embedder = {"provider": "openai", "base_url": "http://127.0.0.1:9/v1", "api_key": "k", "model": "m"}
    for seconds, kept in ((60, True), (0, False)):
        keys = {"embedder": embedder, "embed_cache_ttl": seconds}
        with keepsake(clock, keys, tmp_path, embedding__provider="endpoint") as memory:
            assert isinstance(memory.embedder, RememberingEmbedder) is kept
            assert memory.settings.embedding.cache_seconds == seconds


def test_no_key_is_without_a_test() -> None:
    """Every key of Keepsake's is shown here to have an effect, but for the address and the endpoint, which have their own."""
    keys = {item.key for item in FOREIGN if item.key} - ADDRESS - EMBEDDER
    tested = {key for keys, _, _ in EFFECTS for key in keys} | {key for key, *_ in (*RANKING, *UPKEEP)} | BY_ITSELF
    assert keys == tested
