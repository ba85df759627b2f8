"""Reads the object out of what a model wrote: fenced, wrapped in prose, after thoughts, cut off or broken."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from siltstone.models.numbers import is_number
from siltstone.models.packages import optional_module

THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
UNOPENED = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
FENCED = re.compile(r"```[\w-]*[ \t]*\n?(.*?)```", re.DOTALL)
LISTED = re.compile(r"(?:```[\w-]*\s*)?\[")
STARTS = 200
"""Opening braces that are tried: an answer with more of them in prose is none."""
MENDED_LENGTH, REPAIRED_LENGTH, REPAIRED_DEPTH = 200_000, 40_000, 40
"""Beyond these a text is not looked at; the package that repairs takes its time over deep nesting."""
COMMAS = 20
"""Places from the end where a text that was cut off may be closed."""
CLOSERS = {"{": "}", "[": "]"}
TYPES: dict[str, type | tuple[type, ...]] = {"object": dict, "array": list, "string": str, "boolean": bool}
WORDS = {"true": True, "yes": True, "false": False, "no": False}


def without_thoughts(text: str) -> str:
    """What is meant for the reader: `<think>` blocks, also unclosed or unopened ones, and NUL left out."""
    return UNOPENED.sub("", THOUGHTS.sub("", text)).replace("\0", "").strip().lstrip("\ufeff")


def whole_object(answer: Any, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The object that `schema` asks for where the answer, a text or a value, holds one whole; else None."""
    if not isinstance(answer, str):
        return shaped(answer, schema)
    found = (shaped(value, schema) for value in _values(without_thoughts(answer)))
    return next((value for value in found if value is not None), None)


def mended_object(answer: Any, schema: Mapping[str, Any], *, cut: bool) -> dict[str, Any] | None:
    """The object that is left of a broken text; None where none is. Raises MissingDependency.

    In one that was `cut`, a required list that is empty may have had items: such an object counts as none.
    """
    text = without_thoughts(answer) if isinstance(answer, str) else ""
    listed = LISTED.match(text)
    start = listed.end() - 1 if listed else text.find("{")  # a bracket within prose is no list
    if start < 0 or len(text) > MENDED_LENGTH:
        return None
    for value in _mended(text[start:], cut):
        for candidate in (value, *(value if isinstance(value, list) else ())):
            found = shaped(candidate, schema) if listed or isinstance(candidate, dict) else None
            if found is not None and not (cut and any(found[name] == [] for name in schema.get("required", ()))):
                return found
    return None


def looks_cut(text: str) -> bool:
    """Whether a text ends within an object, whatever the server said about its end."""
    return bool(text) and without_thoughts(text).rstrip("` \n")[-1:] not in ("}", "]")


def shaped(value: Any, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The value as the object that `schema` describes at its top level; None where it is none.

    A bare list stands for the one list that is asked for; a list or object that came as a text is read. Properties
    that the schema does not name are left out.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    if isinstance(value, list) and _is_the_list(value, [properties[name] for name in required]):
        value = {required[0]: value}
    if not isinstance(value, dict) or any(name not in value for name in required):
        return None
    found = {name: _typed(value[name], properties[name]) for name in properties if name in value}
    if any(found.get(name) is None for name in required):
        return None
    return {name: part for name, part in found.items() if part is not None}


def _mended(text: str, cut: bool) -> Iterator[Any]:
    """The values that a broken text may stand for: as far as it goes unharmed, then with its faults repaired.

    The package that repairs is asked last, since it may change an escape, and never about what a cut left half.
    """
    closed = list(_closed(text))
    for piece in closed:
        try:
            yield json.loads(piece, strict=False)
        except (ValueError, RecursionError):
            continue
    broken = (closed[0] if closed else "") if cut else text
    if broken and len(text) <= REPAIRED_LENGTH and _depth(text) <= REPAIRED_DEPTH:
        try:
            repaired = optional_module("json_repair", "http").loads(broken, skip_json_loads=True)
            yield json.loads(json.dumps(repaired))  # puts escaped surrogate pairs together, which the package does not
        except (ValueError, RecursionError):
            return


def _depth(text: str) -> int:
    """An upper bound of how deep brackets stand within brackets."""
    steps = accumulate((character in "{[") - (character in "]}") for character in text)
    return max(steps, default=0)


def _closed(text: str) -> Iterator[str]:
    """The text with what is open closed: at its end, else before its last comma, the one before that …"""
    stack, quoted, escaped = list[str](), False, False
    places: deque[tuple[int, str]] = deque(maxlen=COMMAS)
    for at, character in enumerate(text):
        if quoted:
            escaped, quoted = character == "\\" and not escaped, character != '"' or escaped
        elif character == '"':
            quoted = True
        elif character in CLOSERS:
            stack.append(CLOSERS[character])
        elif stack and character == stack[-1]:
            stack.pop()
        elif character == ",":
            places.append((at, "".join(reversed(stack))))
    if not quoted:
        yield text + "".join(reversed(stack))
    yield from (text[:at] + closers for at, closers in reversed(places))


def _is_the_list(value: list[Any], wanted: list[Mapping[str, Any]]) -> bool:
    if len(wanted) != 1 or wanted[0].get("type") != "array":
        return False
    objects = wanted[0].get("items", {}).get("type") == "object"
    return not objects or all(isinstance(item, dict) for item in value)


def _typed(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value where it has the schema's type, or can be read as that; else None."""
    kind = schema.get("type")
    if isinstance(value, str) and kind == "boolean":
        return WORDS.get(value.strip().lower())
    if isinstance(value, str) and kind in ("array", "object"):
        value = next(_values(value), None)
    if kind in ("number", "integer"):
        return value if is_number(value) else None
    return value if isinstance(value, TYPES.get(str(kind), object)) else None


def _values(text: str) -> Iterator[Any]:
    """Every JSON value that stands in a text: the whole, what is fenced, then objects within prose."""
    for piece in (text, *FENCED.findall(text)):
        try:
            yield json.loads(piece, strict=False)
        except (ValueError, RecursionError):
            continue
    decoder, at = json.JSONDecoder(strict=False), 0
    for _ in range(STARTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield value
