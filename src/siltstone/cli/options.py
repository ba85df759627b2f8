"""Options that several commands share: how memories are narrowed, and what is told about a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

import typer

from siltstone.domain.options import Narrow, Told
from siltstone.errors import InvalidInput

Session = Annotated[str | None, typer.Option("--session", metavar="ID", help="Only of this conversation.")]
When = "ISO 8601, e.g. 2026-05-07 or 2026-05-07T18:30:00Z; without a zone it is read as UTC."


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Which memories of the user are meant."""

    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Only with this tag; may be repeated.")] = None
    since: Annotated[str | None, typer.Option(metavar="TIME", help=f"Only from this time on. {When}")] = None
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Only before this time.")] = None
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this speaker said.")] = None
    session: Session = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Only of this agent.")] = None
    kind: Annotated[list[str] | None, typer.Option(metavar="KIND", help="Only notes or turns; may be repeated.")] = None
    meta: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Only with this metadata; may be repeated.")
    ] = None
    as_of: Annotated[str | None, typer.Option(metavar="TIME", help="Only what held at this time.")] = None

    def narrow(self) -> Narrow:
        """The keyword options of the library; absent ones are left out."""
        given: dict[str, Any] = {
            "tags": self.tag or None,
            "since": self.since,
            "until": self.until,
            "speaker": self.speaker,
            "session_id": self.session,
            "agent_id": self.agent,
            "kinds": self.kind or None,
            "metadata": pairs(self.meta),
            "as_of": self.as_of,
        }
        return cast(Narrow, {key: value for key, value in given.items() if value is not None})


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What is told about a text."""

    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Who said it.")] = None
    role: Annotated[str | None, typer.Option(metavar="ROLE", help="user, assistant, …: makes it a turn.")] = None
    session: Annotated[str | None, typer.Option(metavar="ID", help="The conversation it belongs to.")] = None
    agent: Annotated[str | None, typer.Option(metavar="ID", help="The agent it was told to.")] = None
    occurred_at: Annotated[str | None, typer.Option(metavar="TIME", help=f"When it was said. {When}")] = None
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag; may be repeated.")] = None
    meta: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Metadata; may be repeated.")] = None
    valid_from: Annotated[str | None, typer.Option(metavar="TIME", help="It holds from this time on.")] = None
    invalid_at: Annotated[str | None, typer.Option(metavar="TIME", help="It holds before this time.")] = None

    def told(self, idempotency_key: str | None = None) -> Told:
        """The keyword options of the library; absent ones are left out."""
        given: dict[str, Any] = {
            "speaker": self.speaker,
            "role": self.role,
            "session_id": self.session,
            "agent_id": self.agent,
            "occurred_at": self.occurred_at,
            "tags": self.tag or None,
            "metadata": pairs(self.meta),
            "valid_from": self.valid_from,
            "invalid_at": self.invalid_at,
            "idempotency_key": idempotency_key,
        }
        return cast(Told, {key: value for key, value in given.items() if value is not None})


def pairs(given: Sequence[str] | None) -> dict[str, Any] | None:
    """KEY=VALUE texts as a dict; a value that is JSON counts as JSON, any other as text. None for none."""
    result = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise InvalidInput(f"the metadata {text!r} has no key; write KEY=VALUE")
        result[key.strip()] = _value(value)
    return result or None


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)
    except ValueError:
        return text
