"""The template facts in English and Chinese: every question finds its fact first, on SQLite and on Redis."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hosts.hermes.homes import SESSION, Home
from servers import running
from siltstone.hosts.hermes.provider import Provider


@pytest.fixture(params=["sqlite", "redis"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A store of each kind that the plugin is set up with."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/memory.db"
        return
    with running() as server:
        yield server.url()


@pytest.mark.parametrize(("name", "questions"), [("en", 1200), ("zh", 300)])
def test_every_question_finds_its_fact_first(
    evaluation_data: Path, tmp_path: Path, url: str, name: str, questions: int
) -> None:
    """hit@1 is 100 % in every phrasing, through the hooks that the host calls."""
    told = json.loads((evaluation_data / "fact-sets" / f"{name}.json").read_text("utf-8"))
    facts = {fact["id"]: fact for fact in told["facts"]}
    asked, missed = 0, []
    with Home(tmp_path / "home", url=url).session() as provider:
        for fact_id in told["insert_order"]:
            provider.on_memory_write("add", "memory", facts[fact_id]["text"])
        for phrasing, template in told["phrasings"].items():
            for fact in facts.values():
                question = template.format(subject=fact["subject"], attribute=fact["attribute"])
                asked += 1
                if fact["text"] not in _first(provider, question):
                    missed.append((phrasing, question))
    assert asked == questions
    assert missed == []


def _first(provider: Provider, question: str) -> str:
    """The first memory for a question, with nothing carried over from the one before."""
    provider.on_session_switch(SESSION, reset=True)
    lines = [line for line in provider.prefetch(question).splitlines() if line.startswith("- ")]
    return lines[0] if lines else ""
