"""Terminals, pipes, encodings and signals, on real processes."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from cli.started import Siltstone, command, env
from siltstone import Memory

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]m")


def terminal(process: list[str], env: dict[str, str], answer: bytes = b"") -> tuple[int, str]:
    """Exit code and output of a process whose three streams are a terminal of 100 columns."""
    main, side = pty.openpty()
    child = subprocess.Popen(
        process, stdin=side, stdout=side, stderr=side, env={**env, "COLUMNS": "100"}, close_fds=True
    )
    os.close(side)
    if answer:
        os.write(main, answer)
    output = bytearray()
    while select.select([main], [], [], 60)[0]:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.close(main)
    return child.wait(60), output.decode("utf-8", "replace")


@pytest.fixture
def on_terminal(siltstone: Siltstone) -> Any:
    """Runs the command on a terminal; `answer` is typed into it."""

    def run(*arguments: str, answer: bytes = b"", **changes: str) -> tuple[int, str]:
        return terminal(command(arguments), env({"TERM": "xterm-256color", **changes}), answer)

    return run


def test_a_terminal_gets_a_table_with_headings_and_colour(siltstone: Siltstone, on_terminal: Any) -> None:
    """People see headings and colour."""
    siltstone.add("green tea 🎉 绿茶", "--speaker", "Ana")
    code, out = on_terminal("search", "tea")
    assert code == 0
    assert COLOUR.search(out)
    assert "score" in ANSI.sub("", out)
    assert "green tea 🎉 绿茶" in ANSI.sub("", out)


def test_no_color_is_honoured(siltstone: Siltstone, on_terminal: Any) -> None:
    """With NO_COLOR there is none, neither in results nor in help."""
    siltstone.add("green tea")
    for arguments in (["search", "tea"], ["--help"]):
        assert not COLOUR.search(on_terminal(*arguments, NO_COLOR="1")[1])


def test_a_pipe_gets_neither_colour_nor_boxes(siltstone: Siltstone) -> None:
    """Tables, reports and help in a pipe have no escape sequence and no frame."""
    siltstone.add("green tea")
    for arguments in (
        ["search", "tea"],
        ["doctor"],
        ["demo"],
        ["list", "--help"],
    ):
        done = siltstone.process(*arguments, FORCE_COLOR="1", TERM="xterm-256color")
        assert not re.search("[\x1b\u2500-\u257f]", done.out + done.err), arguments


def test_json_on_a_terminal_is_still_one_document(siltstone: Siltstone, on_terminal: Any) -> None:
    """No progress bar and no colour come between."""
    siltstone.add("green tea")
    assert json.loads(on_terminal("replay", "--json")[1])["same"] is True


def test_text_cannot_steer_the_terminal(siltstone: Siltstone, on_terminal: Any) -> None:
    """Escape sequences and markup in a memory are shown, not obeyed."""
    siltstone.add("tea \x1b]0;title\x07 \x9b2J [red]markup[/red] \u202etrojan")
    out = on_terminal("search", "tea", NO_COLOR="1")[1]
    assert "\x1b]" not in out
    assert "\x9b" not in out
    assert "\u202e" not in out
    assert "[red]markup[/red]" in ANSI.sub("", out)


@pytest.mark.parametrize(("answer", "left", "code"), [(b"y\n", 0, 0), (b"n\n", 1, 2)])
def test_a_terminal_is_asked_before_everything_is_forgotten(
    siltstone: Siltstone, on_terminal: Any, answer: bytes, left: int, code: int
) -> None:
    """Only a yes acts."""
    siltstone.add("text")
    assert on_terminal("forget", "--all", answer=answer)[0] == code
    assert len(siltstone.run("list", "--json").json["entries"]) == left


def test_an_import_on_a_terminal_shows_a_bar(on_terminal: Any, tmp_path: Path) -> None:
    """Long work shows how far it is."""
    source = tmp_path / "messages.jsonl"
    source.write_text("".join(f'{{"role": "user", "content": "message {n}"}}\n' for n in range(600)))
    assert "importing" in on_terminal("import", str(source))[1]


def test_an_emoji_in_a_narrow_encoding_is_replaced(siltstone: Siltstone) -> None:
    """With standard output in cp1252, text is printed with replacements, never with an error; JSON loses nothing."""
    siltstone.add("party 🎉 café")
    plain = siltstone.process("search", "party", PYTHONIOENCODING="cp1252")
    document = siltstone.process("search", "party", "--json", PYTHONIOENCODING="cp1252")
    assert (plain.code, document.code) == (0, 0)
    assert "party ? café" in plain.out
    assert document.json["hits"][0]["text"] == "party 🎉 café"


def test_the_demo_runs_in_ascii(siltstone: Siltstone) -> None:
    """Even Chinese answers do not stop a terminal that knows only ASCII."""
    assert siltstone.process("demo", PYTHONIOENCODING="ascii").code == 0


def test_a_reader_that_leaves_is_no_error(siltstone: Siltstone, tmp_path: Path) -> None:
    """`siltstone list | head -1` ends without a message."""
    source = tmp_path / "messages.jsonl"
    source.write_text("".join(f'{{"role": "user", "content": "{"long " * 50}{n}"}}\n' for n in range(3000)))
    siltstone.run("import", str(source))
    for arguments in (["list", "-n", "3000"], ["export"]):
        code, err = _left_early(arguments)
        assert err == ""
        assert code == 141


def _left_early(arguments: list[str]) -> tuple[int, str]:
    with subprocess.Popen(
        command(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env({}), text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        err = child.stderr.read()
    return child.returncode, err


def test_an_interrupt_ends_with_130(siltstone: Siltstone, tmp_path: Path) -> None:
    """Ctrl-C during an import says so in one line; what was imported stays, and the next import completes it."""
    source = tmp_path / "messages.jsonl"
    source.write_text("".join(f'{{"role": "user", "content": "message {n}"}}\n' for n in range(30_000)))
    with subprocess.Popen(
        command(["import", str(source)]), stderr=subprocess.PIPE, env=env({}), text=True, preexec_fn=_hear_interrupts
    ) as child:
        _wait_for_the_first_batch(siltstone)
        _interrupt(child)
        assert child.stderr is not None
        err = child.stderr.read()
    assert child.returncode == 130
    assert err == "siltstone: interrupted\n"


def _hear_interrupts() -> None:
    """A suite that runs in the background was told to ignore interrupts, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(child: subprocess.Popen[str]) -> None:
    """Press Ctrl-C, again where it went unheard: Python drops an interrupt that arrives inside a finalizer."""
    for _ in range(5):
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=3)
            return
        except subprocess.TimeoutExpired:
            continue


def _wait_for_the_first_batch(siltstone: Siltstone) -> None:
    deadline = time.monotonic() + 30
    with Memory.open(siltstone.url) as memory:
        while not memory.stats(user_id="default").events and time.monotonic() < deadline:
            time.sleep(0.01)
