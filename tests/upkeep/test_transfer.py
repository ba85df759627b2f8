"""Export and import of a whole memory: the round trip, importing again, imports cut short."""

from __future__ import annotations

import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from siltstone import Memory
from siltstone.errors import FormatError, InvalidInput
from siltstone.upkeep import transfer

HALF_IMPORT = """
import sys
from siltstone import Memory
with Memory.open(sys.argv[1], embedding__provider="none") as memory:
    memory.import_(sys.argv[2], user_id="ana", progress=lambda done, total: print("batch", flush=True))
"""


@pytest.fixture(params=["memory", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "memory://" if request.param == "memory" else f"sqlite://{tmp_path / 'memory.db'}"
    with Memory.open(url, embedding__provider="none") as opened:
        yield opened


@pytest.fixture
def lived_in(memory: Memory) -> Memory:
    """A memory of Ana in which everything has happened."""
    first = memory.add("Prefers TypeScript with Vite 🎉", user_id="ana", tags=["tools"], metadata={"n": 1})
    second = memory.add({"role": "user", "content": "我住在运河边"}, user_id="ana", session_id="s1", speaker="Ana")
    third = memory.add("A secret", user_id="ana")
    fourth = memory.add("A mistake", user_id="ana")
    memory.update(first.id, user_id="ana", text="Prefers TypeScript with Vite and Vitest")
    memory.feedback(second.id, user_id="ana", useful=True, turn="t1")
    memory.forget(fourth.id, user_id="ana")
    memory.forget(third.id, user_id="ana", purge=True)
    return memory


def lines_of(count: int, start: int = 0) -> str:
    """So many messages as JSON Lines."""
    return "".join(f'{{"role": "user", "content": "message {n}"}}\n' for n in range(start, start + count))


def test_an_export_imported_for_a_new_user_gives_the_same_fingerprint(lived_in: Memory, tmp_path: Path) -> None:
    """Export and import are inverse: an empty user gets the same fingerprint."""
    lived_in.export(user_id="ana", to=tmp_path / "ana.jsonl")
    receipt = lived_in.import_(tmp_path / "ana.jsonl", user_id="ben")
    assert (receipt.format, receipt.added, receipt.problems) == ("export", 8, ())
    assert lived_in.fingerprint(user_id="ben") == lived_in.fingerprint(user_id="ana")


def test_an_export_with_vectors_gives_the_same_fingerprint_in_the_other_store(tmp_path: Path) -> None:
    """Vectors travel with the journal, from one kind of store to another."""
    with Memory.open("memory://", embedding__provider="static") as source:
        source.add(["Prefers TypeScript", "Lives by the canal"], user_id="ana")
        source.export(user_id="ana", to=tmp_path / "ana.jsonl")
        before = source.fingerprint(user_id="ana")
        assert sum(source.stats(user_id="ana").vectors.values()) == 2
    with Memory.open(f"sqlite://{tmp_path / 'm.db'}", embedding__provider="none") as target:
        target.import_(tmp_path / "ana.jsonl", user_id="ana")
        assert target.fingerprint(user_id="ana") == before
        assert target.replay(user_id="ana").same


def test_equal_state_gives_equal_bytes(lived_in: Memory) -> None:
    """Two exports of the same state, and the export of what was imported, differ in the user's name alone."""
    first = "".join(lived_in.export(user_id="ana"))  # type: ignore[arg-type]
    assert first == "".join(lived_in.export(user_id="ana"))  # type: ignore[arg-type]
    lived_in.import_(io.StringIO(first), user_id="ben")
    again = "".join(lived_in.export(user_id="ben"))  # type: ignore[arg-type]
    assert again == first.replace('"user_id":"ana"', '"user_id":"ben"')


def test_an_export_imported_again_adds_nothing(lived_in: Memory, tmp_path: Path) -> None:
    """An event that the journal has is never appended again, neither for its own user nor for a copy."""
    lived_in.export(user_id="ana", to=tmp_path / "ana.jsonl")
    for user_id in ("ana", "ben"):
        lived_in.import_(tmp_path / "ana.jsonl", user_id=user_id)
        before = lived_in.fingerprint(user_id=user_id)
        receipt = lived_in.import_(tmp_path / "ana.jsonl", user_id=user_id)
        assert (receipt.added, receipt.skipped_existing) == (0, 8)
        assert lived_in.fingerprint(user_id=user_id) == before


def test_an_export_does_not_hold_what_was_purged(lived_in: Memory) -> None:
    """The text of a purged memory is in no line of an export."""
    assert "A secret" not in "".join(lived_in.export(user_id="ana"))  # type: ignore[arg-type]


def test_a_cut_export_is_reported(lived_in: Memory) -> None:
    """An export that ends early says so: a torn last line and the missing events are problems."""
    whole = "".join(lived_in.export(user_id="ana"))  # type: ignore[arg-type]
    receipt = lived_in.import_(io.StringIO(whole[: len(whole) * 2 // 3]), user_id="ben")
    assert 0 < receipt.added < 8
    assert any("torn" in problem for problem in receipt.problems)
    assert any("of 8 events" in problem for problem in receipt.problems)


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "entry_added", "seq": 1, "id": "x", "version": 1, "at": "2026-01-01T00:00:00Z", "payload": {}}',
        '{"event": "entry_added", "seq": 0, "id": "x", "version": 1, "at": "2026-01-01T00:00:00Z", "payload": {}}',
        '{"event": "entries_purged", "seq": 1, "id": "x", "version": 1, "at": "2026-01-01T00:00:00Z", "payload": {}}',
        '{"event": "entry_added", "seq": 1, "id": "x", "version": 1, "at": "yesterday", "payload": {}}',
        '{"vector": "m", "key": "k", "seq": 1, "data": "AAA"}',
        '{"vector": "m", "key": "k", "seq": 1, "data": "AAAA"}',
        "[1, 2]",
        "nonsense",
    ],
)
def test_a_damaged_line_of_an_export_is_reported_and_skipped(memory: Memory, line: str) -> None:
    """One line that is no event and no vector does not stop the rest."""
    memory.add("kept", user_id="ana")
    heading, event = list(memory.export(user_id="ana"))  # type: ignore[arg-type]
    receipt = memory.import_(io.StringIO(f"{heading}{line}\n{event}"), user_id="ben", format="export")
    assert [entry.text for entry in memory.list(user_id="ben")] == ["kept"]
    assert [problem.partition(":")[0] for problem in receipt.problems] == ["line 2"]


def test_an_export_of_a_newer_form_is_refused(memory: Memory) -> None:
    """What a newer Siltstone wrote is not guessed at."""
    with pytest.raises(FormatError, match="form 2"):
        memory.import_(io.StringIO('{"siltstone": 2, "user_id": "ana"}\n'), user_id="ana")


def test_an_export_replaces_a_file_whole_and_for_its_owner_alone(lived_in: Memory, tmp_path: Path) -> None:
    """The file has mode 0600, and no temporary file stays."""
    target = tmp_path / "out.jsonl"
    target.write_text("old")
    target.chmod(0o644)
    count = lived_in.export(user_id="ana", to=target)
    assert count == len(target.read_text("utf-8").splitlines()) == 9
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == ["out.jsonl"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    """A failing export leaves old content, never half of the new, and no temporary file."""

    def failing() -> Iterator[str]:
        yield "new\n"
        raise RuntimeError("stop")

    target = tmp_path / "out.jsonl"
    target.write_text("old")
    with pytest.raises(RuntimeError):
        transfer.write_lines(failing(), target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_export_to_a_missing_folder_names_it(memory: Memory, tmp_path: Path) -> None:
    """The error says which path cannot be written."""
    with pytest.raises(FormatError, match="nowhere"):
        memory.export(user_id="ana", to=tmp_path / "nowhere" / "out.jsonl")


def test_an_import_repeated_adds_nothing(memory: Memory) -> None:
    """Importing the same messages again changes no fingerprint."""
    first = memory.import_(io.StringIO(lines_of(600)), user_id="ana")
    before = memory.fingerprint(user_id="ana")
    second = memory.import_(io.StringIO(lines_of(600)), user_id="ana")
    assert (first.added, first.skipped_existing) == (600, 0)
    assert (second.added, second.skipped_existing) == (0, 600)
    assert memory.fingerprint(user_id="ana") == before


@pytest.mark.parametrize(("had", "has"), [(10, 11), (300, 301), (256, 700), (100, 600)])
def test_a_source_that_grew_adds_only_what_is_new(memory: Memory, had: int, has: int) -> None:
    """The messages at the end of a grown file are added once; those before stay as they are, every time."""
    memory.import_(io.StringIO(lines_of(had)), user_id="ana")
    receipt = memory.import_(io.StringIO(lines_of(has)), user_id="ana")
    again = memory.import_(io.StringIO(lines_of(has)), user_id="ana")
    assert (receipt.added, receipt.skipped_existing) == (has - had, had)
    assert (again.added, again.skipped_existing) == (0, has)
    assert [entry.text for entry in memory.list(user_id="ana", limit=1000)] == [f"message {n}" for n in range(has)]


def test_equal_messages_in_one_source_are_all_kept(memory: Memory) -> None:
    """Saying the same twice is two memories."""
    source = '{"role": "user", "content": "yes"}\n' * 3
    assert memory.import_(io.StringIO(source), user_id="ana").added == 3


def test_more_than_five_hundred_paragraphs_are_all_imported(memory: Memory) -> None:
    """No silent limit on how much a file may hold."""
    text = "\n\n".join(f"Paragraph {n}." for n in range(1200))
    assert memory.import_(io.StringIO(text), user_id="ana").added == 1200
    assert memory.stats(user_id="ana").records["entry"] == 1200


def test_one_paragraph_of_a_megabyte_loses_nothing(memory: Memory) -> None:
    """A text without a break is cut, and its parts joined are the text."""
    text = "ab" * 500_000
    memory.import_(io.StringIO(text), user_id="ana")
    entries = memory.list(user_id="ana", limit=1000)
    assert len(entries) > 1
    assert "".join(entry.text for entry in entries) == text


def test_a_message_with_null_content_is_reported_and_skipped(memory: Memory) -> None:
    """The rest of the file is imported, and the report names the line."""
    source = (
        '{"role": "user", "content": "one"}\n{"role": "user", "content": null}\n{"role": "user", "content": "two"}\n'
    )
    receipt = memory.import_(io.StringIO(source), user_id="ana")
    assert receipt.added == 2
    assert receipt.problems == ("line 2: its content is null",)


@pytest.mark.parametrize(
    "bad",
    [
        '{"role": "user", "content": 5}',
        '{"role": "user", "content": "x", "occurred_at": "yesterday"}',
        '{"role": "user", "content": "x", "tags": "no list"}',
        '{"role": "user", "content": "x", "metadata": [1]}',
        '{"role": "user", "content": "x", "session_id": 7}',
        '{"role": "user", "content": "x", "valid_from": "2026-01-02", "invalid_at": "2026-01-01"}',
        '{"role": "user", "content": "   "}',
        '{"something": "else"}',
        '{"role": "user", "content": "torn',
        "17",
    ],
)
def test_one_bad_message_never_stops_the_others(memory: Memory, bad: str) -> None:
    """Whatever is wrong with one line, its neighbours in the same batch are kept, now and when imported again."""
    source = f'{{"role": "user", "content": "one"}}\n{bad}\n{{"role": "user", "content": "two"}}\n'
    receipt = memory.import_(io.StringIO(source), user_id="ana")
    again = memory.import_(io.StringIO(source), user_id="ana")
    assert [entry.text for entry in memory.list(user_id="ana")] == ["one", "two"]
    assert [problem.partition(":")[0] for problem in receipt.problems] == ["line 2"]
    assert (again.added, again.problems) == (0, receipt.problems)


def test_progress_reaches_the_size_of_the_file(memory: Memory, tmp_path: Path) -> None:
    """Progress counts bytes, never falls, and ends at the file's size."""
    source = tmp_path / "messages.jsonl"
    source.write_text(lines_of(600))
    seen: list[tuple[int, int]] = []
    memory.import_(source, user_id="ana", progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert len(seen) == 3
    assert seen[-1] == (source.stat().st_size, source.stat().st_size)


@pytest.mark.parametrize("name", ["missing.txt", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_named(memory: Memory, tmp_path: Path, name: str) -> None:
    """A missing file, a folder and an impossible name are errors of their own."""
    with pytest.raises(FormatError, match="cannot be read"):
        memory.import_(str(tmp_path / name), user_id="ana")


def test_an_unknown_format_names_the_nearest(memory: Memory) -> None:
    """The error helps with the spelling."""
    with pytest.raises(InvalidInput, match="'locomo'"):
        memory.import_(io.StringIO("x"), user_id="ana", format="lokomo")


def test_an_import_killed_half_way_is_completed_by_the_next(tmp_path: Path) -> None:
    """kill -9 in the middle of an import: the next one adds what is missing, and nothing twice."""
    source, url = tmp_path / "messages.jsonl", f"sqlite://{tmp_path / 'memory.db'}"
    source.write_text(lines_of(5000))
    child = subprocess.Popen(
        [sys.executable, "-c", HALF_IMPORT, url, str(source)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdout is not None
    for _ in range(3):
        assert child.stdout.readline() == b"batch\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    began = time.monotonic()
    with Memory.open(url, embedding__provider="none") as memory:
        assert time.monotonic() - began < 5
        kept = memory.stats(user_id="ana").records["entry"]
        assert 3 * transfer.BATCH <= kept < 5000
        receipt = memory.import_(source, user_id="ana")
        assert (receipt.added, receipt.skipped_existing) == (5000 - kept, kept)
        texts = [entry.text for entry in memory.list(user_id="ana", limit=10_000)]
        assert texts == [f"message {n}" for n in range(5000)]


def test_lone_surrogates_survive_an_export(memory: Memory) -> None:
    """Text that UTF-8 has no form for is escaped in an export, so that it can be written."""
    line = transfer.export.heading("a\ud800b", 0)
    assert json.loads(line.encode())["user_id"] == "a\ud800b"
