"""The keyword options that many verbs share, and the one place that checks them.

`Told` says what a caller may tell about a text; `Narrow` how a reading verb may be narrowed within a user.
An unknown keyword raises TypeError and names the nearest known one: it is never swallowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from siltstone.errors import nearest

Moment = datetime | str
"""A point in time: an aware or naive (then read as UTC) datetime, or ISO 8601 text."""


class Told(TypedDict, total=False):
    """What a caller may tell about what is added.

    `occurred_at` is when it was said (default: now). The entry holds in [`valid_from`, `invalid_at`). A repeated
    `idempotency_key` writes nothing and answers with the first call's ids.
    """

    agent_id: str | None
    session_id: str | None
    speaker: str | None
    role: str | None
    occurred_at: Moment | None
    tags: Sequence[str]
    metadata: Mapping[str, Any] | None
    valid_from: Moment | None
    invalid_at: Moment | None
    idempotency_key: str | None


class Narrow(TypedDict, total=False):
    """How a reading verb is narrowed within a user. All conditions hold together.

    `tags`: the memory has all of them. `since` / `until`: it occurred in [since, until). `kinds`: e.g. ("note",
    "turn"). `metadata`: each key has exactly that value. `as_of`: it held at that moment. `filters` takes the same
    keys as a dict; `user_id` in it must equal the call's.
    """

    agent_id: str | None
    session_id: str | None
    speaker: str | None
    tags: Sequence[str]
    since: Moment | None
    until: Moment | None
    kinds: Sequence[str]
    metadata: Mapping[str, Any] | None
    as_of: Moment | None
    filters: Mapping[str, Any] | None


def checked(verb: str, shape: type, options: Mapping[str, Any]) -> None:
    """Raise TypeError where `options` holds a keyword that `shape` (a TypedDict) does not have."""
    known = shape.__annotations__.keys()
    for name in options:
        if name not in known:
            raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}; {nearest(name, known)}")
