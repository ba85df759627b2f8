"""The public API as text: what `public_api.txt` must hold. Run as a script, it writes that file."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("public_api.txt")

MODULES = (
    "siltstone",
    "siltstone.context",
    "siltstone.domain.options",
    "siltstone.errors",
    "siltstone.ports.clock",
    "siltstone.ports.models",
    "siltstone.ports.stores",
    "siltstone.settings",
    "siltstone.testing",
)


def render() -> str:
    """One block a module: its public names in order, each class with its bases, fields, methods and properties."""
    return "\n\n".join("\n".join(_module(name)) for name in MODULES) + "\n"


def _module(name: str) -> Iterator[str]:
    module = import_module(name)
    yield name
    for public in sorted(getattr(module, "__all__", None) or _own(module)):
        value = getattr(module, public)
        if inspect.isclass(value):
            yield from _class(value)
        elif inspect.isroutine(value):
            yield f"  {public}{_signature(value)}"
        else:
            yield f"  {public}: {type(value).__name__}"


def _own(module: Any) -> list[str]:
    """Public classes and functions that a module without `__all__` defines itself."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__ and callable(value)
    ]


def _class(kind: type) -> Iterator[str]:
    bases = ", ".join(base.__name__ for base in kind.__bases__ if base is not object)
    yield f"  class {kind.__name__}({bases})" if bases else f"  class {kind.__name__}"
    if not dataclasses.is_dataclass(kind):
        said = inspect.get_annotations(kind)
        yield from (f"    {name}: {_bare(said[name])!r}" for name in said if not name.startswith("_"))
    for name, member in sorted(vars(kind).items()):
        made = name == "__init__" and not getattr(kind, "_is_protocol", False)
        if made or not name.startswith("_"):
            yield from _member(name, member)


def _member(name: str, member: Any) -> Iterator[str]:
    prefix = {classmethod: "classmethod ", staticmethod: "staticmethod "}.get(type(member), "")
    function = getattr(member, "__func__", member)
    if isinstance(member, property) and member.fget is not None:
        yield f"    property {name}: {_signature(member.fget).return_annotation!r}"
    elif isinstance(member, cached_property):
        yield f"    property {name}: {_signature(member.func).return_annotation!r}"
    elif inspect.isroutine(function):
        yield f"    {prefix}{name}{_signature(function)}"


class _Bare(str):
    """An annotation, shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _bare(annotation: Any) -> Any:
    written = getattr(annotation, "__forward_arg__", annotation)
    return _Bare(written) if isinstance(written, str) else written


def _signature(function: Any) -> inspect.Signature:
    signature = inspect.signature(function)
    parameters = [known.replace(annotation=_bare(known.annotation)) for known in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=_bare(signature.return_annotation))


if __name__ == "__main__":
    FILE.write_text(render(), encoding="utf-8")
