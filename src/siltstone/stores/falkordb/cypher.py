"""Queries as the server takes them: a text of our own, and parameters as literals. No value ever becomes part of the text."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from typing import Any

from siltstone.stores.codec import is_utf8

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CLEAN = str.maketrans({"\\": "\\\\", '"': '\\"', "\0": "\ufffd"})


class Numbers(str):
    """A list of numbers that is a literal already."""

    __slots__ = ()


def query(text: str, parameters: Mapping[str, Any]) -> bytes:
    """The query with its parameters in front."""
    if not parameters:
        return text.encode()
    given = " ".join(f"{name}={literal(value)}" for name, value in parameters.items())
    return f"CYPHER {given} {text}".encode()


def literal(value: Any) -> str:
    """The value as a Cypher literal.

    Text that a graph cannot hold is replaced: NUL and lone surrogates become U+FFFD (the journal keeps them). None
    within a map is left out. Raises ValueError for numbers that are not finite, TypeError for what has no literal.
    """
    if isinstance(value, Numbers):
        return str(value)
    if isinstance(value, str):
        return f'"{_utf8(value).translate(_CLEAN)}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"`{key}`:{literal(item)}" for key, item in value.items() if item is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(literal, value)) + "]"
    raise TypeError(f"{type(value).__name__} has no literal in Cypher")


def numbers(data: bytes) -> Numbers | None:
    """float32 little-endian bytes as a list literal that reads back to the same bytes; None where they are no vector."""
    if not data or len(data) % 4:
        return None
    found = struct.unpack(f"<{len(data) // 4}f", data)
    if not all(map(math.isfinite, found)):
        return None
    return Numbers("[" + ",".join([f"{number:.9g}" for number in found]) + "]")


def _finite(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value!r} has no literal in Cypher")
    return repr(value)


def _utf8(text: str) -> str:
    """The text with U+FFFD for each lone surrogate."""
    return text if is_utf8(text) else _SURROGATE.sub("\ufffd", text)
