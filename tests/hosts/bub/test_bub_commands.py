"""The commands of `docs/bub.md`, run on a real Bub, and what they answer."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from hosts.bub.conftest import ROOT, Bub, nothing_read, reads
from hosts.bub.test_turns_in_bub import ALICE

PAGE = (ROOT / "docs" / "bub.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^\$ bub (.+)$", PAGE, re.MULTILINE)
TYPED = re.findall(r"`(,[a-z.]+(?: [^`]+)?)`", PAGE)


@pytest.fixture
def told(bub: Bub) -> Bub:
    """A Bub that was told something and is not running."""
    bub.stub.rules = [reads(ALICE, times=1), nothing_read()]
    bub.open()
    bub.say("Alice created a task to deploy v1.0")
    bub.close()
    return bub


def test_every_command_of_the_page_works(told: Bub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the page shows can be typed in its order."""
    assert len(SHOWN) >= 8
    for line in SHOWN:
        code, output = told.command(
            *[word.replace("memory.jsonl", str(tmp_path / "m.jsonl")) for word in shlex.split(line)]
        )
        assert code == 0, f"bub {line}: {output}"


def test_every_typed_command_of_the_page_works(bub: Bub) -> None:
    """What the page has people type in a chat is a tool, and no shell command."""
    bub.stub.rules = [reads(ALICE, times=1), nothing_read()]
    bub.open()
    bub.say("Alice created a task to deploy v1.0")
    before = len(bub.asked)
    assert len(TYPED) >= 5
    for line in TYPED:
        reply = bub.say(line.replace("archive=true", ""))["reply"]
        assert reply and "command not found" not in reply
    assert "2 memories" not in bub.say(",memory.search alice limit=1")["reply"]
    assert len(bub.asked) == before


def test_show_search_and_status_tell_what_is_there(told: Bub) -> None:
    """Memories, entities and relations are shown as quoted lines with their ids."""
    assert '"Alice created a task to deploy v1.0"' in told.command("memory", "show")[1]
    assert '- relation "person:alice" --created--> "task:deploy_v1"' in told.command("memory", "show")[1]
    assert '- entity "person:alice": "Alice"' in told.command("memory", "search", "alice")[1]
    status = told.command("memory", "status")[1]
    assert "memories: 2" in status and "semantic_entities: 2" in status and str(told.workspace.resolve()) in status


def test_an_export_holds_everything_and_is_json(told: Bub, tmp_path: Path) -> None:
    """Standard output and a file get the same lines."""
    lines = told.command("memory", "export")[1].splitlines()
    assert any("Alice created a task" in json.dumps(json.loads(line)) for line in lines)
    told.command("memory", "export", str(tmp_path / "m.jsonl"))
    assert (tmp_path / "m.jsonl").read_text().splitlines() == lines


def test_forgetting_and_rebuilding(told: Bub) -> None:
    """A forgotten memory stays forgotten when the tapes are read again; a lost store comes back."""
    shown = told.command("memory", "show")[1]
    line = next(line for line in shown.splitlines() if "Alice created" in line)
    memory_id = line.rpartition("(")[2].rstrip(")")
    assert told.command("memory", "forget", memory_id)[0] == 0
    assert "0 texts were missing" in told.command("memory", "rebuild")[1]
    assert "Alice created" not in told.command("memory", "show")[1]
    for path in (told.home / "memory").iterdir():
        path.unlink()
    assert "2 texts were missing" in told.command("memory", "rebuild")[1]
    assert "Alice created" in told.command("memory", "show")[1]
    assert told.readings[1:] == [], "a rebuild asks no model"


def test_wrong_use_is_one_line(told: Bub) -> None:
    """An unknown id, nothing to forget and too much at once are errors that say what to do."""
    code, output = told.command("memory", "forget", "nobody")
    assert code == 1 and "memory.search" in output and "Traceback" not in output
    assert told.command("memory", "forget")[0] == 2
    assert told.command("memory", "forget", "x", "--all")[0] == 2
    assert told.command("memory", "import", "no-such-file")[0] == 1


def test_an_empty_memory_says_so(bub: Bub) -> None:
    """Before anything was said, every command has an answer and makes no file."""
    for arguments in (["show"], ["search", "x"], ["status"], ["export"], ["forget", "--all"]):
        code, output = bub.command("memory", *arguments)
        assert code == 0 and "Traceback" not in output
    assert not (bub.home / "memory").exists()
