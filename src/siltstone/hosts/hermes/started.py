"""A started plugin: the shared memory, the scope's notes and the mirror, opened and warmed off the host's thread."""

from __future__ import annotations

import contextvars
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from siltstone.errors import StoreUnavailable
from siltstone.hosts.hermes.config import Configuration
from siltstone.hosts.hermes.health import Health
from siltstone.hosts.hermes.mirror import Mirror
from siltstone.hosts.hermes.notes import Notes
from siltstone.hosts.hermes.opened import MEMORIES
from siltstone.hosts.hermes.scope import Scope

PATIENCE = 6.0
"""Seconds that a hook waits for the store to be open; the host gives a recall up after eight."""
PAUSE = 10.0
"""Seconds between two attempts to open a store that failed."""
HOME_ID = "home.id"
WARMING = "memory"


class Started:
    """The engine behind one provider instance. It opens on a thread of its own; `ready` waits for it."""

    def __init__(self, configuration: Configuration, scope: Scope, health: Health) -> None:
        self.configuration, self.scope, self.health = configuration, scope, health
        self._notes: Notes | None = None
        self._mirror: Mirror | None = None
        self._failure: Exception | None = None
        self._tried = 0.0
        self._closed = False
        self._lock = threading.Lock()
        self._thread = self._begun()

    def ready(self) -> tuple[Notes, Mirror]:
        """The notes and the mirror, once they are open. Raises what kept them from opening; tries anew after a pause."""
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            raise StoreUnavailable(f"{self.configuration.url} is still being opened after {PATIENCE:.0f} s; try again")
        with self._lock:
            if self._failure is not None and not self._closed and time.monotonic() - self._tried > PAUSE:
                self._open()
            if self._notes is None or self._mirror is None:
                raise self._failure or StoreUnavailable("this session's memory was shut down; start a new session")
            return self._notes, self._mirror

    def close(self) -> None:
        """Give the shared memory back; it is closed, and its file complete, where nobody else uses it."""
        self._thread.join(PATIENCE)
        with self._lock:
            notes, self._notes, self._mirror, self._closed = self._notes, None, None, True
        if notes is not None:
            MEMORIES.give_back(notes.memory)

    def _begun(self) -> threading.Thread:
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: context.run(self._warm), name="siltstone-start", daemon=True)
        thread.start()
        return thread

    def _warm(self) -> None:
        with self._lock:
            self._open()
        if self._notes is not None and self._mirror is not None:
            try:
                self._mirror.refresh()
                self._notes.memory.retrieve(WARMING, user_id=self.scope.user_id, top_k=1)
            except Exception as error:  # noqa: BLE001 - the edge of a thread: it is written down, and hooks go on
                self.health.note("start", error)

    def _open(self) -> None:
        """Open the memory; a failure is kept for `ready`. The caller holds the lock."""
        self._tried = time.monotonic()
        try:
            bound = {"scope__agent_id": self.scope.agent_id, "scope__primary": self.scope.primary}
            memory = MEMORIES.take(self.configuration.url, {**self.configuration.engine, **bound})
            self._notes = Notes(memory, self.scope)
            self._mirror = Mirror(self.configuration.home, self._notes, _home_id(self.configuration.folder))
            self._failure = None
            self.health.well()
        except Exception as error:  # noqa: BLE001 - the edge of a thread: it is written down and raised by `ready`
            self._failure = error
            self.health.note("open", error)


def _home_id(folder: Path) -> str:
    """What tells this home from others that use the same store; made once, at random."""
    path = folder / HOME_ID
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = uuid.uuid4().hex[:8]
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(fresh)
        except FileExistsError:
            return path.read_text("utf-8").strip()
        return fresh


Warn = Callable[[str], Any]


def warn(told: Mapping[str, Any], message: str) -> None:
    """Tell the person at the terminal, where the host gives a way to."""
    callback = told.get("warning_callback")
    if callable(callback):
        callback(f"siltstone: {message}")
