"""Token counters: how much of a model's window a text takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from siltstone.errors import InvalidInput, MissingDependency, nearest
from siltstone.text.tokencount import estimate_tokens

Counter = Callable[[str], int]


def quarter(text: str) -> int:
    """A token for each four characters, as Semantica counts; it takes Chinese for a quarter of what it costs."""
    return len(text) // 4


def exact(text: str) -> int:
    """The tokens of `o200k_base`, the vocabulary of OpenAI's current models; it comes with its package (extra `tokens`)."""
    return len(_encoding().encode(text))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    try:
        return import_module("quicktok").get_encoding("o200k_base")
    except ImportError as error:
        raise MissingDependency("quicktok-v1", "tokens") from error


COUNTERS: dict[str, Counter] = {"quarter": quarter, "estimate": estimate_tokens, "exact": exact}


def counter(named: str | Counter | None) -> Counter:
    """The counter of that name (None: "quarter"), or the function itself. Raises InvalidInput, and MissingDependency."""
    if named is None:
        return quarter
    if callable(named):
        return named
    if named not in COUNTERS:
        raise InvalidInput(f"there is no token counter {named!r}; {nearest(str(named), COUNTERS)}, or give a function")
    if named == "exact":
        _encoding()
    return COUNTERS[named]
