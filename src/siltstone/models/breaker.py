"""A circuit breaker: an endpoint that is down is left alone for a while, so that it costs one timeout, not one a call.

It takes no lock: two threads that meet here at worst try the endpoint once more than needed.
"""

from __future__ import annotations

from collections.abc import Callable


class Breaker:
    """Counts failures in a row; at `limit` of them it opens for `rest` seconds, then lets one caller try.

    `now` answers seconds from a clock that never goes back.
    """

    def __init__(self, *, limit: int, rest: float, now: Callable[[], float]) -> None:
        self._limit, self._rest, self._now = limit, rest, now
        self._failures, self._until = 0, 0.0

    @property
    def failures(self) -> int:
        """Failures since the last success."""
        return self._failures

    @property
    def is_open(self) -> bool:
        """True while callers are turned away."""
        return self.seconds_left() > 0

    def seconds_left(self) -> float:
        """How long callers are still turned away; 0.0 where they are not."""
        return max(0.0, self._until - self._now())

    def admit(self) -> float:
        """0.0 if the caller may try, else the seconds to wait. After a rest one caller may, while others still wait."""
        left = self.seconds_left()
        if left <= 0 and self._failures >= self._limit:
            self._until = self._now() + self._rest
        return left

    def succeeded(self) -> None:
        """The endpoint answered: closes the breaker."""
        self._failures, self._until = 0, 0.0

    def failed(self, *, at_once: bool = False, rest: float | None = None) -> None:
        """The endpoint failed. `at_once` opens without waiting for `limit`; `rest` is what the endpoint asked for."""
        self._failures = max(self._failures + 1, self._limit if at_once or rest is not None else 0)
        if self._failures >= self._limit:
            self._until = self._now() + (self._rest if rest is None else rest)
