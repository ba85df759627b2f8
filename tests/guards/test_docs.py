"""What README.md and the pages in docs/ show is run, and where they point there is something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from guards.examples import blocks, run_page

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "bench" / "LEDGER.md"]
LINK = re.compile(r"\]\((?P<target>[^)\s#]+)(?:#[^)\s]*)?\)|<img[^>]*\bsrc=\"(?P<image>[^\"]+)\"")
LANGUAGES = {"", "console", "json", "jsonl", "mermaid", "python", "sh", "sql", "text", "toml", "yaml"}


def _named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example of a page runs, in order, where nothing was remembered before."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    run_page(page, tmp_path)


def test_the_readme_shows_code() -> None:
    """README.md holds Python and commands that are run."""
    shown = {block.info[0] for block in blocks(README.read_text(encoding="utf-8")) if block.runs}
    assert shown == {"python", "console"}


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_a_block_names_its_language(page: Path) -> None:
    """A misspelt language would make a block that nobody runs: only known ones are used."""
    used = {block.info[0] if block.info else "" for block in blocks(page.read_text(encoding="utf-8"))}
    assert used <= LANGUAGES


@pytest.mark.parametrize("page", LINKED, ids=_named)
def test_a_link_leads_somewhere(page: Path) -> None:
    """A link to a place in the repository names a file or folder that is there."""
    targets = [match["target"] or match["image"] for match in LINK.finditer(page.read_text(encoding="utf-8"))]
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_a_failing_example_fails(tmp_path: Path) -> None:
    """The runner passes on what Python raises and what a command exits with, and leaves marked blocks alone."""
    page = tmp_path / "page.md"
    page.write_text(
        "```python\nx = 1\n```\n\n```python no-run\nraise SystemExit\n```\n\n```python\nassert x == 1\n```\n"
    )
    assert run_page(page, tmp_path) == 2
    page.write_text("Text.\n\n```python\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as failure:
        run_page(page, tmp_path)
    assert failure.traceback[-1].lineno == 3
    page.write_text("```console\n$ siltstone no-such-command\n```\n")
    with pytest.raises(AssertionError, match="no-such-command"):
        run_page(page, tmp_path)
