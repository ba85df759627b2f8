"""Bubble's API, and the acceptance tests of its behaviour, on every store."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import siltstone.beliefs as bubble
from servers import DURABLE, STORES, Servers
from siltstone import Memory
from siltstone.assembly import assemble

ANA = "ana"
KINDS = ("note", "turn", "episode", "snapshot")
TEA = (
    "I had green tea for breakfast",
    "green tea again this morning",
    "made a cup of green tea at noon",
    "the green tea at work is fine",
    "drank green tea on the balcony",
    "another pot of green tea tonight",
    "green tea with my sandwich",
    "tried a new green tea from the shop",
)
OTHERS = (
    "The metro was late",
    "rebooted the router",
    "my umbrella is wet",
    "the film was long",
    "rain all afternoon",
    "the sink drips",
    "the neighbours have a party",
)
VIVID = (
    "I work as a nurse at the hospital",
    "I adopted a labrador called Rex",
    "I run marathons",
    "I moved to Lisbon",
    "I am allergic to peanuts",
    "I play the cello",
    "I am getting divorced",
)


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest, servers: Servers, tmp_path: Path) -> str:
    """A store that no one has used, of every kind."""
    return servers.url(request.param, tmp_path)


@pytest.fixture
def memory(url: str) -> Iterator[Memory]:
    """A memory with the default embedder, behind Bubble's API."""
    with Memory.open(url) as opened:
        bubble.use(opened)
        yield opened
        bubble.use(None)


def say(*messages: str, user_id: str = ANA) -> None:
    """Process messages one after the other."""
    for message in messages:
        bubble.process_sync(user_id, message)


def test_a_message_is_kept_without_being_awaited(memory: Memory) -> None:
    """The README as printed works for a new user: process without await stores, retrieve finds."""
    bubble.process("new", "I adopted a labrador called Rex", None)

    async def ask() -> list[dict[str, Any]]:
        return await bubble.retrieve("new", "which dog does she have?")

    assert [item["summary"] for item in asyncio.run(ask())] == ["I adopted a labrador called Rex."]


def test_awaiting_a_message_gives_what_it_became(memory: Memory) -> None:
    """Awaited, process answers the nodes: a vivid statement is an episode, a weak one a segment."""

    async def tell() -> list[list[dict[str, Any]]]:
        return [await bubble.process(ANA, text) for text in ("I am getting divorced", "The metro was late")]

    (vivid,), (weak,) = asyncio.run(tell())
    assert (vivid["type"], vivid["episodic"], vivid["text"]) == ("Episode", True, "I am getting divorced")
    assert (weak["type"], weak["text"]) == ("SegmentNode", "The metro was late")
    assert weak["intensity"] < 0.6 <= vivid["intensity"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("what is her job at the hospital?", "nurse"),
        ("which dog does she have?", "labrador"),
        ("food allergies", "peanuts"),
    ],
)
def test_best_first(memory: Memory, query: str, first: str) -> None:
    """Seven unrelated facts: each question gets its own first, and scores never rise."""
    say(*VIVID)
    found = bubble.retrieve_sync(ANA, query)
    assert first in found[0]["summary"]
    scores = [item["score"] for item in found]
    assert scores == sorted(scores, reverse=True)


def test_eight_weak_statements_on_one_topic_become_one_episode(memory: Memory) -> None:
    """Repetition turns a trifle into a belief: one chain, one distilled episode, nothing left in the pool."""
    say(*TEA)
    (episode,) = memory.beliefs.episodes(user_id=ANA)
    (chain,) = memory.beliefs.chains(user_id=ANA)
    assert not episode.vivid and len(episode.turns) >= 3
    assert len(episode.statements) + len(chain.reinforcing) == len(TEA)
    assert memory.beliefs.pool(user_id=ANA) == []


@pytest.mark.parametrize("also", [(), TEA[:3]])
def test_unrelated_weak_statements_never_promote(memory: Memory, also: tuple[str, ...]) -> None:
    """Seven statements on seven topics stay in the pool, alone or beside a topic that promotes."""
    say(*OTHERS[:4], *also, *OTHERS[4:])
    episodes = memory.beliefs.episodes(user_id=ANA)
    assert len(episodes) == (1 if also else 0)
    assert {statement.text for episode in episodes for statement in episode.statements} == set(also)
    assert sorted(s.text for cluster in memory.beliefs.pool(user_id=ANA) for s in cluster.statements) == sorted(OTHERS)


def test_three_statements_of_one_message_do_not_promote(memory: Memory) -> None:
    """Promotion counts distinct messages, not statements."""
    say("I had green tea for breakfast. I had green tea at noon. I had green tea at night.")
    assert memory.beliefs.episodes(user_id=ANA) == []


def test_replay_twice_gives_the_same_state(memory: Memory) -> None:
    """Replaying changes nothing: same fingerprint, same pool, nothing doubled."""
    say(*VIVID[:3], *TEA[:4], *OTHERS)
    before, pool = memory.fingerprint(user_id=ANA), memory.beliefs.pool(user_id=ANA)
    assert [bubble.replay_sync(ANA)["fingerprint"] for _ in range(2)] == [before, before]
    assert memory.beliefs.pool(user_id=ANA) == pool


def test_twenty_concurrent_messages_on_one_topic_make_one_chain(memory: Memory) -> None:
    """However they interleave, there is one chain, one snapshot, and each message counts once."""
    texts = [f"green tea number {count} today" for count in range(20)]
    threads = [threading.Thread(target=bubble.process_sync, args=(ANA, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (chain,) = memory.beliefs.chains(user_id=ANA)
    assert len(memory.beliefs.snapshots(user_id=ANA)) == 1
    counted = [s.entry_id for episode in chain.episodes for s in episode.statements]
    counted += [statement.entry_id for statement in chain.reinforcing]
    assert sorted(counted) == sorted(entry.id for entry in memory.list(user_id=ANA))


def test_concurrent_consolidation_doubles_nothing(memory: Memory) -> None:
    """Four consolidations at once promote a due cluster once."""
    for text in TEA[:4]:
        bubble.ingest_sync(ANA, text)
    assert memory.beliefs.episodes(user_id=ANA) == []
    made: list[int] = []
    threads = [
        threading.Thread(target=lambda: made.append(len(bubble.consolidate_sync(ANA)["promoted"]))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [0, 0, 0, 1]
    events = [event.id for event in memory.store.partition(ANA).events()]
    assert len(events) == len(set(events)) and len(memory.beliefs.episodes(user_id=ANA)) == 1


def test_what_ingest_leaves_promote_takes(memory: Memory) -> None:
    """Ingest promotes nothing; promote answers Bubble's five keys."""
    for text in TEA[:3]:
        bubble.ingest_sync(ANA, text)
    (promoted,) = bubble.promote_sync(ANA)
    assert set(promoted) == {"id", "summary", "confidence", "t_promo_score", "n_segments"}
    assert promoted["n_segments"] == 3 and promoted["t_promo_score"] > 0.2
    assert bubble.promote_sync(ANA) == []


def test_observe_looks_before_it_stores(memory: Memory) -> None:
    """What a message is about is found without finding the message itself."""
    say("I adopted a labrador called Rex")
    seen = bubble.observe_sync(ANA, "I love my labrador Rex so much", verbose=True)
    assert [item["summary"] for item in seen["retrieved"]] == ["I adopted a labrador called Rex."]
    (member,) = seen["retrieved"][0]["members"]
    assert member["confidence_label"] == "vivid, unverified by convergence"


def test_a_blank_query_finds_nothing(memory: Memory) -> None:
    """Nothing is asked, nothing is answered."""
    say(*VIVID[:2])
    assert bubble.retrieve_sync(ANA, "") == bubble.retrieve_sync(ANA, "  ") == []


def test_two_event_loops_in_one_process(memory: Memory) -> None:
    """Nothing is bound to the loop in which it was first used."""
    for text in VIVID[:2]:
        assert asyncio.run(bubble.ingest(ANA, text))
    assert len(asyncio.run(bubble.retrieve(ANA, "nurse at the hospital"))) >= 1


@pytest.mark.parametrize("user_id", ["../../x", "a/b", "..", "佳"])
def test_a_user_that_looks_like_a_path_is_a_user(url: str, tmp_path: Path, user_id: str) -> None:
    """No id reaches outside the store's own file; each is a user like any other."""
    with Memory.open(url) as memory:
        memory.process(VIVID[0], user_id=user_id)
        assert [episode.text for episode in memory.beliefs.episodes(user_id=user_id)] == [VIVID[0]]
        assert memory.users() == [user_id]
    assert {path.name.split(".")[0] for path in tmp_path.rglob("*")} <= {"memory"}


@pytest.mark.parametrize("text", ["I adopted a\x00 labrador", "I adopted a \ud800 labrador"])
def test_text_that_no_store_likes_is_kept_and_formed(memory: Memory, text: str) -> None:
    """NUL and lone surrogates are cleaned away; the message is kept, formed and replayed."""
    say(text)
    (entry,) = memory.list(user_id=ANA)
    assert "labrador" in entry.text and "\x00" not in entry.text
    assert len(memory.beliefs.read(ANA).of_turn(entry.id)) == 1
    assert memory.replay(user_id=ANA).before == memory.replay(user_id=ANA).after


KILLED = """
import os, signal, sys
from siltstone import Memory
memory = Memory.open(sys.argv[1])
Partition = type(memory.store.partition("ana"))
left, commit = int(sys.argv[2]), Partition.commit
def counted(self, *args, **more):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return commit(self, *args, **more)
Partition.commit = counted
for text in sys.argv[3:]:
    memory.process(text, user_id="ana")
"""


@pytest.mark.parametrize("kind", DURABLE)
@pytest.mark.parametrize("commits", [1, 2, 3, 5])
def test_a_kill_between_steps_loses_and_doubles_nothing(
    servers: Servers, tmp_path: Path, kind: str, commits: int
) -> None:
    """After SIGKILL before any commit, what was acknowledged is there, and the next call finishes what waits."""
    url = servers.url(kind, tmp_path)
    ran = subprocess.run([sys.executable, "-c", KILLED, url, str(commits), *TEA[:4]], check=False, env=os.environ)
    assert ran.returncode == -signal.SIGKILL
    with Memory.open(url) as memory:
        kept = [entry.text for entry in memory.list(user_id=ANA)]
        assert kept == list(TEA[: (commits + 1) // 2])
        waiting = memory.beliefs.status(user_id=ANA).waiting
        assert len(waiting) == commits % 2
        memory.form(user_id=ANA)
        read = memory.beliefs.read(ANA)
        assert [len(read.of_turn(entry.id)) for entry in memory.list(user_id=ANA)] == [1] * len(kept)
        for text in itertools.islice(TEA, len(kept), 4):
            memory.process(text, user_id=ANA)
        assert len(memory.beliefs.chains(user_id=ANA)) == 1
        assert memory.replay(user_id=ANA).before == memory.fingerprint(user_id=ANA)


def test_only_what_was_contradicted_is_contested(memory: Memory) -> None:
    """The earlier of two contradicting beliefs is contested, the later is not and is the summary."""
    say("I love green tea", "I don't drink green tea any more")
    (found,) = bubble.retrieve_sync(ANA, "green tea", verbose=True)
    assert found["summary"] == "I don't drink green tea any more."
    assert [member["confidence_label"] == "contested" for member in found["members"]] == [True, False]


def test_an_export_carries_the_beliefs(memory: Memory, tmp_path: Path) -> None:
    """What was formed comes along with the journal: no statement is formed a second time elsewhere."""
    say(*TEA[:4], VIVID[1])
    memory.export(user_id=ANA, to=tmp_path / "ana.jsonl")
    with Memory.open("memory://") as other:
        other.import_(tmp_path / "ana.jsonl", user_id=ANA)
        assert other.fingerprint(user_id=ANA) == memory.fingerprint(user_id=ANA)
        assert other.beliefs.episodes(user_id=ANA) == memory.beliefs.episodes(user_id=ANA)


class Counted:
    """A clock that ticks a second a call and names ids by number: what a script makes is then the same everywhere."""

    def __init__(self) -> None:
        self._clock, self._ids = itertools.count(), itertools.count(1)

    def now(self) -> datetime:
        """The next second."""
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(self._clock))

    def new_id(self) -> str:
        """The next id."""
        return f"{next(self._ids):022x}"


def script(url: str) -> tuple[list[Any], str]:
    """A life in small, with changes and forgetting; what is asked of it afterwards, and the fingerprint."""
    with Memory(replace(assemble(url, {}), clock=Counted())) as memory:
        ids = [memory.process(text, user_id=ANA).id for text in (*VIVID, *TEA[:5], *OTHERS)]
        memory.update(ids[1], user_id=ANA, text="I adopted a poodle called Max")
        memory.form(user_id=ANA)
        memory.forget(ids[2], user_id=ANA)
        memory.forget(ids[-1], user_id=ANA, purge=True)
        memory.consolidate(user_id=ANA)
        asked = ("which dog does she have?", "green tea", "does she run?", "food allergies", "the metro")
        found = [[(h.id, h.text, h.score) for h in memory.retrieve(q, user_id=ANA, kinds=(*KINDS,))] for q in asked]
        return found, memory.fingerprint(user_id=ANA)


def test_every_store_gives_the_same_answers_to_the_same_script(servers: Servers, tmp_path: Path) -> None:
    """With the same clock and ids, answers and fingerprints are equal on every store, updates and deletes included."""
    first = script(servers.url("memory", tmp_path))
    for kind in DURABLE:
        folder = tmp_path / kind.replace(" ", "-")
        folder.mkdir()
        assert script(servers.url(kind, folder)) == first, kind
