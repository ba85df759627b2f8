"""What the repository may not hold: addresses of registries, paths of one machine, evaluation data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from guards.tracked import ROOT, files, texts

# Put together from parts, so that this file passes its own test.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("crates", "io"),
        ("golang", "org"),
        ("anaconda", "org"),
        ("huggingface", "co"),
        ("hf-mirror", "com"),
        ("deb.debian", "org"),
    )
]
DOWNLOAD = re.compile(r"https?://[^\s\"']*(?:\.whl|\.tgz|\.tar\.gz|\.deb|/simple/?|/packages/|/project/)")
INDEX_OPTION = re.compile(r"--(?:extra-)?index-url|--find-links|^registry\s*=", re.MULTILINE)
MACHINE = re.compile(r"(?<![\w.])/(?:{})/".format("|".join(("root", "work", "farm", "tmp/s", "opt/wheels"))))
EVALUATION = re.compile(r"locomo10|realtalk|longmemeval.*\.json$", re.IGNORECASE)
ROOT_FILES = {
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
}
ROOT_FOLDERS = {".ci", "bench", "docs", "src", "tests"}

RUNS = ((re.compile(r"[^\W\d_\u3040-\u9fff]+"), 9), (re.compile(r"[\u3040-\u9fff]"), 16))
"""So many words, or Chinese characters, in a row are in two texts only when one was taken from the other."""


def test_no_file_names_a_registry() -> None:
    """No file names the host of a package or model registry, or a download."""
    named = {path: host for path, text in texts().items() for host in HOSTS if host in text}
    downloads = {path: found[0] for path, text in texts().items() if (found := DOWNLOAD.search(text))}
    assert named | downloads == {}


def test_pinned_releases_have_hashes_and_no_address() -> None:
    """Each line of the requirement files is a release, its hashes or a comment."""
    for path in (ROOT / ".ci" / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert INDEX_OPTION.search(text) is None, path
        for release in re.findall(r"^[A-Za-z0-9].*(?:\n +--hash.*)*", text, re.MULTILINE):
            assert re.match(r"[\w.\-\[\]]+==\S+( ; [^\n]+)? \\\n +--hash=sha256:[0-9a-f]{64}", release), release


def test_no_file_names_a_path_of_one_machine() -> None:
    """No file holds a path that exists on the machine it was written on alone."""
    assert {path: found[0] for path, text in texts().items() if (found := MACHINE.search(text))} == {}


def test_the_root_stays_clean() -> None:
    """The root holds five folders and the files that a newcomer looks for."""
    top = {path.relative_to(ROOT).parts for path in files()}
    assert {parts[0] for parts in top if len(parts) == 1} == ROOT_FILES
    assert {parts[0] for parts in top if len(parts) > 1} == ROOT_FOLDERS


def test_no_evaluation_file_is_kept() -> None:
    """No file is a copy of an evaluation data set."""
    assert [str(path) for path in files() if EVALUATION.search(path.name)] == []


def test_no_text_of_evaluation_data_is_kept(evaluation_data: Path) -> None:
    """No file holds a sentence of a conversation or question that we are measured on."""
    taken = {shingle for text in _strings(evaluation_data) for shingle in _shingles(text)}
    assert taken, "the evaluation data holds no text"
    held = {path: sorted(shared)[:3] for path, text in texts().items() if (shared := _shingles(text) & taken)}
    assert {path: " | ".join(" ".join(words) for words in shared) for path, shared in held.items()} == {}


def _strings(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*/*.json")):
        yield from _leaves(json.loads(path.read_text(encoding="utf-8")))


def _leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _leaves(child)


def _shingles(text: str) -> set[tuple[str, ...]]:
    """All runs of words, and of characters, that are long enough to tell where they come from."""
    found = set()
    for unit, length in RUNS:
        units = unit.findall(text.casefold())
        found.update(tuple(units[start : start + length]) for start in range(len(units) - length + 1))
    return found
