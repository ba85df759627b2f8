"""The set of questions over one and two hops: what it is, and what the graph is worth on it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "context" / "multihop.py"


@pytest.fixture(scope="module")
def multihop() -> ModuleType:
    """The benchmark's own script."""
    if not SCRIPT.exists():
        pytest.fail("bench/context/multihop.py is not there; the set of questions is part of the repository")
    spec = importlib.util.spec_from_file_location("multihop", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["multihop"] = module
    spec.loader.exec_module(module)
    return module


def test_no_answer_shares_a_word_with_its_question(multihop: ModuleType) -> None:
    """There are at least 80 questions, half of them over two hops, and not even a small word is shared."""
    found = multihop.questions()
    assert len(found) >= 80 and sum(item.hops == 2 for item in found) >= 40
    words = [
        (set(re.findall(r"\w+", item.text.lower())), set(re.findall(r"\w+", item.answer.lower()))) for item in found
    ]
    assert [sorted(asked & told) for asked, told in words if asked & told] == []


def test_the_graph_is_worth_25_points(multihop: ModuleType) -> None:
    """Recall@5 with α = .5 is at least 25 points above α = 0, and α = 1 finds what the graph leads to."""
    assert multihop.recall(0.5) >= multihop.recall(0.0) + 0.25
    assert multihop.recall(1.0) >= 0.9
