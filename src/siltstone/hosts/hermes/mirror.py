"""The mirror of MEMORY.md and USER.md: what the host's own memory tool writes is kept, replaced and removed here too.

The files are the truth for what stands in them. A hook is handled with its own hints; whatever no hook told (hand
edits, other processes, the host's background review) is found by comparing the files with what is mirrored.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from siltstone.domain.values import Entry
from siltstone.hosts.hermes.notes import Notes
from siltstone.hosts.hermes.recalled import digest, unquoted

DELIMITER = "\n§\n"
FILES = {"memory": "MEMORY.md", "user": "USER.md"}
MASKED = re.compile(r"\*{3}|redacted|•{3}|…", re.IGNORECASE)
"""What a host leaves in place of a secret that it does not hand on."""
Signature = tuple[tuple[int, int] | None, ...]


class Mirror:
    """Both files of one home, as notes of one scope."""

    def __init__(self, home: Path, notes: Notes, home_id: str) -> None:
        self.folder, self.notes, self.home_id = home / "memories", notes, home_id
        self._lock = threading.RLock()
        self._before: dict[str, list[str]] = {}
        self._seen: Signature | None = None

    def refresh(self) -> int:
        """Bring the notes in line with the files where these changed since the last time; how many notes changed."""
        with self._lock:
            signature = tuple(_signature(self.folder / name) for name in FILES.values())
            if signature == self._seen or not self.notes.scope.writes:
                return 0
            changed = sum(self._aligned(target) for target in FILES)
            self._seen = signature
            return changed

    def written(self, action: str, target: str | None, content: str, told: Mapping[str, Any]) -> None:
        """One operation of the host's memory tool, which has changed the file already. Repeating it changes nothing."""
        target = target if target in FILES else "memory"
        with self._lock:
            before, now = self._before.get(target, []), self._entries(target)
            text = unquoted(content)
            if action == "add" and text:
                self._kept(target, text, _matching(text, before, now))
            elif action in ("replace", "remove"):
                old = self._meant(target, told, now)
                kept = self._kept(target, text, _matching(text, before, now)) if action == "replace" and text else None
                for entry in old:
                    if kept is None:
                        self.notes.retire(entry)
                    else:
                        self.notes.supersede(entry, kept)

    def _kept(self, target: str, text: str, line: str | None) -> str | None:
        """Keep one text of a file; `line` is what stands there, where the host's copy of it differs or is the same."""
        about = {} if line is None else {"file": self._mark(line)}
        kept = self.notes.keep(text, source=target, about=about)
        if line is not None:
            self._before.setdefault(target, []).append(line)
        return None if kept is None else kept.id

    def _meant(self, target: str, told: Mapping[str, Any], now: Sequence[str]) -> list[Entry]:
        """The notes that a replace or remove means: by the whole old text where the host tells it, else by a part.

        A part that is in several notes means those which no longer stand in the file, where it tells them apart.
        """
        whole, part = told.get("previous_content"), str(told.get("old_text") or "").strip()
        if isinstance(whole, str) and whole.strip() and (entry := self.notes.said(whole)) is not None:
            return [entry]
        part = part or (whole.strip() if isinstance(whole, str) else "")
        if not part:
            return []
        found = [entry for entry in self.notes.holding(target) if part in entry.text or part in unquoted(entry.text)]
        standing = {self._mark(line) for line in now}
        gone = [entry for entry in found if entry.metadata.get("file", self._mark(entry.text)) not in standing]
        return gone[:1] if gone else found if len(found) == 1 and not now else []

    def _aligned(self, target: str) -> int:
        """Keep what stands in the file, retire what stood in it and no longer does."""
        lines = self._entries(target)
        marked = ((str(entry.metadata.get("file", "")), entry) for entry in self.notes.holding(target))
        held = {mark: entry for mark, entry in marked if mark.endswith(self.home_id)}
        standing = {self._mark(line): line for line in lines}
        changed = 0
        for mark, entry in held.items():
            if mark not in standing:
                self.notes.retire(entry)
                changed += 1
        for mark, line in standing.items():
            if mark not in held and self.notes.scope.shares_files and (text := unquoted(line)):
                kept = self.notes.keep(text, source=target, about={"file": mark}, asked=False)
                changed += kept is not None and kept.status != "known"
        self._before[target] = lines
        return changed

    def _mark(self, line: str) -> str:
        """What names an entry of a file of this home: another home with the same user has files of its own."""
        return f"{digest(line)}@{self.home_id}"

    def _entries(self, target: str) -> list[str]:
        """The entries of a file, in order; none where there is no file."""
        try:
            text = (self.folder / FILES[target]).read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return []
        return [entry.strip() for entry in text.split(DELIMITER) if entry.strip()]


def _matching(text: str, before: Sequence[str], now: Sequence[str]) -> str | None:
    """The entry of the file that this text is: the same words, or the only new one, which the host masked for us."""
    mark = digest(text)
    for line in now:
        if digest(line) == mark or digest(unquoted(line)) == mark:
            return line
    fresh = [line for line in now if line not in before]
    return fresh[0] if len(fresh) == 1 and MASKED.search(text) else None


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except FileNotFoundError:
        return None
    return about.st_mtime_ns, about.st_size
