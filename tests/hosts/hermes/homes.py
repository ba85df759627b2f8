"""Homes of the host for tests: its two memory files, its memory tool, and providers that live in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from siltstone.hosts.hermes.mirror import DELIMITER, FILES
from siltstone.hosts.hermes.provider import Provider

SESSION = "20260101_120000_abc123"


class Home:
    """A home on disk, and what the host does to the files in it."""

    def __init__(self, path: Path, **settings: Any) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.set(**{"embedding.provider": "none", **settings})

    def set(self, **settings: Any) -> None:
        """Write the plugin's settings."""
        (self.path / "siltstone.json").write_text(json.dumps(settings), "utf-8")

    def entries(self, target: str) -> list[str]:
        """What stands in a file."""
        path = self.path / "memories" / FILES[target]
        return [entry for entry in path.read_text("utf-8").split(DELIMITER) if entry] if path.exists() else []

    def write(self, target: str, entries: list[str]) -> None:
        """Replace a file's entries, as an editor or another process does."""
        path = self.path / "memories" / FILES[target]
        path.parent.mkdir(exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(DELIMITER.join(entries), "utf-8")
        fresh.replace(path)

    def tool(self, provider: Any, action: str, target: str, content: str = "", old_text: str = "") -> None:
        """The host's memory tool: the file first, then the hook, as observed of Hermes 0.19."""
        self.write(target, changed(self.entries(target), action, content.strip(), old_text))
        provider.on_memory_write(action, target, content, {"old_text": old_text} if old_text else {})

    @contextmanager
    def session(self, session_id: str = SESSION, **told: Any) -> Iterator[Provider]:
        """A started provider, shut down at the end."""
        provider = Provider()
        provider.initialize(session_id, **{"hermes_home": str(self.path), "platform": "cli", **told})
        try:
            yield provider
        finally:
            provider.shutdown()

    def asked(self, question: str, **told: Any) -> str:
        """What a new session recalls for one question."""
        with self.session(**told) as provider:
            return provider.prefetch(question)


def changed(entries: list[str], action: str, content: str, old_text: str) -> list[str]:
    """The entries after one operation of the host's tool."""
    if action == "add":
        return entries if content in entries else [*entries, content]
    place = next(number for number, entry in enumerate(entries) if old_text in entry)
    return [*entries[:place], *([content] if action == "replace" else []), *entries[place + 1 :]]


def answered(provider: Any, tool: str, **given: Any) -> dict[str, Any]:
    """What a tool answers."""
    found: dict[str, Any] = json.loads(provider.handle_tool_call(tool, given))
    return found
