"""What of an event is searchable: the fold of the journal with index terms and vector keys added to its records.

This is the projector that stores run. A change of the fold or of the text analysis changes `version`, and stores then
fold the journal again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from siltstone.domain import fold
from siltstone.domain.events import Event
from siltstone.domain.records import Get, Gone, Record, text_key
from siltstone.domain.values import parse_time
from siltstone.text.analysis import ANALYSIS_VERSION, analyse

FOLD_VERSION = "2"


@dataclass(frozen=True, slots=True)
class Projection:
    """Implements `ports.stores.Projector`."""

    version: str = f"{FOLD_VERSION}/{ANALYSIS_VERSION}"

    def __call__(self, event: Event, get: Get) -> Iterable[Record | Gone]:
        for change in fold.apply(event, get):
            yield change if isinstance(change, Gone) else _indexed(change, get)


def embedding_text(body: Mapping[str, Any]) -> str:
    """The text that stands for a memory before an embedder; "" where there is none."""
    return str(body.get("text", ""))


def vector_key(body: Mapping[str, Any]) -> str:
    """The name under which its vectors are stored."""
    text = embedding_text(body)
    return text_key(text) if text else ""


def _indexed(record: Record, get: Get) -> Record:
    if "text" not in record.body or (record.terms and _same_text(record, get)):
        return record
    body = record.body
    terms = analyse(
        str(body.get("text", "")), occurred_at=parse_time(body.get("occurred_at")), speaker=body.get("speaker")
    )
    return replace(record, terms=terms, vector_key=vector_key(body))


def _same_text(record: Record, get: Get) -> bool:
    """Whether the fold left everything alone that the terms are made from."""
    before = get(record.kind, record.id)
    return before is not None and all(
        before.body.get(key) == record.body.get(key) for key in ("text", "occurred_at", "speaker")
    )
