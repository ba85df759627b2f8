"""Completion in the form of Anthropic's messages: `POST /v1/messages`. An object is asked for as a forced tool call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from siltstone.models.completion_form import SCHEMA, Form, Reply, Request, invalid, joined, with_schema

TOOL = "record_answer"
CUT = ("max_tokens", "model_context_window_exceeded")


class AnthropicDialect:
    """One user message with a system text."""

    name = "anthropic"
    address = "https://api.anthropic.com/v1"
    version = "/v1"
    key_header = "x-api-key"
    headers: Mapping[str, str] = MappingProxyType({"anthropic-version": "2023-06-01"})

    def path(self, model: str) -> str:
        """The same for all models."""
        return "/messages"

    def body(self, model: str, request: Request, form: Form) -> dict[str, Any]:
        """The model, the message, and a tool that must be called where an object is wanted."""
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.limit,
            "system": request.instructions,
            "messages": [{"role": "user", "content": request.text}],
        }
        if form.temperature:
            body["temperature"] = 0
        if request.schema is not None and form.structure == SCHEMA:
            body["tools"] = [{"name": TOOL, "description": "Records the answer.", "input_schema": dict(request.schema)}]
            body["tool_choice"] = {"type": "tool", "name": TOOL}
        elif request.schema is not None:
            body["system"] = with_schema(request.instructions, request.schema)
        return body

    def read(self, answer: Any) -> Reply:
        """The tool call's input, else the text."""
        content = answer.get("content") if isinstance(answer, dict) else None
        if not isinstance(answer, dict) or not isinstance(content, list):
            raise invalid(self.name, answer)
        reason = answer.get("stop_reason")
        calls = [part for part in content if isinstance(part, dict) and part.get("type") == "tool_use"]
        texts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return Reply(
            text=joined(texts),
            value=calls[0].get("input") if calls else None,
            cut=reason in CUT,
            refusal="refusal" if reason == "refusal" else "",
        )
