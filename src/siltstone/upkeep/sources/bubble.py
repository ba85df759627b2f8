"""Bubble's archive: one JSON object a line with text, prior, intensity, valence and timestamp."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from siltstone.formation.archive import SOURCE
from siltstone.upkeep.sources.items import Found, Item, Problem
from siltstone.upkeep.sources.lines import Lines
from siltstone.upkeep.sources.messages import parsed_line

KEYS = frozenset({"text", "prior", "intensity", "valence", "timestamp"})


def read(lines: Lines) -> Iterator[Item]:
    """The archived segments as turns of the user. What Bubble judged about them goes to the metadata and is taken over."""
    for line in lines:
        value = parsed_line(line)
        yield value if isinstance(value, Problem) else _item(value, line.place)


def _item(value: Any, place: str) -> Item:
    if not isinstance(value, Mapping) or not value.keys() >= KEYS:
        return Problem(place=place, reason=f"it is no archive line; it needs the keys {', '.join(sorted(KEYS))}")
    intensity = value["intensity"]
    if isinstance(intensity, bool) or not isinstance(intensity, int | float) or not 0 <= intensity <= 1:
        return Problem(place=place, reason=f"its intensity is {intensity!r}; it must be a number from 0 to 1")
    judged = {key: value[key] for key in ("intensity", "valence", "prior") if value[key] is not None}
    judged["source"] = SOURCE
    message = {"role": "user", "content": value["text"], "occurred_at": value["timestamp"], "metadata": judged}
    return Found(message=message, place=place)
