"""Objects that a setting names as `package.module:object`."""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from typing import Any

from siltstone.errors import InvalidInput


def named(path: str) -> Any:
    """The object; one that is a class is made without arguments. Raises InvalidInput where there is none."""
    module, _, name = path.partition(":")
    try:
        found: Any = reduce(getattr, name.split("."), import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidInput(
            f"{path!r} names nothing that can be loaded: {error}; write package.module:object"
        ) from error
    return found() if isinstance(found, type) else found
