"""The seed's two functions, on every kind of entries and model."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from siltstone.errors import InvalidInput, ModelUnavailable
from siltstone.hosts.bub import SemanticSnapshot, SemanticStore, build_semantic_context, extract_semantics

ANSWER = {
    "entities": [
        {"id": "alice", "type": "person", "name": "Alice", "metadata": {}},
        {"id": "deploy", "type": "task", "name": "deploy_v1", "metadata": {"version": "1.0"}},
        {"name": ""},
        7,
    ],
    "relations": [
        {"from": "alice", "to": "deploy", "type": "created"},
        {"from": "alice", "to": "nobody", "type": "met"},
    ],
}
TEXTS = ("Alice created a task to deploy v1.0", "What did Alice do?")


def _entries(*texts: str) -> list[Any]:
    payloads = [{"role": "user", "content": text} for text in texts or TEXTS]
    return [SimpleNamespace(kind="message", payload=payload, meta={}, date="2026-01-01") for payload in payloads]


class Chat:
    """A model as the seed had one."""

    def __init__(self, answer: str) -> None:
        self.answer, self.asked = answer, list[dict[str, Any]]()

    async def chat_async(self, prompt: str, system_prompt: str, max_tokens: int) -> str:
        self.asked.append({"prompt": prompt, "system_prompt": system_prompt, "max_tokens": max_tokens})
        return self.answer


class Plain(Chat):
    """The same, asked without await."""

    chat_async = None  # type: ignore[assignment]

    def chat(self, **asked: Any) -> str:
        self.asked.append(asked)
        return self.answer


def _as_completion(answer: str) -> Any:
    def complete_json(instructions: str, text: str, schema: Any) -> Any:
        return json.loads(answer)

    return SimpleNamespace(complete_json=complete_json, fingerprint="own")


def _as_function(answer: str) -> Any:
    return lambda prompt, system_prompt, max_tokens: answer


@pytest.mark.parametrize("kind", [Chat, _as_completion, _as_function])
@pytest.mark.parametrize("shape", [list, iter, tuple, lambda entries: (entry for entry in entries)])
def test_any_entries_and_any_model_give_a_snapshot(kind: Callable[[str], Any], shape: Callable[[Any], Any]) -> None:
    """Lists, iterators and one-shot generators, models of every documented kind: the same snapshot."""
    llm = kind(json.dumps(ANSWER))
    snapshot = asyncio.run(extract_semantics(shape(_entries()), llm, "tape", anchor_id="a", max_tokens=500))
    assert [entity.id for entity in snapshot.entities] == ["person:alice", "task:deploy_v1"]
    assert snapshot.entities[1].metadata == {"version": "1.0"}
    assert [(one.from_id, one.type, one.to_id) for one in snapshot.relations] == [
        ("person:alice", "created", "task:deploy_v1")
    ]
    assert (snapshot.tape_id, snapshot.anchor_id) == ("tape", "a")


def test_a_model_is_asked_once_for_the_conversation_alone() -> None:
    """One question holds what was said, and no system prompt; the limit is the one that was given."""
    llm = Chat(json.dumps(ANSWER))
    entries = [SimpleNamespace(kind="system", payload={"content": "SECRET PROMPT"}, meta={}, date=""), *_entries()]
    asyncio.run(extract_semantics(entries, llm, "tape", max_tokens=321))
    (asked,) = llm.asked
    assert "Alice created a task" in asked["prompt"] and "SECRET" not in asked["prompt"]
    assert asked["max_tokens"] == 321 and "JSON" in asked["system_prompt"]


@pytest.mark.parametrize("wrap", ["```json\n{}\n```", "Sure:\n{}\nDone", "<think>hm</think>{}"])
def test_a_wrapped_answer_is_read(wrap: str) -> None:
    """Fences, prose and thoughts around the object do not matter."""
    llm = Chat(wrap.replace("{}", json.dumps(ANSWER)))
    assert len(asyncio.run(extract_semantics(_entries(), llm, "t")).entities) == 2


def test_a_cut_answer_keeps_its_whole_items() -> None:
    """What was complete before the cut is kept."""
    llm = Chat(json.dumps(ANSWER)[:150])
    assert asyncio.run(extract_semantics(_entries(), llm, "t")).entities[0].name == "Alice"


def _raising(**asked: Any) -> str:
    raise ConnectionError("no route")


@pytest.mark.parametrize(
    "llm", [Chat("I cannot do that"), Chat('{"entities": [{"nam'), _raising, Plain(json.dumps({"facts": []}))]
)
def test_a_failure_is_an_empty_snapshot_and_a_warning(llm: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A model that fails or answers nonsense costs a line in the log and nothing else."""
    with caplog.at_level(logging.WARNING):
        snapshot = asyncio.run(extract_semantics(_entries(), llm, "t"))
    assert not snapshot and len(caplog.records) == 1


def test_no_model_means_the_rules() -> None:
    """Without a model the rules find the seed's own example."""
    snapshot = asyncio.run(extract_semantics(iter(_entries()), None, "t"))
    assert {"person:alice", "task:deploy_v1"} <= {entity.id for entity in snapshot.entities}
    assert ("person:alice", "created", "task:deploy_v1") in [(r.from_id, r.type, r.to_id) for r in snapshot.relations]


def test_nothing_said_asks_nobody() -> None:
    """No entries, no question."""
    llm = Chat("{}")
    assert not asyncio.run(extract_semantics([], llm, "t")) and llm.asked == []


def test_what_cannot_be_asked_is_an_error() -> None:
    """An object that is no model is refused by name."""
    with pytest.raises(InvalidInput, match="chat_async"):
        asyncio.run(extract_semantics(_entries(), 7, "t"))


def test_the_second_turn_sees_what_the_first_said(tmp_path: Any) -> None:
    """The block of the seed's example stands in front of the last user message, and the entries stay as they were."""
    store, context = SemanticStore(tmp_path), SimpleNamespace(state={"session_id": "cli:local"})
    llm = Chat(json.dumps(ANSWER))
    entries = _entries()
    asyncio.run(build_semantic_context(iter(entries[:1]), context, llm=llm, store=store))
    messages = asyncio.run(build_semantic_context(iter(entries), context, llm=None, store=store))
    content = messages[-1]["content"]
    assert content.startswith("<semantic_memory>\n## Semantic Memory") and content.endswith("What did Alice do?")
    assert "### Entities (2):\n- task:deploy_v1 (version=1.0)\n- person:alice" in content
    assert "- alice --created--> deploy_v1" in content
    assert entries[-1].payload == {"role": "user", "content": "What did Alice do?"}
    assert (tmp_path / "cli:local.jsonl").exists()


@pytest.mark.parametrize("given", [{}, {"llm": Chat("{}")}])
def test_without_a_store_nothing_is_added(given: dict[str, Any]) -> None:
    """The documented default answers the conversation as it is, asking nobody."""
    messages = asyncio.run(build_semantic_context(_entries(), SimpleNamespace(state={}), **given))
    assert [message["content"] for message in messages] == list(TEXTS)
    assert all(llm.asked == [] for llm in given.values())


def test_tool_calls_and_anchors_stay_in_the_conversation() -> None:
    """The messages are those that Bub itself makes: calls with their content and results with their ids."""
    call = {"id": "c1", "function": {"name": "bash", "arguments": "{}"}}
    kinds = [
        ("anchor", {"name": "p", "state": {"summary": "s"}}),
        ("tool_call", {"calls": [call], "content": "Looking"}),
        ("tool_result", {"results": ["done", {"ok": True}]}),
    ]
    entries = [{"kind": kind, "payload": payload} for kind, payload in kinds]
    anchor, called, first, second = asyncio.run(build_semantic_context(entries, None))
    assert anchor["content"].startswith("[Anchor created: p]")
    assert called == {"role": "assistant", "content": "Looking", "tool_calls": [call]}
    assert first == {"role": "tool", "content": "done", "tool_call_id": "c1", "name": "bash"}
    assert second == {"role": "tool", "content": '{"ok": true}'}


def test_a_store_of_ones_own_may_be_plain_or_awaited() -> None:
    """Any object with append and load will do."""

    class Drawer:
        held: list[SemanticSnapshot]

        def __init__(self) -> None:
            self.held = []

        async def append(self, tape_id: str, snapshot: SemanticSnapshot) -> None:
            self.held.append(snapshot)

        def load(self, tape_id: str) -> list[SemanticSnapshot]:
            return self.held

    drawer = Drawer()
    messages = asyncio.run(
        build_semantic_context(_entries(), SimpleNamespace(state={}), Chat(json.dumps(ANSWER)), drawer)
    )
    assert len(drawer.held) == 1 and "person:alice" in messages[-1]["content"]


def test_an_extractor_of_ones_own_that_fails_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """An extractor tells of its failure as models do."""

    class Away:
        name = "away/1"

        def read(self, texts: Any, known: Any) -> Any:
            raise ModelUnavailable("the extractor is away; try later")

    assert not asyncio.run(extract_semantics(_entries(), Away(), "t"))
    assert "away" in caplog.text
