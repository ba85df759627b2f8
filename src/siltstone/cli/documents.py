"""Values as plain JSON, as `--json` prints them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from siltstone.domain.values import format_time


def document(value: Any) -> Any:
    """The value as dicts, lists and JSON scalars: dataclasses by field, times in ISO 8601, anything else as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: document(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): document(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [document(item) for item in value]
    if isinstance(value, datetime):
        return format_time(value)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def dumped(value: Any, *, encoding: str, indent: int | None = None) -> str:
    """The document as JSON text that `encoding` can hold: what it cannot is escaped, never lost."""
    plain = document(value)
    text = json.dumps(plain, ensure_ascii=False, indent=indent)
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return json.dumps(plain, indent=indent)
    return text
