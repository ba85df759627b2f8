"""Answers of completion servers, in the form of each provider, and what the tests ask for."""

from __future__ import annotations

import json
from typing import Any

from models.scripted import FakeTime, ScriptedServer, Step
from siltstone.models.completion import EndpointCompletion, open_completion
from siltstone.models.http import Policy

KEY = "sk-secret-0123456789"
PROVIDERS = ("anthropic", "openai", "gemini")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": {"type": "string"}}},
    "required": ["words"],
    "additionalProperties": False,
}
WORDS = {"words": ["kettle", "水壶"]}


def make(
    server: ScriptedServer, provider: str = "openai", clock: FakeTime | None = None, **policy: Any
) -> EndpointCompletion:
    """A completion at the scripted server."""
    return open_completion(
        provider,
        model="some-model",
        api_key=KEY,
        base_url=server.url,
        policy=Policy(**policy),
        time=clock.time if clock else None,
    )


def words(completion: EndpointCompletion) -> Any:
    """One question for an object."""
    return completion.complete_json("List the words.", "kettle 水壶", SCHEMA)


def said(provider: str, text: str, *, cut: bool = False) -> Any:
    """An answer that is a text."""
    if provider == "anthropic":
        stop = "max_tokens" if cut else "end_turn"
        return {"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": stop}
    if provider == "gemini":
        finish = "MAX_TOKENS" if cut else "STOP"
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}]}
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}]}


def given(provider: str, value: Any) -> Any:
    """An answer that is an object, as the provider sends one that was asked for."""
    if provider != "anthropic":
        return said(provider, json.dumps(value, ensure_ascii=False))
    call = {"type": "tool_use", "id": "t1", "name": "record_answer", "input": value}
    return {"type": "message", "content": [call], "stop_reason": "tool_use"}


def refused(provider: str) -> Any:
    """An answer in which the model declines."""
    if provider == "anthropic":
        return {"type": "message", "content": [], "stop_reason": "refusal"}
    if provider == "gemini":
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def complaint(status: int, message: str) -> Step:
    """A refusal with the server's own words."""
    return Step(status=status, body={"error": {"message": message}})
