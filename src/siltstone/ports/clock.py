"""The clock port: time and fresh ids come from here, so that tests own them."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Where time and ids come from. Safe to use from any thread."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        ...

    def new_id(self) -> str:
        """An id that was never given before: 22 hex digits, later ids sort after earlier ones."""
        ...
