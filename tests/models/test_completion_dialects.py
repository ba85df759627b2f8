"""Rules of how each provider is asked, and of learning what a server takes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from models.completions import KEY, PROVIDERS, SCHEMA, WORDS, complaint, given, make, said, words
from models.scripted import ScriptedServer, Step
from siltstone.models.completion import open_completion
from siltstone.models.completion_gemini import gemini_schema
from siltstone.models.completion_openai import is_strict

MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
)
TEMPERATURE = "Unsupported value: 'temperature' does not support 0 with this model."
FORMAT = "This response_format type is unavailable now"


def test_openai_is_asked_for_a_schema(server: ScriptedServer) -> None:
    """The request holds the schema as a strict response format, temperature 0, a limit and both texts."""
    server.steps = [Step(body=given("openai", WORDS))]
    words(make(server))
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.body["response_format"]["json_schema"] == {"name": "answer", "schema": SCHEMA, "strict": True}
    assert (seen.body["temperature"], seen.body["max_tokens"], seen.body["model"]) == (0, 2048, "some-model")
    assert [message["content"] for message in seen.body["messages"]] == ["List the words.", "kettle 水壶"]


def test_anthropic_is_asked_for_a_tool_call(server: ScriptedServer) -> None:
    """The request forces one tool whose input has the schema, with the version header and temperature 0."""
    server.steps = [Step(body=given("anthropic", WORDS))]
    words(make(server, "anthropic"))
    (seen,) = server.seen
    assert (seen.path, seen.headers["anthropic-version"]) == ("/v1/messages", "2023-06-01")
    assert seen.body["tools"][0]["input_schema"] == SCHEMA
    assert seen.body["tool_choice"] == {"type": "tool", "name": seen.body["tools"][0]["name"]}
    assert (seen.body["temperature"], seen.body["max_tokens"], seen.body["system"]) == (0, 2048, "List the words.")


def test_gemini_is_asked_for_a_schema(server: ScriptedServer) -> None:
    """The request names the model in its path and holds the schema in the provider's own language."""
    server.steps = [Step(body=given("gemini", WORDS))]
    words(make(server, "gemini"))
    (seen,) = server.seen
    assert seen.path == "/v1beta/models/some-model:generateContent"
    settings = seen.body["generationConfig"]
    assert (settings["temperature"], settings["maxOutputTokens"]) == (0, 2048)
    assert settings["responseMimeType"] == "application/json"
    assert settings["responseSchema"] == {
        "type": "OBJECT",
        "required": ["words"],
        "properties": {"words": {"type": "ARRAY", "items": {"type": "STRING"}}},
        "propertyOrdering": ["words"],
    }


def test_gemini_schemas_may_be_null_and_counted() -> None:
    """A type that may be null becomes `nullable`, bounds stay, and keywords that are not known are left out."""
    schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1, "exclusiveMinimum": 0, "title": "x"}
    assert gemini_schema(schema) == {"type": "NUMBER", "nullable": True, "minimum": 0, "maximum": 1}


def test_thoughts_of_gemini_are_left_out(server: ScriptedServer) -> None:
    """Parts that are marked as thoughts do not count as the answer."""
    parts = [{"text": "thinking", "thought": True}, {"text": "Tea."}]
    server.steps = [Step(body={"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})]
    assert make(server, "gemini").complete_text("Sum up.", "tea", 9) == "Tea."


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (SCHEMA, True),
        ({"type": "object", "properties": {}, "additionalProperties": False}, True),
        ({**SCHEMA, "required": []}, False),
        ({**SCHEMA, "additionalProperties": True}, False),
        ({**SCHEMA, "properties": {"words": {"type": "array", "items": {"type": "object", "properties": {}}}}}, False),
    ],
)
def test_strictness_is_asked_for_where_the_schema_allows_it(schema: dict[str, Any], strict: bool) -> None:
    """A schema is strict when each of its objects is closed and requires all of its properties."""
    assert is_strict(schema) is strict


def test_a_schema_that_is_not_taken_goes_into_the_instructions(server: ScriptedServer) -> None:
    """A server without json_schema is asked for a JSON object, then in words alone, and from then on right away."""
    server.steps = [complaint(400, FORMAT), complaint(422, FORMAT)] + [Step(body=said("openai", '{"words": []}'))] * 2
    completion = make(server)
    assert words(completion) == words(completion) == {"words": []}
    formats = [seen.body.get("response_format", {}).get("type") for seen in server.seen]
    assert formats == ["json_schema", "json_object", None, None]
    assert '"words"' in server.seen[1].body["messages"][0]["content"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_can_do_without_a_schema(server: ScriptedServer, provider: str) -> None:
    """Where no structure is taken, the schema stands in the instructions and the answer is read from the text."""
    server.steps = [complaint(400, FORMAT), complaint(400, FORMAT), Step(body=said(provider, json.dumps(WORDS)))]
    assert words(make(server, provider)) == WORDS
    assert "JSON schema" in json.dumps(server.seen[2].body)


def test_parameters_that_are_not_taken_are_left_out(server: ScriptedServer) -> None:
    """A limit by its older name and a temperature are given up when the server says so, and stay given up."""
    server.steps = [complaint(400, MAX_TOKENS), complaint(400, TEMPERATURE)] + [Step(body=given("openai", WORDS))] * 2
    completion = make(server)
    assert words(completion) == words(completion) == WORDS
    assert len(server.seen) == 4
    last = server.seen[-1].body
    assert ("temperature" in last, "max_tokens" in last, last["max_completion_tokens"]) == (False, False, 2048)


def test_an_unreadable_answer_is_asked_for_once_more(server: ScriptedServer) -> None:
    """An answer without an object is asked for again, with the schema in words; the second one counts."""
    server.steps = [Step(body=said("openai", "Sure, let me see.")), Step(body=given("openai", WORDS))]
    assert words(make(server)) == WORDS
    assert "JSON schema" in server.seen[1].body["messages"][0]["content"]


def test_a_cut_answer_is_asked_for_with_more_room(server: ScriptedServer) -> None:
    """An object that the token limit cut is asked for again with twice the limit."""
    server.steps = [Step(body=said("openai", '{"words": ["kett', cut=True)), Step(body=given("openai", WORDS))]
    assert words(make(server)) == WORDS
    assert [seen.body["max_tokens"] for seen in server.seen] == [2048, 4096]


@pytest.mark.parametrize("ending", ["", "/v1", "/v1/chat/completions"])
def test_any_form_of_an_address_is_understood(server: ScriptedServer, ending: str) -> None:
    """A server's root, its versioned base and the full endpoint name the same place."""
    server.steps = [Step(body=given("openai", WORDS))]
    words(open_completion("openai", model="m", base_url=server.url + ending))
    assert server.seen[0].path == "/v1/chat/completions"


def test_without_a_key_none_is_sent(server: ScriptedServer) -> None:
    """A server that wants no key gets no header for one."""
    server.default = lambda body: given("anthropic", WORDS)
    words(open_completion("anthropic", model="m", base_url=server.url))
    assert "x-api-key" not in server.seen[0].headers


def test_nul_and_half_pairs_are_sent_harmlessly(server: ScriptedServer) -> None:
    """NUL is left out of what is sent, half a surrogate pair is sent as a question mark."""
    server.steps = [Step(body=said("openai", "ok"))]
    make(server).complete_text("Sum up.", "a\0b\ud800c", 9)
    assert server.seen[0].body["messages"][1]["content"] == "ab?c"


def test_the_fingerprint_names_provider_and_model() -> None:
    """The fingerprint holds no address, which may change, and asks nobody."""
    assert open_completion("gemini", model="m-1", api_key=KEY).fingerprint == "gemini/m-1"
