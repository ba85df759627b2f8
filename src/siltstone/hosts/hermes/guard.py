"""The guard around a hook: what fails is written down and logged, and the host gets an answer that harms nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

Hook = TypeVar("Hook", bound=Callable[..., Any])


def guarded(otherwise: Any = None) -> Callable[[Hook], Hook]:
    """Makes a hook answer `otherwise` where it fails; the failure goes to `self.health`."""

    def decorated(work: Hook) -> Hook:
        @functools.wraps(work)
        def safe(self: Any, *given: Any, **named: Any) -> Any:
            try:
                return work(self, *given, **named)
            except Exception as error:  # noqa: BLE001 - the edge of the host, which would hide it: it is written down
                self.health.note(work.__name__.lstrip("_"), error)
                return otherwise

        return cast(Hook, safe)

    return decorated
