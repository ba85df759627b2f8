"""Siltstone's long-term memory for Bub: the plugin, and the functions and values that its snapshots are made with.

Importing this package loads neither Bub nor anything else; each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siltstone.hosts.bub.block import Contents, Link, Note, Thing, render
    from siltstone.hosts.bub.plugin import MemoryPlugin
    from siltstone.hosts.bub.reader import SemanticReader
    from siltstone.hosts.bub.semantics import build_semantic_context, extract_semantics
    from siltstone.hosts.bub.snapshots import Entity, Relation, SemanticSnapshot, SemanticStore

_HOME = {
    "Contents": "block",
    "Entity": "snapshots",
    "Link": "block",
    "MemoryPlugin": "plugin",
    "Note": "block",
    "Relation": "snapshots",
    "SemanticReader": "reader",
    "SemanticSnapshot": "snapshots",
    "SemanticStore": "snapshots",
    "Thing": "block",
    "build_semantic_context": "semantics",
    "extract_semantics": "semantics",
    "render": "block",
}

__all__ = [
    "Contents",
    "Entity",
    "Link",
    "MemoryPlugin",
    "Note",
    "Relation",
    "SemanticReader",
    "SemanticSnapshot",
    "SemanticStore",
    "Thing",
    "build_semantic_context",
    "extract_semantics",
    "render",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
