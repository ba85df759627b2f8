"""Which form a source has, by looking at its first lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from siltstone.upkeep.sources import bubble, document
from siltstone.upkeep.sources.lines import Lines

EXPORT, MESSAGES, BUBBLE, LOCOMO, TEXT = "export", "messages", "bubble", "locomo", "text"
MARK = "siltstone"


def detect(lines: Lines) -> str:
    """The name of the form; plain text is what nothing else fits. Lines that cannot be read do not mislead it."""
    head = lines.head()
    objects = [value for value in map(_object, (line.text for line in head)) if value is not None]
    if objects and 2 * len(objects) >= len(head):
        return _of_line(objects[0])
    if head and head[0].text.lstrip()[:1] in ("[", "{"):
        return _of_document(lines)
    return TEXT


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _of_line(value: Mapping[str, Any]) -> str:
    if MARK in value:
        return EXPORT
    if value.keys() >= bubble.KEYS:
        return BUBBLE
    return LOCOMO if document.is_sample(value) else MESSAGES


def _of_document(lines: Lines) -> str:
    value = document.parsed(lines.whole())
    if value is None:
        return TEXT
    return LOCOMO if document.samples(value) else MESSAGES
