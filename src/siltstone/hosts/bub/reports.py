"""What goes wrong in the background is said once, in one line, and again only after it had been well in between."""

from __future__ import annotations

import threading
from collections.abc import Callable

Log = Callable[[str], None]


class Reports:
    """One line a kind of trouble, and one a cause, however much it breaks. Threads may share one."""

    def __init__(self, log: Log) -> None:
        self._log, self._said = log, dict[str, str]()
        self._lock = threading.Lock()

    def trouble(self, what: str, error: BaseException | str) -> None:
        """Say that `what` failed and why, unless it was said since it last went well."""
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        with self._lock:
            said = what in self._said or reason in self._said.values()
            self._said[what] = reason
        if not said:
            self._log(f"memory: {what} failed: {reason}")

    def well(self, what: str) -> None:
        """`what` went well: the next trouble with it is said again."""
        with self._lock:
            self._said.pop(what, None)

    @property
    def open(self) -> dict[str, str]:
        """What fails at present, and why."""
        with self._lock:
            return dict(self._said)
