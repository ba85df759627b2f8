"""Rules: what a text says, found without a model."""

from __future__ import annotations

from datetime import datetime

from siltstone.domain.graph import Claims

EXTRACTOR = "rules/1"


def read(text: str, *, speaker: str | None = None, at: datetime | None = None) -> Claims:
    """The entities that the text names and the relations that it states."""
    return Claims()
