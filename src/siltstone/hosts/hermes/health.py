"""What went wrong, kept where `doctor` finds it: a host hides a provider's errors, so the provider writes them down."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siltstone.domain.values import format_time
from siltstone.hosts.hermes.redaction import redacted

LOG = logging.getLogger(__name__)
FILE = "problems.jsonl"
MOST = 50


class Health:
    """The problems of one home's plugin, newest last; at most 50 are kept in the file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.problem: str | None = None
        self._last: tuple[str, str] | None = None
        self._lock = threading.Lock()

    def note(self, hook: str, error: Exception) -> str:
        """Write a failure down, log it, and answer its message. What failed in the same way just now is one problem."""
        message = redacted(str(error) or type(error).__name__)
        again, self.problem, self._last = self._last == (hook, message), message, (hook, message)
        LOG.log(logging.DEBUG if again else logging.WARNING, "siltstone: %s failed: %s", hook, message, exc_info=error)
        if again:
            return message
        with self._lock:
            try:
                self._append({"at": format_time(datetime.now(UTC)), "hook": hook, "problem": message})
            except OSError as failure:
                LOG.warning("siltstone: %s cannot be written: %s", self.path, failure)
        return message

    def well(self) -> None:
        """What failed works again."""
        self.problem = self._last = None

    def problems(self) -> list[Mapping[str, Any]]:
        """What is written down, oldest first; a line that cannot be read is left out."""
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                found.append(json.loads(line))
            except ValueError:
                LOG.debug("siltstone: a line of %s cannot be read", self.path)
        return found

    def clear(self) -> None:
        """Forget what was written down."""
        self.path.unlink(missing_ok=True)

    def _append(self, entry: Mapping[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        kept = [json.dumps(item, ensure_ascii=False) for item in [*self.problems(), entry][-MOST:]]
        self.path.write_text("\n".join(kept) + "\n", "utf-8")
