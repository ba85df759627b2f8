"""Formation as a whole: what follows from forgetting, changing, purging, failing, and from another writer."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from siltstone import Memory
from siltstone.domain.beliefs import Segment
from siltstone.errors import ModelAnswerInvalid, ModelUnavailable
from siltstone.formation.pipeline import Former, Models

ANA = "ana"
DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEA = ("I had green tea for breakfast", "green tea again this morning", "made a cup of green tea at noon")
DIVORCE = "I am getting divorced"
SCHEDULED = "formation"


@pytest.fixture(params=["sqlite", "memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A memory with the default embedder."""
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/memory.db"
    with Memory.open(url) as opened:
        yield opened


class Scripted:
    """A completion model that says what it is told to, and counts what it is asked; a stub of somebody else's server."""

    name = "scripted/1"

    def __init__(self, intensity: float = 0.9) -> None:
        self.intensity, self.failure = intensity, None
        self.asked: list[str] = []

    failure: Exception | None

    def _answer(self, kind: str) -> None:
        self.asked.append(kind)
        if self.failure is not None:
            raise self.failure

    def decompose(self, text: str, *, speaker: str | None, prior: str | None) -> list[Segment]:
        """The whole text, with the scripted intensity."""
        self._answer("decompose")
        return [Segment(text=text, intensity=self.intensity)]

    def summarize(self, statements: Sequence[str]) -> str:
        """A sentence that no statement is."""
        self._answer("summarize")
        return f"is fond of green tea, said {len(statements)} times"

    def relate(self, first: str, second: str) -> bool:
        """Always related."""
        self._answer("relate")
        return True

    def synthesize(self, lines: Sequence[str]) -> str:
        """A paragraph that names how many lines it had."""
        self._answer("synthesize")
        return f"a paragraph on {len(lines)} lines"


def scripted(memory: Memory, model: Scripted) -> None:
    """Let the model write for this memory."""
    models = Models(embedder=memory.embedder, judge=memory.parts.judge, writer=model)
    memory._former = Former(models, memory.settings.formation, memory.parts.clock)
    memory.beliefs._former = memory._former


def tell(memory: Memory, *texts: str) -> list[str]:
    """Process texts a day apart; their ids."""
    days = (DAY + timedelta(days=count) for count in range(len(texts)))
    return [memory.process(text, user_id=ANA, occurred_at=day).id for text, day in zip(texts, days, strict=True)]


def test_a_model_that_is_down_leaves_the_turn_waiting(memory: Memory) -> None:
    """The turn is kept and found at once, the receipt and the status say that it waits, and it is formed later, once."""
    model = Scripted()
    model.failure = ModelUnavailable("the server is down; start it")
    scripted(memory, model)
    receipt = memory.process(DIVORCE, user_id=ANA)
    assert (receipt.status, receipt.waiting_for) == ("waiting", (SCHEDULED,))
    assert [hit.text for hit in memory.retrieve("divorced", user_id=ANA)] == [DIVORCE]
    assert memory.beliefs.status(user_id=ANA).waiting == receipt.ids
    model.failure = None
    memory.process("I moved to Lisbon", user_id=ANA)
    assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == [DIVORCE, "I moved to Lisbon"]
    assert memory.form(user_id=ANA).done == ()
    assert memory.beliefs.status(user_id=ANA).waiting == ()


def test_an_answer_that_is_no_use_fails_once_and_visibly(memory: Memory) -> None:
    """A turn that cannot be formed is recorded with its reason, is not tried again unasked, and is not lost."""
    model = Scripted()
    model.failure = ModelAnswerInvalid("the model refused; choose another")
    scripted(memory, model)
    memory_id = memory.process(DIVORCE, user_id=ANA).id
    memory.process(DIVORCE, user_id=ANA)
    assert model.asked == ["decompose", "decompose"]
    assert memory.beliefs.status(user_id=ANA).failed[memory_id] == "the model refused; choose another"
    model.failure = None
    memory.beliefs.form(user_id=ANA, again=True)
    assert memory.beliefs.status(user_id=ANA).failed == {}
    assert len(memory.beliefs.episodes(user_id=ANA)) == 2


def test_replay_asks_no_model(memory: Memory) -> None:
    """All that a model answered is in the journal: replaying gives the same state without a call."""
    model = Scripted(intensity=0.3)
    scripted(memory, model)
    tell(memory, *TEA)
    assert model.asked.count("summarize") == 1
    before, asked = memory.fingerprint(user_id=ANA), list(model.asked)
    memory.replay(user_id=ANA)
    assert (memory.fingerprint(user_id=ANA), model.asked) == (before, asked)
    (episode,) = memory.beliefs.episodes(user_id=ANA)
    assert episode.text == "is fond of green tea, said 3 times"


def test_a_summary_is_written_once(memory: Memory) -> None:
    """The first reading of a chain asks the model, the next does not, and a new episode makes it stale."""
    model = Scripted()
    scripted(memory, model)
    tell(memory, "my labrador Rex is my best friend", "my labrador Rex saved my life")
    (snapshot,) = memory.beliefs.snapshots(user_id=ANA)
    assert snapshot.written_by == "rules"
    found = [memory.beliefs.snapshot(snapshot.id, user_id=ANA) for _ in range(2)]
    assert [item.summary for item in found if item] == ["a paragraph on 2 lines"] * 2
    assert model.asked.count("synthesize") == 1
    memory.process("my labrador Rex means the world to me", user_id=ANA)
    (stale,) = memory.beliefs.snapshots(user_id=ANA)
    assert stale.written_by == "rules" and len(stale.episodes) == 3


def test_forgetting_a_turn_hides_what_was_formed_from_it(memory: Memory) -> None:
    """An episode is findable while any of its evidence is; reviving the turn brings it back."""
    (memory_id,) = tell(memory, DIVORCE)
    memory.forget(memory_id, user_id=ANA)
    assert memory.beliefs.episodes(user_id=ANA) == [] and memory.beliefs.chains(user_id=ANA) == []
    assert list(memory.retrieve("divorced", user_id=ANA, kinds=("episode", "snapshot"))) == []
    memory.revive(memory_id, user_id=ANA)
    assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == [DIVORCE]


def test_forgotten_evidence_does_not_count(memory: Memory) -> None:
    """Two turns and a forgotten third do not promote."""
    first = tell(memory, *TEA[:2])[0]
    memory.forget(first, user_id=ANA)
    tell(memory, TEA[2])
    assert memory.beliefs.episodes(user_id=ANA) == []
    assert [len(cluster.statements) for cluster in memory.beliefs.pool(user_id=ANA)] == [2]


def test_purging_a_turn_erases_what_it_said_from_its_beliefs(memory: Memory) -> None:
    """No event or record holds the words of a purged turn, and an episode goes on by the evidence that it has left."""
    ids = tell(memory, *TEA)
    (episode,) = memory.beliefs.episodes(user_id=ANA)
    said = next(memory_id for memory_id, text in zip(ids, TEA, strict=True) if text == episode.text)
    memory.forget(said, user_id=ANA, purge=True)
    partition = memory.store.partition(ANA)
    everything = str([dict(e.payload) for e in partition.events()] + [dict(r.body) for r in partition.records()])
    assert episode.text not in everything
    (left,) = memory.beliefs.episodes(user_id=ANA)
    assert left.text in TEA and left.text != episode.text and len(left.turns) == 2
    assert memory.replay(user_id=ANA).before == memory.fingerprint(user_id=ANA)


def test_purging_a_turn_erases_what_a_model_wrote_from_it(memory: Memory) -> None:
    """A summary that cites a purged turn is gone."""
    scripted(memory, Scripted(intensity=0.3))
    ids = tell(memory, *TEA)
    memory.forget(ids[0], user_id=ANA, purge=True)
    (episode,) = memory.beliefs.episodes(user_id=ANA)
    assert episode.text in TEA[1:]


def test_changed_words_are_formed_anew(memory: Memory) -> None:
    """An updated turn takes its old beliefs back and waits to be formed again."""
    (memory_id,) = tell(memory, DIVORCE)
    memory.update(memory_id, user_id=ANA, text="I got married")
    assert memory.beliefs.episodes(user_id=ANA) == []
    memory.form(user_id=ANA)
    assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == ["I got married"]


def test_a_contradiction_supersedes_by_event_time(memory: Memory) -> None:
    """The later of two contradicting episodes holds, whichever was told first; the earlier stays as history."""
    now, then = "I don't drink green tea any more", "I love green tea"
    memory.process(now, user_id=ANA, occurred_at=DAY + timedelta(days=9))
    memory.process(then, user_id=ANA, occurred_at=DAY)
    (chain,) = memory.beliefs.chains(user_id=ANA)
    assert [(episode.text, episode.superseded_by is None) for episode in chain.episodes] == [(then, False), (now, True)]
    (snapshot,) = memory.beliefs.snapshots(user_id=ANA)
    assert snapshot.summary == f"{now}."
    found = memory.retrieve("green tea", user_id=ANA, kinds=("episode",), as_of=DAY + timedelta(days=20))
    assert [hit.text for hit in found] == [now]


def test_an_elaboration_supersedes_nothing(memory: Memory) -> None:
    """What adds to an episode leaves it standing."""
    tell(memory, "I work as a nurse at the hospital", "I am a nurse on the children's ward of the hospital")
    (chain,) = memory.beliefs.chains(user_id=ANA)
    assert [episode.superseded_by for episode in chain.episodes] == [None, None]


def test_reset_takes_the_beliefs_and_leaves_the_turns(memory: Memory) -> None:
    """After a reset nothing is believed and everything is still kept; reopened turns are formed anew to the same."""
    tell(memory, *TEA, DIVORCE)
    before = [episode.text for episode in memory.beliefs.episodes(user_id=ANA)]
    assert memory.beliefs.reset(user_id=ANA) > 0
    assert memory.beliefs.episodes(user_id=ANA) == memory.beliefs.pool(user_id=ANA) == []
    assert len(memory.list(user_id=ANA)) == 4
    assert memory.form(user_id=ANA).done == ()
    tell(memory, *TEA, DIVORCE)
    memory.beliefs.reset(user_id=ANA, reopen=True)
    memory.form(user_id=ANA)
    assert set(before) <= {episode.text for episode in memory.beliefs.episodes(user_id=ANA)}


def test_another_process_is_noticed(tmp_path: Path) -> None:
    """Two memories on one file form into the same clusters, whoever wrote last."""
    url = f"sqlite:///{tmp_path}/memory.db"
    with Memory.open(url) as one, Memory.open(url) as other:
        for memory, text in zip((one, other, one), TEA, strict=True):
            memory.process(text, user_id=ANA)
        assert len(other.beliefs.episodes(user_id=ANA)) == 1
        one.beliefs.reset(user_id=ANA)
        other.process(TEA[0], user_id=ANA)
        assert [len(cluster.statements) for cluster in other.beliefs.pool(user_id=ANA)] == [1]


def test_in_the_background_the_call_returns_first(tmp_path: Path) -> None:
    """The receipt says that formation waits; closing and opening again loses nothing."""
    url, before = f"sqlite:///{tmp_path}/memory.db", set(threading.enumerate())
    with Memory.open(url, formation__mode="background") as memory:
        assert memory.process(DIVORCE, user_id=ANA).waiting_for == (SCHEDULED,)
        memory.form(user_id=ANA)
        assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == [DIVORCE]
        memory.process(TEA[0], user_id=ANA)
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "siltstone-formation"]
    with Memory.open(url) as memory:
        memory.form(user_id=ANA)
        assert memory.beliefs.status(user_id=ANA).waiting == ()
        assert len(memory.beliefs.read(ANA).pool()) == 1


def test_without_an_embedder_words_are_compared() -> None:
    """No embedder: repetition of the same words still promotes, unrelated words still do not."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        tell(memory, *TEA, "the router is slow", "rain all afternoon")
        assert len(memory.beliefs.episodes(user_id=ANA)) == 1
        assert len(memory.beliefs.pool(user_id=ANA)) == 2
