"""Completion in the form of Gemini: `POST /v1beta/models/{model}:generateContent`, an object by `responseSchema`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from siltstone.models.completion_form import OBJECT, PLAIN, SCHEMA, Form, Reply, Request, invalid, joined, with_schema

REFUSALS = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")
KNOWN = ("description", "enum", "format", "minItems", "maxItems", "minimum", "maximum", "nullable", "required")
"""The keywords of JSON Schema that `responseSchema` has too; it refuses a request that holds another one."""


class GeminiDialect:
    """One user turn with a system instruction. The model's own thoughts are left out of what it says."""

    name = "gemini"
    address = "https://generativelanguage.googleapis.com/v1beta"
    version = "/v1beta"
    key_header = "x-goog-api-key"
    headers: Mapping[str, str] = MappingProxyType({})

    def path(self, model: str) -> str:
        """The model's own endpoint."""
        return f"/models/{quote(model.removeprefix('models/'), safe='')}:generateContent"

    def body(self, model: str, request: Request, form: Form) -> dict[str, Any]:
        """The turn, the instructions and the generation settings."""
        instructions = request.instructions
        settings: dict[str, Any] = {"maxOutputTokens": request.limit}
        if form.temperature:
            settings["temperature"] = 0
        if request.schema is not None:
            if form.structure != PLAIN:
                settings["responseMimeType"] = "application/json"
            if form.structure == SCHEMA:
                settings["responseSchema"] = gemini_schema(request.schema)
            if form.structure in (OBJECT, PLAIN):
                instructions = with_schema(instructions, request.schema)
        return {
            "systemInstruction": {"parts": [{"text": instructions}]},
            "contents": [{"role": "user", "parts": [{"text": request.text}]}],
            "generationConfig": settings,
        }

    def read(self, answer: Any) -> Reply:
        """The first candidate's parts."""
        if not isinstance(answer, dict):
            raise invalid(self.name, answer)
        feedback, candidates = answer.get("promptFeedback"), answer.get("candidates")
        blocked = feedback.get("blockReason") if isinstance(feedback, dict) else None
        candidate = candidates[0] if isinstance(candidates, list) and candidates else None
        if blocked:
            return Reply(refusal=str(blocked))
        if not isinstance(candidate, dict):
            raise invalid(self.name, answer)
        reason, content = candidate.get("finishReason"), candidate.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        said = [part for part in parts or () if isinstance(part, dict) and not part.get("thought")]
        return Reply(text=joined(said), cut=reason == "MAX_TOKENS", refusal=reason if reason in REFUSALS else "")


def gemini_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema in the smaller language of `responseSchema`, properties in the order in which they are given."""
    kinds = schema.get("type", "string")
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    named = [kind for kind in kinds if kind != "null"]
    found: dict[str, Any] = {"type": (named or ["string"])[0].upper()}
    if "null" in kinds:
        found["nullable"] = True
    found |= {key: schema[key] for key in KNOWN if key in schema}
    if "items" in schema:
        found["items"] = gemini_schema(schema["items"])
    if "properties" in schema:
        found["properties"] = {name: gemini_schema(inner) for name, inner in schema["properties"].items()}
        found["propertyOrdering"] = list(schema["properties"])
    return found
