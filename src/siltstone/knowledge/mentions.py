"""A mention: a name as it stands in a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

UNKNOWN, DATE = "concept", "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name in a text: `text[start:end]` is where it stands. `sure` is False where its type is a guess."""

    type: str
    name: str
    start: int
    end: int
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    sure: bool = True
