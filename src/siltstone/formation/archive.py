"""Bubble's archive: a statement as a line with five keys, and such a line as a turn that is judged already."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from siltstone.domain.beliefs import NEUTRAL, VALENCES, Segment, Statement
from siltstone.domain.values import format_time

DECOMPOSER = "archive/bubble"
SOURCE = "bubble archive"
"""What `metadata["source"]` of an imported line says: its intensity and valence are taken over, and no model takes them apart."""


def judged(body: Mapping[str, Any]) -> Segment | None:
    """The one statement of a turn that came from an archive, as it was judged there; None for any other turn."""
    about = body.get("metadata") or {}
    intensity = about.get("intensity")
    if about.get("source") != SOURCE or isinstance(intensity, bool) or not isinstance(intensity, int | float):
        return None
    valence = about.get("valence")
    return Segment(
        text=body["text"],
        start=0,
        end=len(body["text"]),
        intensity=min(max(float(intensity), 0.0), 1.0),
        valence=valence if valence in VALENCES else NEUTRAL,
    )


def prior(body: Mapping[str, Any]) -> str | None:
    """What was said before a turn, as its caller or its archive told; None where nobody did."""
    about = body.get("metadata") or {}
    return body.get("prior") or (about.get("prior") if about.get("source") == SOURCE else None)


def lines(statements: Iterable[Statement], priors: Mapping[str, str]) -> Iterator[str]:
    """One line a statement, in the order given; `priors` maps an entry's id to what was said before it."""
    for statement in statements:
        line = {
            "text": statement.text,
            "prior": priors.get(statement.entry_id),
            "intensity": statement.intensity,
            "valence": statement.valence,
            "timestamp": format_time(statement.occurred_at),
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"
