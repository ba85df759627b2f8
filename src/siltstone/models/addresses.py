"""Endpoint addresses: whatever form a person writes a server's address in, the request goes to the right path."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from siltstone.errors import InvalidInput

ENDINGS = ("/chat/completions", "/completions", "/embeddings", "/rerank", "/predict", "/models")
VERSION = re.compile(r"/v\d+[a-z0-9]*(/|$)")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def join_address(base: str, path: str, *, version: str = "") -> str:
    """The full address of `path` ("/embeddings") at a server named by its root, its versioned base or a full address.

    `version` ("/v1") goes between them where the base names none. A base that ends in another endpoint's path stands
    for the server that has both. The query is kept. Raises InvalidInput for what is no http address.
    """
    parts = check_address(base)
    root = parts.path.rstrip("/")
    if not root.endswith(path):
        root = next((root.removesuffix(e) for e in ENDINGS if root.endswith(e) and e != path), root)
        root += path if not version or VERSION.search(root) else version + path
    return urlunsplit(parts._replace(path=root, fragment=""))


def check_address(base: str) -> SplitResult:
    """The parts of an http or https address. Raises InvalidInput, also when a user or password stands in it."""
    parts = urlsplit(base.strip())
    try:
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if "@" in parts.netloc:
        raise InvalidInput(f"the address of {parts.hostname} holds a user or password; put the key in api_key instead")
    if not usable:
        raise InvalidInput(f"{base!r} is no http address; write it like http://localhost:8080/v1")
    return parts


def shown_address(address: str) -> str:
    """The address without its query, which may hold a key: for messages and logs."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))


def is_loopback(address: str) -> bool:
    """True for an address on this machine, which no proxy can reach."""
    return urlsplit(address).hostname in LOOPBACK
