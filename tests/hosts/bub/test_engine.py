"""The engine on tape files, without a host: keeping, reading, snapshots, rebuilding."""

from __future__ import annotations

import contextlib
import gc
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from siltstone.errors import ModelUnavailable
from siltstone.hosts.bub import answers, render
from siltstone.hosts.bub.engine import Ask, Engine, Scope, Turn
from siltstone.hosts.bub.options import Options
from siltstone.hosts.bub.rebuilding import rebuild
from siltstone.hosts.bub.recall import Question
from siltstone.hosts.bub.reports import Reports
from siltstone.hosts.bub.turns import tape_name
from siltstone.hosts.bub.worker import uncollected

USER = "/home/ana/project"
TAPE = tape_name(Path(USER), "cli:local")
TURN = Turn(user=USER, session="cli:local", tape=TAPE)


def _write(engine: Engine, *texts: str, tape: str = TAPE, role: str = "user") -> None:
    engine.tapes.mkdir(parents=True, exist_ok=True)
    with (engine.tapes / f"{tape}.jsonl").open("a") as file:
        for text in texts:
            payload = {"role": role, "content": text}
            entry = {"id": 1, "kind": "message", "payload": payload, "meta": {}, "date": "2026-01-01T10:00:00+00:00"}
            file.write(json.dumps(entry) + "\n")


def _engine(home: Path, lines: list[str], ask: Ask | None = None, **options: Any) -> Engine:
    return Engine(home, Options(**options), reports=Reports(lines.append), ask=ask)


@pytest.fixture
def said() -> list[str]:
    """What the engine reported."""
    return []


@pytest.fixture
def engine(tmp_path: Path, said: list[str]) -> Iterator[Engine]:
    """An engine without a model."""
    made = _engine(tmp_path, said)
    yield made
    made.finish(lambda: None)
    assert said == []


def _texts(engine: Engine) -> list[str]:
    return [entry.text for entry in engine.memory().list(user_id=USER, limit=1_000)]


def test_nothing_is_made_before_there_is_something_to_keep(engine: Engine) -> None:
    """Warming up, recalling, reading and asking for the state make no file."""
    engine.warm(USER)
    question = Question(text="Who is Alice?", session="s", handoff=("p", "Bob owns tests"))
    assert "Bob owns tests" in engine.block(question, user=USER, formatter=render)
    engine.read(USER)
    assert answers.facts(engine, Scope(user=USER))["memories"] == 0
    assert not engine.home.exists() or list(engine.home.iterdir()) == []


def test_a_turn_is_kept_read_and_written_down(engine: Engine) -> None:
    """What a tape gained is searchable, its entities are known, and a snapshot says so, without any model."""
    _write(engine, "Alice created a task to deploy v1.0")
    engine.learn(TURN)
    assert engine.settle(20)
    block = engine.block(Question(text="What did Alice do?", session="other"), user=USER, formatter=render)
    assert "- person:alice" in block and "- alice --created--> deploy_v1" in block
    assert '"Alice created a task to deploy v1.0"' in block
    (line,) = (engine.tapes / "semantic" / f"{TAPE}.jsonl").read_text().splitlines()
    assert [entity["id"] for entity in json.loads(line)["entities"]] == ["person:alice", "task:deploy_v1"]
    engine.learn(TURN)
    assert engine.settle(20)
    assert len((engine.tapes / "semantic" / f"{TAPE}.jsonl").read_text().splitlines()) == 1


def test_two_processes_on_one_tape_double_nothing(engine: Engine, tmp_path: Path, said: list[str]) -> None:
    """Two engines that keep the same tape at the same time keep each text once."""
    _write(engine, *[f"Fact {n}" for n in range(200)])
    other = _engine(tmp_path, said)
    threads = [threading.Thread(target=one.keep, args=(TURN,)) for one in (engine, other) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    # Equal dates: the content alone tells the entries apart.
    assert sorted(_texts(engine)) == sorted(f"Fact {n}" for n in range(200))


def test_what_was_erased_does_not_come_back(engine: Engine) -> None:
    """A rebuild brings back what was lost, and neither what was forgotten nor what was erased."""
    _write(engine, "The oak is ready", "The ash is ready", "The elm is ready")
    engine.keep(TURN)
    memory = engine.memory()
    forgotten, erased = (entry.id for entry in memory.list(user_id=USER, limit=2))
    memory.forget(forgotten, user_id=USER)
    memory.forget(erased, user_id=USER, purge=True)
    assert "1 tapes read, 0 texts were missing" in rebuild(engine, Scope(user=USER), model=False)
    assert _texts(engine) == ["The elm is ready"]


def test_a_lost_store_comes_back_from_the_tapes(engine: Engine) -> None:
    """With the store gone, a rebuild keeps every tape of the workspace, each under its own session."""
    _write(engine, "sender_id=human|channel=$cli|chat_id=local\n---Date: x---\nThe oak is ready")
    _write(engine, "of another workspace", tape="0123456789abcdef__0123456789abcdef")
    assert "1 tapes read, 1 texts were missing" in rebuild(engine, Scope(user=USER), model=False)
    (entry,) = engine.memory().list(user_id=USER)
    assert (entry.text, entry.session_id, entry.speaker) == ("The oak is ready", "cli:local", "human")


def test_tool_traffic_is_neither_read_nor_shown(engine: Engine) -> None:
    """What tools answered is found by a search and by nothing else."""
    _write(engine, "Look it up")
    with (engine.tapes / f"{TAPE}.jsonl").open("a") as file:
        entry = {"id": 2, "kind": "tool_result", "payload": {"results": ["Mallory created a task to deploy v9.0"]}}
        file.write(json.dumps(entry) + "\n")
    engine.learn(TURN)
    assert engine.settle(20)
    assert engine.memory().graph.nodes(user_id=USER) == []
    assert engine.block(Question(text="What did Mallory create?", session="o"), user=USER, formatter=render) == ""
    assert "Mallory" in answers.search(engine, Scope(user=USER), "Mallory task", 5)


def test_a_model_reads_in_the_rules_place_and_each_text_once(tmp_path: Path, said: list[str]) -> None:
    """All that is new goes into one question; what the model read stands, and it is not asked again."""
    asked = list[str]()

    def ask(instructions: str, text: str, limit: int) -> tuple[str, bool]:
        asked.append(text)
        return json.dumps({"entities": [{"id": "x", "type": "harbour", "name": "Billing", "in": 1}]}), False

    engine = _engine(tmp_path, said, ask)
    _write(engine, "Alice created a task to deploy v1.0", "Bob sails")
    for _ in range(2):
        engine.learn(TURN)
        assert engine.settle(20)
    assert len(asked) == 1 and "Alice created" in asked[0] and "Bob sails" in asked[0]
    assert [entity.id for entity in engine.memory().graph.nodes(user_id=USER)] == ["harbour:billing"]
    assert engine.finish(lambda: None) and said == []


def test_what_the_model_did_not_read_waits(tmp_path: Path, said: list[str]) -> None:
    """A model that is away is reported once; the rules' reading stands until it is back."""
    answer: dict[str, Any] = {}

    def ask(instructions: str, text: str, limit: int) -> tuple[str, bool]:
        if not answer:
            raise ModelUnavailable("the model is away; try later")
        return json.dumps(answer), False

    engine = _engine(tmp_path, said, ask)
    _write(engine, "Alice created a task to deploy v1.0")
    for _ in range(3):
        engine.read(USER) if engine.is_there else engine.keep(TURN)
        engine.read(USER)
    assert said == ["memory: reading by the model failed: the model is away; try later"]
    assert engine.memory().graph.get("person:alice", user_id=USER) is not None
    answer["entities"] = [{"type": "harbour", "name": "Billing"}]
    engine.read(USER)
    assert [entity.id for entity in engine.memory().graph.nodes(user_id=USER)] == ["harbour:billing"]
    engine.finish(lambda: None)


def test_a_host_without_tape_files_is_learnt_from_its_entries(engine: Engine) -> None:
    """Entries that the host hands over are kept as those of a file are."""
    entries = [
        {
            "id": n,
            "kind": "message",
            "payload": {"role": "user", "content": f"Fact {n}"},
            "meta": {},
            "date": f"2026-01-0{n}",
        }
        for n in (1, 2, 3)
    ]
    engine.keep(Turn(user=USER, session="s", tape=TAPE, entries=entries[:2]))
    engine.keep(Turn(user=USER, session="s", tape=TAPE, entries=entries))
    assert _texts(engine) == ["Fact 1", "Fact 2", "Fact 3"]


def test_forgetting_a_session_leaves_the_others(engine: Engine) -> None:
    """A session is taken back as one; everything takes the graph along."""
    _write(engine, "Alice created a task to deploy v1.0")
    engine.keep(TURN)
    engine.keep(
        Turn(
            user=USER,
            session="other",
            tape="t__o",
            entries=[{"kind": "message", "payload": {"role": "user", "content": "Bob"}}],
        )
    )
    engine.read(USER)
    scope = Scope(user=USER)
    assert "1 memories of session" in answers.forget_many(engine, scope, session="other", purge=False)
    assert _texts(engine) == ["Alice created a task to deploy v1.0"]
    answers.forget_many(engine, scope, session=None, purge=True)
    assert _texts(engine) == [] and engine.memory().graph.nodes(user_id=USER) == []


def test_a_tape_that_grew_unseen_is_taken_up(engine: Engine) -> None:
    """What a killed process left on a tape that is followed is kept when the next one resumes; other tapes are left alone."""
    _write(engine, "The oak is ready")
    engine.keep(TURN)
    _write(engine, "The ash is ready")
    _write(engine, "never followed", tape=tape_name(Path(USER), "another"))
    engine.resume(USER)
    assert engine.settle(20)
    assert _texts(engine) == ["The oak is ready", "The ash is ready"]


def test_loading_leaves_the_garbage_collector_as_it_was() -> None:
    """While the engine loads nothing is collected; afterwards the host's choice stands, after an error too."""
    for chosen in (gc.disable, gc.enable):
        chosen()
        before = gc.isenabled()
        with contextlib.suppress(ValueError), uncollected():
            assert not gc.isenabled()
            raise ValueError
        assert gc.isenabled() == before
