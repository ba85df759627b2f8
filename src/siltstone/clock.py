"""The system's clock: UTC time, and ids that sort by the moment they were given."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime


class SystemClock:
    """Implements `ports.clock.Clock`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> datetime:
        """The current time in UTC."""
        return datetime.now(UTC)

    def new_id(self) -> str:
        """22 hex digits: 12 of milliseconds since 1970, never falling, and 10 of chance."""
        with self._lock:
            self._last = max(self._last, int(datetime.now(UTC).timestamp() * 1000))
            return f"{self._last:012x}{secrets.token_hex(5)}"
