"""Turns of a real Bub: what is put in front of a message, what is kept, what is never recorded."""

from __future__ import annotations

import json
from typing import Any

from hosts.bub.conftest import Bub, reads

ALICE = {
    "entities": [
        {"id": "alice", "type": "person", "name": "Alice", "in": 1},
        {"id": "deploy_v1", "type": "task", "name": "deploy_v1", "metadata": {"version": "1.0"}, "in": 1},
    ],
    "relations": [{"from": "alice", "to": "deploy_v1", "type": "created", "in": 1}],
}


def test_the_plugin_loads_by_its_entry_point(bub: Bub) -> None:
    """Bub finds the plugin, and loading it is no warning."""
    assert bub.open() == {"builtin": True, "memory": True}
    assert bub.log == []


def test_the_second_turn_knows_what_the_first_said(bub: Bub) -> None:
    """The seed's own example: who and what, and how they relate, in the documented form."""
    bub.stub.rules = [reads(ALICE)]
    bub.open()
    assert bub.say("Alice created a task to deploy v1.0")["reply"] == "stub-reply #1"
    bub.say("What did Alice do?")
    first, second = bub.blocks()
    assert first == ""
    assert "## Semantic Memory" in second
    assert "### Entities (2):\n- person:alice\n- task:deploy_v1 (version=1.0)\n" in second
    assert "### Relations (1):\n- alice --created--> deploy_v1\n" in second
    assert len(bub.readings) == 2
    assert bub.log == []
