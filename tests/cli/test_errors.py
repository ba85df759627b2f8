"""What goes wrong, and how a script or a person learns of it: exit codes, one line, one JSON object."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.started import Siltstone
from siltstone import errors
from siltstone.cli import app, exits
from siltstone.cli.app import run


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["search", "nothing"], 1),
        (["users"], 1),
        (["serch"], 2),
        (["search"], 2),
        (["search", "x", "--nonsense"], 2),
        (["search", "x", "-k", "many"], 2),
        (["search", "x", "-k", "0"], 2),
        (["search", "x", "--since", "someday"], 2),
        (["search", "x", "--meta", "no-equals-sign"], 2),
        (["search", " "], 2),
        (["add", "   "], 2),
        (["add", "x", "-u", " "], 2),
        (["add", "x", "--db", "nosuch://place"], 2),
        (["import", "missing-file"], 2),
        (["import", "missing-file", "--format", "lokomo"], 2),
        (["feedback", "some-id"], 2),
        (["forget"], 2),
        ([], 2),
        (["show", "no-such-id"], 3),
        (["history", "no-such-id"], 3),
        (["forget", "no-such-id"], 3),
        (["revive", "no-such-id"], 3),
        (["update", "no-such-id", "--text", "x"], 3),
        (["feedback", "no-such-id", "--useful"], 3),
        (["list", "--after", "no-such-id"], 3),
        (["list", "--db", "/proc/nowhere/memory.db"], 4),
        (["reindex"], 5),
        (["list"], 0),
        (["--version"], 0),
        (["--help"], 0),
    ],
)
def test_exit_codes(siltstone: Siltstone, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int) -> None:
    """Each kind of outcome has its exit code, and every failure one line on standard error that begins with our name."""
    assert run(arguments) == code
    err = capsys.readouterr().err
    if code > 1 and arguments:
        assert err.startswith("siltstone: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (["show", "no-such-id", "--json"], "NotFound", 3),
        (["--json", "show", "no-such-id"], "NotFound", 3),
        (["serch", "--json"], "UsageError", 2),
        (["add", " ", "--json"], "InvalidInput", 2),
        (["reindex", "--json"], "ModelUnavailable", 5),
        (["list", "--json", "--db", "/proc/nowhere/memory.db"], "StoreUnavailable", 4),
    ],
)
def test_errors_as_json(
    siltstone: Siltstone, capsys: pytest.CaptureFixture[str], arguments: list[str], kind: str, code: int
) -> None:
    """With --json an error is one JSON object on standard error, and standard output stays empty."""
    assert run(arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    error = json.loads(captured.err)["error"]
    assert (error["type"], error["code"]) == (kind, code)
    assert error["message"]


def test_every_error_of_the_tree_has_a_code() -> None:
    """No error of ours exits with 0 or 1: those are answers."""
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.SiltstoneError)
    ]
    made = [kind("a", "b") if kind is errors.MissingDependency else kind("a") for kind in kinds]
    assert {exits.code_for(error) for error in made} == {2, 3, 4, 5}


def test_a_misspelt_command_names_the_nearest(siltstone: Siltstone, capsys: pytest.CaptureFixture[str]) -> None:
    """The message helps with the spelling."""
    run(["serch"])
    assert "'search'" in capsys.readouterr().err


def test_a_defect_is_reported_as_one(
    siltstone: Siltstone, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody foresaw is one line with its own exit code; --verbose shows where it came from."""

    def broken(**given: object) -> None:
        raise ZeroDivisionError("boom")

    for command in app.registered_commands:
        if command.name == "users":
            monkeypatch.setattr(command, "callback", lambda: broken())
    assert run(["users"]) == exits.DEFECT
    err = capsys.readouterr().err
    assert "ZeroDivisionError" in err
    assert err.count("\n") == 1


def test_the_common_options_stand_before_or_after_the_command(siltstone: Siltstone) -> None:
    """--db, --user and --json mean the same in both places."""
    siltstone.run("--user", "ana", "add", "text")
    assert len(siltstone.run("list", "--user", "ana").out.splitlines()) == 1
    assert siltstone.run("--json", "-u", "ana", "list").json["user_id"] == "ana"
    assert siltstone.run("-u", "ben", "list", "-u", "ana", "--json").json["user_id"] == "ana"


def test_an_unknown_setting_is_an_error_with_the_nearest_name(
    siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt variable stops every command that opens the memory."""
    monkeypatch.setenv("SILTSTONE_RECAL_TOP_K", "3")
    outcome = siltstone.run("list")
    assert outcome.code == 2
    assert "SILTSTONE_RECALL_TOP_K" in outcome.err


def test_a_busy_store_is_a_store_error(siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that holds the store longer than the wait makes the command exit with 4."""
    siltstone.add("text")
    monkeypatch.setenv("SILTSTONE_STORE_BUSY_TIMEOUT", "0.1")
    other = sqlite3.connect(siltstone.store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    outcome = siltstone.run("add", "text")
    other.close()
    assert outcome.code == 4
    assert time.monotonic() - began < 5


def test_identity_in_metadata_is_dropped_with_one_warning(siltstone: Siltstone) -> None:
    """The scope comes from options alone; a warning is one line on standard error."""
    outcome = siltstone.process("add", "text", "--meta", "user_id=eve")
    assert outcome.code == 0
    assert outcome.err.startswith("siltstone: warning: ")
    assert outcome.err.count("\n") == 1


def test_completion_completes_commands(siltstone: Siltstone) -> None:
    """The shell's completion asks the command itself, which answers with the names that fit."""
    asked = {"_SILTSTONE_COMPLETE": "complete_bash", "COMP_WORDS": "siltstone se", "COMP_CWORD": "1"}
    assert siltstone.process(**asked).out.split() == ["search"]
    assert "--show-completion" in siltstone.process("--help").out


def test_help_is_quick_and_loads_nothing_heavy(siltstone: Siltstone) -> None:
    """`--help` imports neither numpy nor a store nor a model."""
    probe = "import sys, siltstone.cli; print([m for m in ('numpy', 'sqlite3', 'siltstone.memory', 'rich') if m in sys.modules])"
    assert _python(probe) == "[]"


def test_importing_the_command_changes_nothing(tmp_path: Path) -> None:
    """The application is made without reading settings or touching the disk."""
    assert _python("import siltstone.cli, os; print(os.listdir())", cwd=tmp_path) == "[]"


def _python(code: str, cwd: Path | None = None) -> str:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=cwd).stdout.strip()
