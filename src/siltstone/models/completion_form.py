"""What a provider's dialect turns into its requests and reads out of its answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from siltstone.errors import ModelAnswerInvalid

SCHEMA, OBJECT, PLAIN = "schema", "object", "plain"
EASIER = {SCHEMA: OBJECT, OBJECT: PLAIN}
ABOUT_STRUCTURE = re.compile(
    r"format|schema|json|grammar|structured|tool|generation_?config|extra (?:inputs|fields)|unrecogni[sz]ed|unknown",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model: `schema` where an object is wanted, `limit` in tokens."""

    instructions: str
    text: str
    limit: int
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model said: its text, or an object that came as one; whether the token limit cut it; why it refused."""

    text: str = ""
    value: Any = None
    cut: bool = False
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a server is taken to understand: how it is told the schema, and which parameters it knows."""

    structure: str = SCHEMA
    temperature: bool = True
    new_limit: bool = False

    def easier(self, complaint: str, *, structured: bool) -> Form | None:
        """The form without what the server's complaint names; None where it names nothing that can be left out.

        A complaint without words is taken to be about the structure, as long as one was asked for.
        """
        said = complaint.lower()
        if "max_completion_tokens" in said and not self.new_limit:
            return replace(self, new_limit=True)
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if structured and self.structure in EASIER and (not said or ABOUT_STRUCTURE.search(said)):
            return replace(self, structure=EASIER[self.structure])
        return None


class Dialect(Protocol):
    """How one provider is asked. `key_header` is where its key goes; "" means as a bearer token."""

    name: str
    address: str
    version: str
    key_header: str
    headers: Mapping[str, str]

    def path(self, model: str) -> str:
        """The endpoint's path below the version."""
        ...

    def body(self, model: str, request: Request, form: Form) -> dict[str, Any]:
        """The request's body."""
        ...

    def read(self, answer: Any) -> Reply:
        """What the answer says. Raises ModelAnswerInvalid where it is none of this provider's."""
        ...


def invalid(provider: str, answer: Any) -> ModelAnswerInvalid:
    """The error for an answer of another form; it names the answer's keys, not what they hold."""
    held = f"an object with {sorted(map(str, answer))[:8]}" if isinstance(answer, dict) else type(answer).__name__
    return ModelAnswerInvalid(f"the {provider} server answered {held}, which holds no completion; check its address")


def joined(parts: Any, key: str = "text") -> str:
    """The texts of a list of content parts put together; a plain string as it is; "" for anything else."""
    if isinstance(parts, str):
        return parts
    texts = (part.get(key) for part in parts if isinstance(part, dict)) if isinstance(parts, list) else ()
    return "".join(text for text in texts if isinstance(text, str))


def with_schema(instructions: str, schema: Mapping[str, Any]) -> str:
    """The instructions with the schema in words, for servers that take none; those that have it already as they are."""
    words = f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{_plain(schema)}"
    return instructions if instructions.endswith(words) else f"{instructions}\n\n{words}"


def _plain(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)
