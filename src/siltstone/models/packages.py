"""Reaches optional packages: the files that one carries, without running its code, or its module."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from siltstone.errors import MissingDependency


def package_folder(package: str, extra: str) -> Path:
    """The folder of an installed top-level package, whose code is not run. Raises MissingDependency naming `extra`."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependency(package, extra)
    return Path(spec.submodule_search_locations[0])


def optional_module(package: str, extra: str) -> Any:
    """The imported module of an optional package that has no types. Raises MissingDependency naming `extra`."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingDependency(package, extra) from error
