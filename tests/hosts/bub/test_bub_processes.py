"""The `bub` command in processes of its own: one-shot turns, the terminal, commands of ours, a process that is killed."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hosts.bub.conftest import block_of, model_variables, nothing_read, reads

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ALICE = {
    "entities": [{"id": "alice", "type": "person", "name": "Alice"}, {"id": "v1", "type": "task", "name": "deploy_v1"}],
    "relations": [{"from": "alice", "to": "v1", "type": "created"}],
}
HEAVY = ("numpy", "sqlite3", "siltstone.memory", "siltstone.knowledge", "wordllama")


def _agent(stub: Any) -> list[dict[str, Any]]:
    return [item["body"] for item in stub.requests if item["body"].get("tools")]


def _readings(stub: Any) -> list[str]:
    chats = [item["body"] for item in stub.requests if not item["body"].get("tools") and item["body"].get("messages")]
    return [str(body["messages"][-1]["content"]) for body in chats]


def test_one_shot_turns_and_commands(run_bub: Run, stub: Any, tmp_path: Path) -> None:
    """Facts of one `bub run` are in the next; our commands show, search, export, forget and rebuild them."""
    stub.rules = [reads(ALICE, times=1), nothing_read()]
    first = run_bub("run", "Alice created a task to deploy v1.0")
    assert (first.returncode, first.stdout) == (0, "[cli:local]\nstub-reply #1\n"), first.stderr
    assert "WARNING" not in first.stderr and "Traceback" not in first.stderr
    assert run_bub("run", "What did Alice do?").stdout == "[cli:local]\nstub-reply #2\n"
    assert "alice --created--> deploy_v1" in block_of(_agent(stub)[-1])
    asked = len(stub.requests)
    found = run_bub("run", ",memory.search query=alice").stdout
    assert "Alice created a task to deploy v1.0" in found
    told = run_bub("memory", "status").stdout
    assert "semantic_entities: 2" in told and "memories: 4" in told
    assert '"person:alice" --created--> "task:deploy_v1"' in run_bub("memory", "show").stdout
    assert "person:alice" in run_bub("memory", "search", "alice").stdout
    exported = run_bub("memory", "export").stdout.splitlines()
    assert exported and all(json.loads(line) for line in exported)
    (tmp_path / "home" / ".bub" / "memory" / "memory.db").unlink()
    for rest in ("-wal", "-shm"):
        (tmp_path / "home" / ".bub" / "memory" / f"memory.db{rest}").unlink(missing_ok=True)
    assert "1 tapes read, 4 texts were missing" in run_bub("memory", "rebuild").stdout
    assert "created" in run_bub("memory", "search", "alice").stdout
    assert "4 memories" in run_bub("memory", "forget", "--all").stdout
    assert run_bub("memory", "forget", "nobody").returncode == 1
    assert len(stub.requests) == asked, "no command asks a model"


def test_hooks_are_listed_and_nothing_heavy_is_loaded(run_bub: Run, bub_python: str, tmp_path: Path) -> None:
    """Every `bub` command loads the plugin: it is there, and brings along neither a store nor numbers nor a file."""
    listed = run_bub("hooks").stdout
    lines = dict(line.split(": ", 1) for line in listed.splitlines() if ": " in line)
    hooks = ["before_llm_call", "after_llm_call", "save_state", "provide_lifespan", "register_cli_commands"]
    assert [name for name in hooks if "memory" not in lines.get(name, "")] == []
    code = f"import bub.__main__, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    environment = {**os.environ, "HOME": str(tmp_path / "h"), "BUB_HOME": str(tmp_path / "h" / ".bub")}
    ran = subprocess.run([bub_python, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]", "loading the plugin loads more than the plugin"
    assert not (tmp_path / "h").exists()


def test_a_killed_process_is_caught_up_by_the_next(run_bub: Run, stub: Any, bub_python: str, tmp_path: Path) -> None:
    """A process that dies while a model reads loses nothing: the next one has it read, once."""
    stub.rules = [reads(ALICE, delay=30)]
    run_bub("hooks")
    variables = {"HOME": str(tmp_path / "home"), "BUB_HOME": str(tmp_path / "home" / ".bub")}
    variables |= model_variables(stub.url) | {"BUB_MEMORY_DRAIN_SECONDS": "30"}
    command = [str(Path(bub_python).with_name("bub")), "run", "Alice created a task to deploy v1.0"]
    with subprocess.Popen(
        command, cwd=tmp_path / "ws", env={**os.environ, **variables}, stderr=subprocess.DEVNULL
    ) as killed:
        until = time.monotonic() + 60
        while not _readings(stub) and time.monotonic() < until:
            time.sleep(0.05)
        killed.send_signal(signal.SIGKILL)
    assert len(_readings(stub)) == 1
    stub.rules = [reads(ALICE, times=1), nothing_read()]
    assert run_bub("run", "Good night", BUB_MEMORY_DRAIN_SECONDS="20").returncode == 0
    later = _readings(stub)[1:]
    assert sum("Alice created a task" in text for text in later) == 1
    assert '"person:alice" --created--> "task:deploy_v1"' in run_bub("memory", "show").stdout


def test_chat_in_a_terminal_remembers_what_run_was_told(
    run_bub: Run, stub: Any, bub_python: str, tmp_path: Path
) -> None:
    """`bub chat` under a terminal knows what was said to `bub run` in the same folder, and ends well."""
    run_bub("run", "The release codeword is heliotrope")
    variables = {"HOME": str(tmp_path / "home"), "BUB_HOME": str(tmp_path / "home" / ".bub"), "TERM": "xterm"}
    environment = {**os.environ, **variables, **model_variables(stub.url)}
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - another process
        os.chdir(tmp_path / "ws")
        os.execve(str(Path(bub_python).with_name("bub")), ["bub", "chat"], environment)
    seen = _typed(terminal, stub, "What is the release codeword?")
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, seen[-2000:]
    assert "heliotrope" in block_of(_agent(stub)[-1])
    assert "Traceback" not in seen


def _typed(terminal: int, stub: Any, line: str) -> str:
    """Type a line once the prompt is there, end with Ctrl-D once it was answered; what the terminal showed.

    Bub drops a Ctrl-D that comes while it still draws an answer, so it is typed again until the terminal closes.
    """
    seen, typed, ended, before = "", False, 0.0, len(stub.requests)
    until = time.monotonic() + 90
    while time.monotonic() < until:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        try:
            data = os.read(terminal, 65_536) if ready else None
            if data == b"":
                return seen
            if data and b"\x1b[6n" in data:
                os.write(terminal, b"\x1b[1;1R")
            seen += (data or b"").decode("utf-8", "replace")
            if not typed and "ws >" in seen:
                os.write(terminal, line.encode() + b"\r")
                typed = True
            answered = typed and len(stub.requests) > before and "stub-reply #2" in seen
            if answered and time.monotonic() - ended > 1:
                os.write(terminal, b"\x04")
                ended = time.monotonic()
        except OSError:
            return seen
    pytest.fail(f"the terminal did not come to an end; it showed: {seen[-1500:]}")
