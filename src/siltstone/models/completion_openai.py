"""Completion in the form of OpenAI's chat completions, which most servers speak: `POST /v1/chat/completions`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from siltstone.models.completion_form import OBJECT, SCHEMA, Form, Reply, Request, invalid, joined, with_schema

REFUSALS = ("content_filter",)


class OpenAIDialect:
    """The schema goes out as `response_format`, or in the instructions where the server does not take that."""

    name = "openai"
    address = "https://api.openai.com/v1"
    version = "/v1"
    key_header = ""
    headers: Mapping[str, str] = MappingProxyType({})

    def path(self, model: str) -> str:
        """The same for all models."""
        return "/chat/completions"

    def body(self, model: str, request: Request, form: Form) -> dict[str, Any]:
        """The model, two messages, and what the form allows."""
        instructions = request.instructions
        if request.schema is not None and form.structure != SCHEMA:
            instructions = with_schema(instructions, request.schema)
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": request.text}]
        body: dict[str, Any] = {"model": model, "messages": messages}
        body["max_completion_tokens" if form.new_limit else "max_tokens"] = request.limit
        if form.temperature:
            body["temperature"] = 0
        if request.schema is not None and form.structure == SCHEMA:
            named = {"name": "answer", "schema": dict(request.schema), "strict": is_strict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif request.schema is not None and form.structure == OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def read(self, answer: Any) -> Reply:
        """The first choice's message."""
        choices = answer.get("choices") if isinstance(answer, dict) else None
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise invalid(self.name, answer)
        reason = choice.get("finish_reason")
        refusal = message.get("refusal") or (reason if reason in REFUSALS else "")
        return Reply(text=joined(message.get("content")), cut=reason == "length", refusal=str(refusal))


def is_strict(schema: Any) -> bool:
    """Whether a schema keeps the provider's rules for strict mode: every object closed, every property required."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        if not closed or set(schema.get("required", ())) != set(schema.get("properties", ())):
            return False
    return all(map(is_strict, schema.values()))
