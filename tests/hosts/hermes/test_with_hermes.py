"""End to end: the pinned Hermes with the plugin in its home, and a stub server as its model."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hosts.hermes.real_host import RealHost, contents, memory_call
from hosts.hermes.terminal import Terminal
from servers import running
from siltstone.hosts.hermes.install import install

OPENING = "<memory-context>"


def _block(message: str) -> str:
    return message.partition(OPENING)[2]


def test_a_fact_added_in_one_process_is_recalled_once_in_the_next(host: RealHost) -> None:
    """The request that the model receives holds the fact once, dated, with its id, and the system prompt says how."""
    host.play_alone(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    before = len(host.asked())
    host.play_alone(("say", "What is the name of the boat that Tom has?"))
    messages = host.asked()[before]
    assert "# Siltstone memory" in contents(messages, "system")[0]
    asked = contents(messages, "user")[-1]
    assert re.search(r"\n- \d{4}-\d\d-\d\d “Tom's boat is called Petrel\.” \([0-9a-f]{8}\)", _block(asked))
    assert asked.count("Petrel") == 1


def test_replace_and_remove_change_what_is_recalled(host: RealHost) -> None:
    """By a part of the old text, singly and in a batch; a second add of the same text changes nothing."""
    added = [
        memory_call(action="add", target="user", content=text) for text in ("Ana lives in Oslo.", "Bo is a baker.")
    ]
    batch = {
        "target": "user",
        "operations": [
            {"action": "add", "content": "Bo has a shop in Bergen."},
            {"action": "add", "content": "Cleo paints boats."},
            {"action": "remove", "old_text": "a baker"},
        ],
    }
    host.play(
        *added,
        added[0],
        memory_call(action="replace", target="user", content="Ana lives in Rome.", old_text="Oslo"),
        memory_call(**batch),
    )
    assert host.entries("USER.md") == ["Ana lives in Rome.", "Bo has a shop in Bergen.", "Cleo paints boats."]
    ana, bo, known = host.play(
        ("prefetch", "Where does Ana live?"),
        ("prefetch", "What does Bo the baker have?"),
        ("tool", ["siltstone_search", {"query": "Ana lives in", "limit": 20}]),
    )
    assert "Rome" in ana
    assert "Oslo" not in ana
    assert "Bergen" in bo
    assert "a baker" not in bo
    assert [hit["text"] for hit in known["results"] if "Ana" in hit["text"]] == ["Ana lives in Rome."]


def test_what_is_shown_is_shown_once_in_a_session(host: RealHost) -> None:
    """A later turn holds the first turn's block once; /new, /undo and a compression let a memory be shown again."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    before = len(host.asked())
    question = ("say", "What is Tom's boat called?")
    host.play(question, question, ("new", None), question, ("undo", None), question)
    first, second, fresh, undone = [contents(messages, "user") for messages in host.asked()[before:]]
    assert "Petrel" in _block(first[-1])
    assert [("Petrel" in text) for text in second] == [True, False]
    assert "Petrel" in _block(fresh[-1])
    assert len(fresh) == 1
    assert "Petrel" in _block(undone[-1])
    compressed = host.play(
        question,
        *[("say", f"Tell me more of number {n}. " + "word " * 400) for n in range(9)],
        ("compress", None),
        ("prefetch", question[1]),
    )
    assert "Petrel" in compressed[-1]


def test_a_resumed_session_does_not_repeat(host: RealHost) -> None:
    """Going back to a conversation goes back to what it has been shown."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    question = "What is Tom's boat called?"
    own, new, resumed, other = host.play(
        ("prefetch", question),
        ("new", None),
        ("prefetch", question),
        ("resume", "other"),
        ("prefetch", question),
        ("resume", "session-1"),
        ("prefetch", question),
        session_id="first",
    )[::2]
    assert "Petrel" in own
    assert "Petrel" in new
    assert "Petrel" in resumed
    assert other == ""


def test_the_tools_answer_the_model(host: RealHost) -> None:
    """The model remembers, searches, rates and forgets; the ids that it saw work; an error says what to do."""
    said = "CALLTOOL siltstone_remember " + json.dumps({"text": "The shed's key hangs behind the door."})
    before = len(host.asked())
    host.play(("say", said))
    result = json.loads(contents(host.asked()[before + 1], "tool")[-1])
    assert result["status"] == "kept"
    found, rated, gone, after, wrong = host.play(
        ("tool", ["siltstone_search", {"query": "Where is the key of the shed?"}]),
        ("tool", ["siltstone_feedback", {"id": result["id"], "useful": True}]),
        ("tool", ["siltstone_forget", {"id": result["id"]}]),
        ("tool", ["siltstone_search", {"query": "Where is the key of the shed?"}]),
        ("tool", ["siltstone_forget", {"id": result["id"]}]),
    )
    assert [hit["id"] for hit in found["results"]] == [result["id"]]
    assert rated["status"] == "noted"
    assert gone["status"] == "forgotten"
    assert after["results"] == []
    assert "use an id" in wrong["error"]


def test_nothing_is_kept_that_nobody_told_to_keep(host: RealHost) -> None:
    """Talk, commands, secrets and recalled text leave no memory; a question that nothing answers brings none."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    before = len(host.asked())
    host.play(
        ("say", "I need paint, and my password is hunter2. What is Tom's boat called?"),
        ("say", "ok thanks"),
        ("say", "Which vaccine should my parrot have this winter?"),
    )
    assert [OPENING in contents(messages, "user")[-1] for messages in host.asked()[before:]] == [True, False, False]
    counted = host.command("siltstone", "stats")
    assert '"entry": 1' in counted.stdout, counted.stdout + counted.stderr


def test_every_user_and_agent_has_their_own(host: RealHost) -> None:
    """What one user of a platform tells, another does not get; a non-primary agent recalls only its own."""
    telegram = {"platform": "telegram"}
    keep = ("tool", ["siltstone_remember", {"text": "Tom's boat is called Petrel."}])
    asked = ("prefetch", "What is Tom's boat called?")
    assert host.play(keep, asked, **telegram, user_id="1")[0]["status"] == "kept"
    assert host.play(asked, **telegram, user_id="2") == [""]
    assert "Petrel" in host.play(asked, **telegram, user_id="1")[0]
    host.set(**{"embedding.provider": "none", "agent_id": "second", "is_primary": False})
    mine = ("tool", ["siltstone_remember", {"text": "Tom's boat has a red hull."}])
    assert host.play(asked, mine, **telegram, user_id="1")[0] == ""
    (found,) = host.play(("prefetch", "What colour is the hull of Tom's boat?"), **telegram, user_id="1")
    assert "red hull" in found
    assert "Petrel" not in found


def test_sub_agents_and_scheduled_jobs_have_no_memory_to_write(host: RealHost) -> None:
    """The host gives them no provider; what runs as cron may not write, and is told so."""
    assert host.play(("providers", None), skip_memory=True) == [[]]
    (refused,) = host.play(("tool", ["siltstone_remember", {"text": "A fact."}]), platform="cron")
    assert "may not change memory" in refused["error"]


def test_hand_edits_are_taken_over(host: RealHost) -> None:
    """What an editor, another process or the host's background review writes into the files is recalled, too."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    (host.home / "memories" / "MEMORY.md").write_text("Tom's boat is called Puffin.\n§\nEve drives a van.", "utf-8")
    boat, van = host.play(("prefetch", "What is Tom's boat called?"), ("prefetch", "What does Eve drive?"))
    assert "Puffin" in boat
    assert "Petrel" not in boat
    assert "van" in van


def test_a_stuck_recall_holds_no_turn_up_for_long(host: RealHost) -> None:
    """The host gives a recall up after eight seconds, and the turn goes on without memories."""
    _, answer = host.play(("stuck", 11.0), ("say", "What is Tom's boat called?"))
    assert answer["reply"].startswith("stub-reply")
    assert 7.0 < answer["seconds"] < 11.0


def test_broken_settings_stop_nothing_and_say_why(host: RealHost) -> None:
    """The agent goes on, its tools name the problem, and so does the doctor."""
    (host.home / "siltstone.json").write_text('{"max_hitz": 3}', "utf-8")
    answer, failed = host.play(("say", "Hello there, Tom!"), ("tool", ["siltstone_search", {"query": "boat"}]))
    assert answer["reply"].startswith("stub-reply")
    assert "max_hits" in failed["error"]
    told = host.command("siltstone", "doctor")
    assert told.returncode == 4
    assert "max_hitz" in told.stdout


def test_setup_on_an_empty_home(fresh_host: RealHost) -> None:
    """`hermes memory setup siltstone` asks nothing, opens the store and activates the provider."""
    ran = fresh_host.command("memory", "setup", "siltstone")
    assert "Memories are kept in" in ran.stdout, ran.stdout + ran.stderr
    assert fresh_host.play(("providers", None))[0][:1] == ["siltstone"]
    assert "siltstone" in fresh_host.command("memory", "status").stdout


def test_the_hosts_command_line_has_ours(host: RealHost, tmp_path: Path) -> None:
    """Doctor, search, stats, maintain and export work on the home's store."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    assert "ok       store:" in host.command("siltstone", "doctor").stdout
    assert "Petrel" in host.command("siltstone", "search", "name", "of", "Tom's", "boat").stdout
    exported = tmp_path / "out.jsonl"
    ran = host.command("siltstone", "export", str(exported))
    assert ran.returncode == 0, ran.stderr
    assert "Petrel" in exported.read_text("utf-8")


def test_chat_on_the_command_line_recalls(host: RealHost) -> None:
    """`hermes chat -q` injects a stored fact, as every other face of the host."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    before = len(host.asked())
    ran = host.command("chat", "-Q", "-t", "memory", "-q", "What is Tom's boat called?")
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "Petrel" in _block(contents(host.asked()[before], "user")[-1])


def test_an_environment_without_our_packages_still_recalls(host: RealHost) -> None:
    """The host's environment has neither the engine nor NumPy: the plugin brings them along."""
    probe = (
        "import importlib.util as u; print([n for n in ('siltstone', 'numpy', 'snowballstemmer') if u.find_spec(n)])"
    )
    ran = subprocess.run([str(host.python), "-c", probe], env=host.environ, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
    loaded = json.loads((host.home / "plugins" / "siltstone" / "lib" / "installed.json").read_text("utf-8"))
    assert any(name.startswith("numpy ") for name in loaded["packages"])
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    shutil.rmtree(host.home / "plugins" / "siltstone" / "lib")
    (lost,) = host.play_alone(("tool", ["siltstone_search", {"query": "boat"}]))
    assert "siltstone hermes install" in lost["error"]
    install(host.home, python=host.python)
    assert "Petrel" in host.play_alone(("prefetch", "What is Tom's boat called?"))[0]


def test_new_at_the_terminal_begins_anew(host: RealHost) -> None:
    """/new in the host's own terminal: the memory is shown again, in a request that holds nothing of before."""
    host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
    before, question = len(host.asked()), "What is Tom's boat called?"
    terminal = Terminal(host.python.with_name("hermes"), host.environ, "chat", "-t", "memory")
    try:
        terminal.until(lambda: terminal.shows("❯"), "the prompt")
        terminal.type(question)
        terminal.until(lambda: len(_turns(host, before)) == 1, "the first request")
        terminal.until(lambda: terminal.shows("stub-reply") and terminal.idle(), "the first answer")
        terminal.type("/new")
        terminal.until(lambda: terminal.shows("[1] Approve"), "the question whether it is meant")
        terminal.type("1")
        terminal.until(lambda: terminal.shows("session started") and terminal.idle(), "the new session")
        terminal.type(question)
        terminal.until(lambda: len(_turns(host, before)) == 2, "the second request")
    finally:
        terminal.close()
    first, second = _turns(host, before)
    assert "Petrel" in _block(contents(first, "user")[-1])
    assert len(contents(second, "user")) == 1
    assert "Petrel" in _block(contents(second, "user")[-1])


def _turns(host: RealHost, before: int) -> list[list[dict[str, Any]]]:
    """The requests that are turns of the conversation; the host asks for titles, too."""
    return [
        messages for messages in host.asked()[before:] if "# Siltstone memory" in (*contents(messages, "system"), "")[0]
    ]


def test_feedback_changes_the_order(host: RealHost) -> None:
    """A memory that misled comes after its like from the next message on, in a new process too."""
    texts = ("Tom's favourite harbour is Molde.", "Tom's favourite harbour is Bergen.")
    host.play(*(memory_call(action="add", target="memory", content=text) for text in texts))
    question = "What is Tom's favourite harbour?"
    (shown,) = host.play(("prefetch", question))
    first, second = [line[-9:-1] for line in shown.splitlines() if line.startswith("- ")]
    host.play(("say", "CALLTOOL siltstone_feedback " + json.dumps({"id": first, "useful": False})))
    (after,) = host.play_alone(("prefetch", question))
    assert [line[-9:-1] for line in after.splitlines() if line.startswith("- ")] == [second, first]


def test_redis_by_one_setting(host: RealHost) -> None:
    """With nothing but the address set, what one process adds is recalled by the next, out of Redis."""
    with running() as server:
        host.set(url=server.url(), **{"embedding.provider": "none"})
        host.play(memory_call(action="add", target="memory", content="Tom's boat is called Petrel."))
        assert "Petrel" in host.play_alone(("prefetch", "What is Tom's boat called?"))[0]
    assert not (host.home / "siltstone" / "memory.db").exists()
