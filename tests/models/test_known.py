"""Rules of what is known about models by name."""

from __future__ import annotations

import pytest

from siltstone.models.known import MODELS, OTHER_NAMES, known_model


@pytest.mark.parametrize(
    ("name", "dimension"),
    [
        ("text-embedding-3-small", 1536),
        ("nomic-ai/nomic-embed-text-v1.5", 768),
        ("nomic-embed-text:latest", 768),
        ("Qwen/Qwen3-Embedding-0.6B", 1024),
        ("qwen3-embedding:8b", 4096),
        ("BAAI/bge-m3", 1024),
    ],
)
def test_a_model_is_known_by_all_its_usual_names(name: str, dimension: int) -> None:
    """Owner, tag and case do not matter."""
    known = known_model(name)
    assert known
    assert known.dimension == dimension


def test_a_size_that_differs_by_tag_is_not_guessed() -> None:
    """A name whose tag decides the size is unknown without that tag."""
    assert known_model("qwen3-embedding") is None
    assert known_model("somebody/new-model") is None


def test_every_cut_is_shorter_than_the_whole() -> None:
    """The table holds together: cuts are below the full size, and other names lead to models that are in it."""
    assert all(0 <= known.smallest < known.dimension for known in MODELS.values())
    assert set(OTHER_NAMES.values()) <= MODELS.keys()
    assert all(name == name.lower() for name in [*MODELS, *OTHER_NAMES])
