"""The extractor port: what reads entities and relations out of texts.

A completion model is one (`models.completion_knowledge`); a host or a user may hand in any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """An entry as an extractor sees it: its words, who said them, and when they hold from."""

    text: str
    speaker: str | None
    at: datetime


@runtime_checkable
class KnowledgeModel(Protocol):
    """Reads texts for the graph. May be called from any thread; is never called inside a transaction."""

    @property
    def name(self) -> str:
        """What is recorded as the reader; another version is another name."""
        ...

    def read(self, texts: Sequence[Text], known: Sequence[str]) -> Sequence[Mapping[str, Any] | None]:
        """For each text, in order, {"entities": […], "relations": […]} in the form of `domain.graph.Claims`.

        Ends of relations may be names. `known` are entities, as `type:name`, that relations may lead to. What has not
        that form is left out by the caller. None for a text that was not read: it is asked for again. Raises ModelError.
        """
        ...
