"""Whatever goes wrong with memory, the reply of a real Bub arrives, and the log says what happened once."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from hosts.bub.conftest import Bub, reads

ANA = {"entities": [{"id": "ana", "type": "person", "name": "Ana"}], "relations": []}
LONG = {
    "entities": [{"id": f"p{n}", "type": "person", "name": f"Person Number{n}"} for n in range(40)],
    "relations": [],
}


@pytest.mark.parametrize(
    "rule",
    [
        {"status": 500},
        {"status": 0},
        {"reply": "I am sorry, I cannot do that."},
        {"reply": '{"facts": []}'},
        {"reply": '{"entities": [{"name": '},
        {"reply": "[1, 2, null]"},
    ],
    ids=["fails", "hangs up", "prose", "other object", "broken", "list"],
)
def test_a_model_that_fails_costs_no_reply(bub: Bub, rule: dict[str, Any]) -> None:
    """The turn is answered and kept whatever the reading meets; it is said once, and read once the model is well."""
    bub.stub.rules = [reads(ANA, **rule) if "status" in rule else {**reads(ANA), **rule}]
    bub.open(BUB_CLIENT_ARGS='{"max_retries": 0}')
    assert bub.say("Ana flies gliders")["reply"] == "stub-reply #1"
    assert bub.say("She started in May")["reply"] == "stub-reply #2"
    assert len(bub.log) == 1 and "reading by the model failed" in bub.log[0]
    bub.stub.rules = [reads(ANA)]
    bub.say("Good night")
    assert bub.python("answer = [e.id for e in plugin.engine.memory().graph.nodes(user_id=plugin.user)]") == [
        "person:ana"
    ]


@pytest.mark.parametrize("shape", ["fenced", "prose", "think"])
def test_a_wrapped_answer_is_read(bub: Bub, shape: str) -> None:
    """Fences, prose and thoughts around the answer cost nothing, not even a second question."""
    bub.stub.rules = [reads(ANA, shape=shape)]
    bub.open()
    bub.say("Ana flies gliders")
    bub.say("Who is Ana?", session="other")
    assert "- person:ana" in bub.blocks()[-1]
    assert len(bub.readings) == 2 and bub.log == []


def test_a_cut_answer_keeps_its_whole_items(bub: Bub) -> None:
    """What came before the cut is kept, after one more attempt with more room."""
    bub.stub.rules = [reads(LONG, cut=400)]
    bub.open()
    bub.say("Person Number0 flies gliders")
    bub.say("Who is Person Number0?", session="other")
    assert "number0" in bub.blocks()[-1].lower()
    assert bub.log == []


def test_a_slow_model_delays_no_turn(bub: Bub) -> None:
    """With a reading that takes its time, turns and the next block do not wait for it."""
    bub.stub.rules = [reads(ANA, delay=30)]
    bub.open()
    bub.say("Ana flies gliders", settle=False)
    began = time.perf_counter()
    for n in range(3):
        assert bub.say(f"Where does Ana fly, part {n}?", session=f"s{n}", settle=False)["reply"]
    assert time.perf_counter() - began < 20
    assert "Ana flies gliders" in bub.blocks()[-1]


def test_a_process_ends_in_time(bub: Bub) -> None:
    """The end waits for a slow reading as long as is configured and no longer; the next start takes it up."""
    bub.stub.rules = [reads(ANA, delay=40)]
    bub.open(BUB_MEMORY_DRAIN_SECONDS="0.3")
    bub.say("Ana flies gliders", settle=False)
    assert bub.close() < 20
    bub.stub.rules = [reads(ANA)]
    bub.open()
    bub.say("Good night")
    assert sum("Ana flies gliders" in str(body["messages"][-1]) for body in bub.readings) in (1, 2)
    assert bub.python("answer = [e.id for e in plugin.engine.memory().graph.nodes(user_id=plugin.user)]") == [
        "person:ana"
    ]


def test_a_model_that_takes_too_long_is_given_up(bub: Bub) -> None:
    """A reading past its time limit is broken off, said once, and waits for the next turn."""
    bub.stub.rules = [reads(ANA, delay=10)]
    bub.open(BUB_MEMORY_MODEL_SECONDS="0.2")
    assert bub.say("Ana flies gliders")["reply"] == "stub-reply #1"
    assert len(bub.log) == 1 and "within 0.2 s" in bub.log[0]


def _as_file(home: Path) -> None:
    (home / "memory").write_text("in the way")


def _as_garbage(home: Path) -> None:
    (home / "memory").mkdir()
    (home / "memory" / "memory.db").write_bytes(b"this is no database " * 500)


def _as_full_disk(home: Path) -> None:
    (home / "memory").mkdir()
    (home / "memory" / "memory.db").symlink_to("/dev/full")


@pytest.mark.parametrize("break_it", [_as_file, _as_garbage, _as_full_disk])
def test_a_store_that_fails_costs_no_reply(bub: Bub, break_it: Any) -> None:
    """Where nothing can be kept, replies arrive all the same, the log says why once, and the tape keeps everything."""
    bub.home.mkdir()
    break_it(bub.home)
    bub.open()
    assert [bub.say(f"Ana flies gliders, {n}")["reply"] for n in range(3)] == [f"stub-reply #{n}" for n in (1, 2, 3)]
    assert len(bub.log) == 1 and "memory: " in bub.log[0]
    bub.close()
    for path in [*(bub.home / "memory").glob("*"), bub.home / "memory"]:
        path.rmdir() if path.is_dir() else path.unlink()
    bub.open()
    bub.say("What does Ana fly?", session="other")
    bub.say("Good night")
    kept = bub.python("answer = [e.text for e in plugin.engine.memory().list(user_id=plugin.user, limit=100)]")
    assert [text for text in kept if text.startswith("Ana")] == [f"Ana flies gliders, {n}" for n in range(3)]


def test_a_home_that_cannot_be_written_costs_no_reply(bub: Bub) -> None:
    """A folder for snapshots that is in the way is said once; what was read is in memory all the same."""
    (bub.home / "tapes").mkdir(parents=True)
    (bub.home / "tapes" / "semantic").write_text("in the way")
    bub.stub.rules = [reads(ANA)]
    bub.open()
    bub.say("Ana flies gliders")
    bub.say("Ana flies at dawn")
    assert len(bub.log) == 1 and "snapshot failed" in bub.log[0]
    bub.say("Who is Ana?", session="other")
    assert "- person:ana" in bub.blocks()[-1]
    (bub.home / "tapes" / "semantic").unlink()
    bub.say("Ana lands")
    assert len(bub.snapshots()) == 2, "what could not be written is written when it can be"


def test_without_extraction_no_model_is_asked(bub: Bub) -> None:
    """With the extraction off, texts are kept and found, and nobody is asked for anything."""
    bub.open(BUB_MEMORY_EXTRACTION="off")
    bub.say("The release codeword is heliotrope")
    bub.say("What is the release codeword?", session="other")
    assert "heliotrope" in bub.blocks()[-1]
    assert bub.readings == []


def test_switched_off_it_does_nothing(bub: Bub) -> None:
    """A plugin that is switched off keeps nothing, shows nothing and makes no file."""
    bub.open(BUB_MEMORY_ENABLED="false")
    bub.say("The release codeword is heliotrope")
    bub.say("What is the release codeword?", session="other")
    assert bub.blocks() == ["", ""]
    assert [path.name for path in bub.home.iterdir()] == ["tapes"]


def test_settings_that_cannot_be_used_cost_no_reply(bub: Bub) -> None:
    """A setting with a wrong value is said, and Bub works on without memory."""
    bub.open(BUB_MEMORY_TOKENS="many")
    for n in (1, 2):
        assert bub.say("Hello", settle=False)["reply"] == f"stub-reply #{n}"
    assert len(bub.log) == 1 and "tokens" in bub.log[0]


def test_an_extractor_and_a_formatter_are_named_by_settings(bub: Bub, tmp_path: Path) -> None:
    """Objects of one's own read in the model's place and make the block's text."""
    code = (
        "class Parts:\n    name = 'parts/1'\n    def read(self, texts, known):\n"
        "        return [{'entities': [{'type': 'part', 'name': 'AX'}] if 'AX' in text.text else []} for text in texts]\n"
        "def terse(contents, tokens):\n    return 'KNOWN: ' + ', '.join(thing.name for thing in contents.things)\n"
    )
    (tmp_path / "own_parts.py").write_text(code)
    bub.open(BUB_MEMORY_EXTRACTOR="own_parts:Parts", BUB_MEMORY_FORMATTER="own_parts:terse")
    bub.python(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")
    bub.say("The AX is ready")
    bub.say("What about the AX?", session="other")
    assert str(bub.asked[-1]["messages"][-1]["content"]).startswith("KNOWN: ax")
    assert bub.readings == [] and bub.log == []


def test_what_a_setting_names_wrongly_is_said(bub: Bub) -> None:
    """A formatter that is not there is said once, and the turns go on without a block."""
    bub.open(BUB_MEMORY_FORMATTER="no_such_module:terse")
    assert [bub.say(f"Hello {n}")["reply"] for n in (1, 2)] == ["stub-reply #1", "stub-reply #2"]
    assert len(bub.log) == 1 and "no_such_module" in bub.log[0]


def test_a_channel_that_answers_through_tools_is_learnt_from(bub: Bub) -> None:
    """Telegram's turns count although their reply is no text; each message of a batch is its sender's."""
    bub.open()
    batch = "\n".join(
        json.dumps({"message": text, "full_name": name}) for text, name in (("I fix the dam", "Ana"), ("Me too", "Bo"))
    )
    bub.say(batch, session="telegram:7", channel="telegram", chat_id="7", context={})
    bub.say("Who fixes the dam?", session="other")
    assert 'Ana: "I fix the dam"' in bub.blocks()[-1]
