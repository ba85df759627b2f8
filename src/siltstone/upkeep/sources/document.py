"""A source that is one JSON document: LoCoMo samples, or a list of messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def parsed(text: str) -> Any:
    """The JSON value; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_sample(value: object) -> bool:
    """Whether the value is one LoCoMo sample."""
    return isinstance(value, Mapping) and isinstance(value.get("conversation"), Mapping)


def samples(value: object) -> list[Mapping[str, Any]]:
    """The LoCoMo samples in a document; none where it is no such document."""
    if isinstance(value, Mapping):
        return [value] if is_sample(value) else []
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [item for item in value if is_sample(item)]
    return []
