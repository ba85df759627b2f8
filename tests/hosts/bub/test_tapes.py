"""Reading tapes after a mark: nothing lost, nothing twice, whatever happened to the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.hosts.bub.tapes import Line, last_anchor, read_entries, read_file, tape_names


def _row(n: int, text: str = "") -> bytes:
    entry = {"id": n, "kind": "message", "payload": {"role": "user", "content": text or f"text {n}"}, "meta": {}}
    return json.dumps(entry | {"date": f"2026-01-01T00:00:{n:02}+00:00"}, ensure_ascii=False).encode() + b"\n"


def _texts(lines: tuple[Line, ...]) -> list[str]:
    return [line.payload["content"] for line in lines]


def test_reading_goes_on_at_the_mark(tmp_path: Path) -> None:
    """A second reading gives what was appended since, a third nothing."""
    tape = tmp_path / "t.jsonl"
    tape.write_bytes(_row(1) + _row(2))
    first = read_file(tape, None)
    tape.write_bytes(tape.read_bytes() + _row(3))
    second = read_file(tape, first.mark)
    third = read_file(tape, second.mark)
    assert [_texts(one.lines) for one in (first, second, third)] == [["text 1", "text 2"], ["text 3"], []]
    assert third.mark == second.mark and not third.restarted


def test_no_file_is_no_entry(tmp_path: Path) -> None:
    """A tape without a file has no entries and keeps the mark."""
    stretch = read_file(tmp_path / "none.jsonl", {"to": 7})
    assert stretch.lines == () and stretch.mark == {"to": 7}


def test_a_line_under_way_is_left_for_later(tmp_path: Path) -> None:
    """A last line without its end is read once it is whole."""
    tape = tmp_path / "t.jsonl"
    tape.write_bytes(_row(1) + _row(2)[:30])
    first = read_file(tape, None)
    tape.write_bytes(_row(1) + _row(2))
    assert _texts(first.lines) == ["text 1"] and _texts(read_file(tape, first.mark).lines) == ["text 2"]


def test_what_a_torn_line_swallowed_is_found(tmp_path: Path) -> None:
    """The entry behind a line that was cut off is read; the cut one is counted as damaged."""
    tape = tmp_path / "t.jsonl"
    tape.write_bytes(_row(1) + _row(2)[:40] + _row(3) + _row(4))
    stretch = read_file(tape, None)
    assert _texts(stretch.lines) == ["text 1", "text 3", "text 4"] and stretch.damaged == 1


def test_a_byte_of_another_encoding_costs_a_character(tmp_path: Path) -> None:
    """An entry with a broken character is read with a mark in its place."""
    tape = tmp_path / "t.jsonl"
    tape.write_bytes(_row(1).replace(b"text", b"te\xffxt") + _row(2))
    assert _texts(read_file(tape, None).lines) == ["te\ufffdxt 1", "text 2"]


@pytest.mark.parametrize(
    "after",
    [b"", _row(9) + _row(8), _row(1)[:-2] + b" }\n" + _row(2), _row(1, "another") + _row(2)],
    ids=["emptied", "replaced", "rewritten", "another first"],
)
def test_a_tape_that_began_anew_is_read_from_its_beginning(tmp_path: Path, after: bytes) -> None:
    """A mark that does not fit the file any more is not used."""
    tape = tmp_path / "t.jsonl"
    tape.write_bytes(_row(1) + _row(2))
    mark = read_file(tape, None).mark
    tape.write_bytes(after)
    stretch = read_file(tape, mark)
    assert stretch.restarted and len(stretch.lines) == after.count(b"\n")


@given(st.lists(st.binary(max_size=60), max_size=12))
def test_no_content_of_a_file_raises(tmp_path_factory: pytest.TempPathFactory, rows: list[bytes]) -> None:
    """Whatever bytes a tape holds, it can be read, and read again from its mark."""
    tape = tmp_path_factory.mktemp("tapes") / "t.jsonl"
    tape.write_bytes(b"\n".join(rows) + _row(1))
    stretch = read_file(tape, None)
    assert read_file(tape, stretch.mark).lines == ()


def test_equal_words_at_other_times_are_other_entries() -> None:
    """Ids of a tape repeat: the key tells entries apart by what they say, when, and in which run."""
    entries: list[dict[str, Any]] = [
        {"id": 1, "kind": "message", "payload": {"content": "yes"}, "meta": {"run_id": run}, "date": date}
        for run, date in (("a", "2026-01-01"), ("a", "2026-01-02"), ("b", "2026-01-01"))
    ]
    keys = [line.key for line in map(Line.of, [*entries, entries[0]]) if line is not None]
    assert len(set(keys)) == 3 and keys[0] == keys[3]


def test_a_host_without_files_is_read_by_count() -> None:
    """Entries of a store that keeps no files are read after the mark, from the beginning where it does not fit."""
    entries = [json.loads(_row(n)) for n in range(1, 5)]
    first = read_entries(entries[:2], None)
    assert _texts(read_entries(iter(entries), first.mark).lines) == ["text 3", "text 4"]
    anew = read_entries(entries[1:], first.mark)
    assert anew.restarted and len(anew.lines) == 3
    assert read_entries([], first.mark).lines == ()


def test_the_first_anchor_is_no_handoff() -> None:
    """The anchor that every tape begins with hands nothing off; a later one does."""
    start, phase = ({"kind": "anchor", "payload": {"name": name}} for name in ("session/start", "phase-1"))
    lines = [line for line in map(Line.of, (start, phase)) if line is not None]
    assert last_anchor(lines[:1]) is None
    found = last_anchor(lines)
    assert found is not None and found.payload["name"] == "phase-1"


def test_sidecars_and_archives_are_no_tapes(tmp_path: Path) -> None:
    """Only the tapes of the workspace count."""
    for name in ("w__a.jsonl", "w__b.jsonl", "w__a__sidecar__spill.jsonl", "w__a.jsonl.2026.bak", "v__c.jsonl"):
        (tmp_path / name).touch()
    assert list(tape_names(tmp_path, "w")) == ["w__a", "w__b"]
