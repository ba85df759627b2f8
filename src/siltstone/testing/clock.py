"""A clock that stands still until it is told to move."""

from __future__ import annotations

import itertools
import threading
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class ManualClock:
    """Implements `ports.clock.Clock`; ids count up from 1. Safe from any thread."""

    def __init__(self, start: datetime = START) -> None:
        self._now, self._lock, self._numbers = start, threading.Lock(), itertools.count(1)

    def now(self) -> datetime:
        """The time it was set to."""
        return self._now

    def new_id(self) -> str:
        """The next number as 22 hex digits."""
        with self._lock:
            return f"{next(self._numbers):022x}"

    def advance(self, by: timedelta = timedelta(seconds=1)) -> datetime:
        """Move on, and answer the new time."""
        with self._lock:
            self._now += by
            return self._now

    def set(self, moment: datetime) -> None:
        """Jump to that time, forwards or backwards."""
        self._now = moment
