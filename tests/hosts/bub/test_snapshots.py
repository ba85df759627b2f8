"""Snapshots: written in the documented form, read in any that was ever written."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from siltstone.hosts.bub import Entity, Relation, SemanticSnapshot, SemanticStore

ANA, BO = Entity(type="person", name="Ana"), Entity(type="person", name="Bo Li", metadata={"role": "pilot"})
SNAPSHOT = SemanticSnapshot(
    entities=(ANA, BO), relations=(Relation(from_id=ANA.id, to_id=BO.id, type="knows"),), tape_id="t", anchor_id="a"
)


def test_a_snapshot_comes_back_as_it_was(tmp_path: Path) -> None:
    """What was written is read, in the order of writing, plainly and awaited."""
    store = SemanticStore(tmp_path / "made" / "later")
    assert store.read("t") == [] and not store.root.exists()
    store.write("t", SNAPSHOT)
    asyncio.run(store.append("t", SemanticSnapshot(entities=(BO,), tape_id="t")))
    found = asyncio.run(store.load("t"))
    assert found[0] == SNAPSHOT and [one.id for one in found[1].entities] == ["person:bo_li"]
    assert store.count("t") == 2


def test_a_line_has_the_documented_keys(tmp_path: Path) -> None:
    """Each line is one JSON object with the documented keys and ends."""
    store = SemanticStore(tmp_path)
    store.write("t", SNAPSHOT)
    line = json.loads(store.path("t").read_text())
    assert set(line) == {"entities", "relations", "tape_id", "anchor_id", "created_at"}
    assert line["relations"] == [{"from": "person:ana", "to": "person:bo_li", "type": "knows", "metadata": {}}]


def test_torn_lines_bad_bytes_and_other_forms_are_read(tmp_path: Path) -> None:
    """A damaged line costs itself; the one written behind it, and the form with other keys, are read."""
    store = SemanticStore(tmp_path)
    other = {
        "entities": [{"id": "u1", "name": "Cy", "type": "person"}],
        "relations": [{"from_id": "u1", "to_id": "u1"}],
    }
    whole = json.dumps(SNAPSHOT.as_dict()).encode()
    store.path("t").write_bytes(
        whole[:50] + whole + b"\n\xff\xfe\n[1]\nnull\n" + json.dumps(other).encode() + b"\n" + whole[:40]
    )
    found = store.read("t")
    assert [len(one.entities) for one in found] == [2, 1]
    assert found[1].relations == (Relation(from_id="u1", to_id="u1", type="related_to"),)
    store.write("t", SNAPSHOT)
    assert len(store.read("t")) == 3, "a torn last line does not swallow what is written next"


@pytest.mark.parametrize("tape", ["../../x", "/etc/passwd", "a/b", "", ".hidden", "x" * 300, "a\0b"])
def test_a_tape_name_leads_nowhere(tmp_path: Path, tape: str) -> None:
    """A name that could lead out of the folder is replaced; it is written and read all the same."""
    store = SemanticStore(tmp_path / "in")
    store.write(tape, SNAPSHOT)
    assert [path.parent for path in tmp_path.rglob("*.jsonl")] == [tmp_path / "in"]
    assert store.read(tape) == [SNAPSHOT]


@pytest.mark.parametrize(
    "value", [None, [], {"x": 1}, {"entities": 7, "relations": None}, {"entities": [{}, 3, {"name": ""}]}]
)
def test_what_is_no_snapshot_is_none_or_empty(value: object) -> None:
    """Values of other shapes give no snapshot, or one without items, and never an error."""
    assert not SemanticSnapshot.of(value)


def test_the_home_of_bub_is_the_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a folder, snapshots lie under BUB_HOME."""
    monkeypatch.setenv("BUB_HOME", str(tmp_path))
    assert SemanticStore().root == tmp_path / "tapes" / "semantic"
