"""The acceptance tests of the context reference, on every kind of store."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

from siltstone import Memory
from siltstone.context import AgentContext
from siltstone.errors import InvalidInput


def _fill(agent: AgentContext, user_id: str, mark: str) -> None:
    entities = [{"id": "python", "text": "Python", "type": "language"}]
    for number in range(3):
        agent.store(
            f"{mark} writes Python {number}",
            user_id=user_id,
            conversation_id="c1",
            memory_id=f"m{number}",
            entities=entities,
        )


def test_forgetting_a_user_takes_exactly_theirs(agent: AgentContext) -> None:
    """`forget(user_id=…)` removes that user's memories from every tier, counts them, and leaves the others alone."""
    _fill(agent, "alice", "Alice")
    _fill(agent, "bob", "Bob")
    assert agent.forget(user_id="alice") == 3
    assert (agent.count(user_id="alice"), agent.count(user_id="bob")) == (0, 3)
    assert agent.memory.buffer("alice") == [] and len(agent.memory.buffer("bob")) == 3
    assert agent.graph.find_nodes(user_id="alice") == [] and len(agent.graph.find_nodes(user_id="bob")) == 1
    assert agent.retrieve("Python", user_id="alice") == []
    assert agent.forget(user_id="alice") == 0


@pytest.mark.parametrize(
    "selector",
    [
        {},
        {"nonsense": 1},
        {"user_id": ""},
        {"conversation_id": ""},
        {"memory_id": ""},
        {"memory_id": []},
        {"type": " "},
    ],
)
def test_forgetting_needs_a_selector_that_means_something(agent: AgentContext, selector: dict[str, Any]) -> None:
    """No selector, an unknown one or an empty value raises, and nothing is forgotten."""
    agent.store("kept")
    with pytest.raises((InvalidInput, TypeError)):
        agent.forget(**selector)
    assert agent.count() == 1
    assert agent.forget(all=True) == 1


@pytest.mark.parametrize("use_graph", [True, False])
def test_retrieving_writes_nothing_and_repeats_itself(engine: Memory, use_graph: bool) -> None:
    """The whole store is the same before and after a retrieval, and the same question gives the same answer."""
    agent = AgentContext(memory=engine, user_id="alice")
    _fill(agent, "alice", "Alice")
    agent.graph.add_edges([{"source_id": "coding", "target_id": "python", "weight": 0.8}])
    before = engine.fingerprint(user_id="alice"), list(engine.export(user_id="alice"))
    first = agent.retrieve("Coding", use_graph=use_graph)
    assert agent.retrieve("Coding", use_graph=use_graph) == first
    assert (engine.fingerprint(user_id="alice"), list(engine.export(user_id="alice"))) == before
    assert bool(first) is use_graph


def test_a_user_never_sees_another(agent: AgentContext) -> None:
    """With the same ids, texts and entities on both sides, everything that one does leaves the other unseen and whole."""
    _fill(agent, "alice", "The same")
    _fill(agent, "bob", "The same")
    agent.store("a secret of Bob in Python", user_id="bob", memory_id="secret", conversation_id="c1")
    agent.graph.add_edges([{"source_id": "python", "target_id": "secret_project"}], user_id="bob")
    before = agent.memory.engine.fingerprint(user_id="bob")
    seen = repr(
        [
            agent.retrieve("Python secret", user_id="alice", max_results=50, include_relationships=True),
            agent.list(user_id="alice"),
            agent.conversation("c1", user_id="alice"),
            agent.export(user_id="alice"),
            agent.get("secret", user_id="alice"),
            agent.graph.get_neighbors("python", hops=3, user_id="alice"),
            agent.graph.query("secret", user_id="alice"),
            agent.graph.to_dict(user_id="alice"),
            agent.link("python secret_project", user_id="alice"),
        ]
    )
    assert "secret" not in seen.replace("'secret_project', user", "") and "bob" not in seen
    assert (agent.count(user_id="alice"), agent.count(user_id="bob")) == (3, 4)
    assert agent.update("m0", "changed", user_id="alice") is True
    assert agent.update("secret", "changed", user_id="alice") is False
    assert agent.forget(["m0", "secret"], user_id="alice") == 1
    assert agent.forget(user_id="alice", all=True) == 2
    assert agent.memory.engine.fingerprint(user_id="bob") == before


def test_importing_is_quick() -> None:
    """`import siltstone.context` in a fresh interpreter takes less than 0.3 s of processor time, and loads nothing else."""
    code = "import sys, time; a = time.process_time(); import siltstone.context; assert 'numpy' not in sys.modules; "
    code += "print(time.process_time() - a)"
    took = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    )
    assert took < 0.3


@pytest.mark.slow
def test_storing_does_not_slow_down() -> None:
    """Of 10,000 stores the last ones cost about what the first ones did."""
    agent = AgentContext("memory://", user_id="ana")
    costs = []
    for number in range(10_000):
        began = time.process_time()
        agent.store(f"note {number} about topic{number % 97} and place{number % 89}")
        costs.append(time.process_time() - began)
    assert sum(costs[-2000:]) < 3 * sum(costs[1000:3000])


def test_it_is_the_same_memory(engine: Memory) -> None:
    """What a context stores, `Memory.retrieve` finds, and the other way round; extracted entities are nodes of the graph."""
    agent = AgentContext(memory=engine)
    stored = agent.store("Grace moved to Lisbon in March", user_id="ana", extract_entities=True)
    told = engine.add("The boiler was serviced by Henrik", user_id="ana").id
    assert engine.retrieve("Lisbon", user_id="ana").hits[0].id == stored
    assert agent.retrieve("boiler", user_id="ana")[0]["memory_id"] == told
    nodes = {node.name for node in engine.graph.nodes(user_id="ana")}
    assert "Grace" in nodes and "Lisbon" in nodes
    assert {node["content"] for node in agent.graph.find_nodes(user_id="ana")} >= {"Grace", "Lisbon"}
    assert engine.replay(user_id="ana").same


def test_beliefs_are_nodes_of_the_graph(context: AgentContext) -> None:
    """A memory that is also learned from becomes a belief, and the belief a node that a walk reaches."""
    context.store("I finally quit smoking after ten years, I am so proud!", user_id="ana", learn=True)
    kinds = {node["type"] for node in context.graph.find_nodes(user_id="ana")}
    assert kinds & {"episode", "snapshot", "chain"}
