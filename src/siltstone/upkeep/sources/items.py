"""What a source is read into: messages to keep, and problems to report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Message = Mapping[str, Any] | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One message, in a form that `Memory.add` takes, and the place it was read from ("line 7").

    `conversation` is "" where the whole source is one person's; else it names whose the message is.
    """

    message: Message
    place: str
    conversation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that could not be read: where, and why. It is reported, and the rest is read."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Item = Found | Problem
