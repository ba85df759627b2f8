"""Where a server is: the URL, taken apart, and shown without its secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from siltstone.errors import InvalidInput, nearest

PORT = 6379
PREFIX = "siltstone"
QUERY = frozenset({"prefix", "db", "ca", "cert", "key", "verify"})
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A server. `socket` names a Unix socket in place of host and port; `prefix` begins every key.

    `ca`, `cert` and `key` name files for TLS; `verify` False accepts any certificate.
    """

    scheme: str
    host: str = "localhost"
    port: int = PORT
    database: int = 0
    username: str = ""
    password: str = ""
    socket: str = ""
    prefix: str = PREFIX
    tls: bool = False
    ca: str = ""
    cert: str = ""
    key: str = ""
    verify: bool = True

    @property
    def shown(self) -> str:
        """The URL as messages may show it: without the password."""
        user = f"{self.username}@" if self.username else ""
        place = f"{self.scheme}+unix://{user}{self.socket}" if self.socket else self._network(user)
        extra = "" if self.prefix == PREFIX else f"?prefix={self.prefix}"
        return f"{place}{extra}"

    def _network(self, user: str) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{user}{host}:{self.port}/{self.database}"


def parse(url: str, *, scheme: str) -> Address:
    """The address that a URL names; `scheme` is the store's, `<scheme>s` means TLS, `<scheme>+unix` a socket.

    User and password may be percent-encoded. Raises InvalidInput, which never shows the password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or PORT
    except ValueError:
        raise InvalidInput(f"this {scheme} URL cannot be read; write {scheme}://user:password@host:port/0") from None
    options = _options(parts, scheme)
    name = parts.scheme.removesuffix("+unix")
    socket = unquote(parts.path) if parts.scheme.endswith("+unix") else ""
    number = options.get("db", "") if socket else parts.path.strip("/") or options.get("db", "")
    return Address(
        scheme=name,
        host="" if socket else parts.hostname or "localhost",
        port=0 if socket else port,
        database=_number(number or "0", scheme),
        username=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        socket=socket,
        prefix=_prefix(options.get("prefix", PREFIX)),
        tls=name == f"{scheme}s",
        ca=options.get("ca", ""),
        cert=options.get("cert", ""),
        key=options.get("key", ""),
        verify=options.get("verify", "yes").lower() not in ("no", "false", "0", "none"),
    )


def _options(parts: SplitResult, scheme: str) -> Mapping[str, str]:
    if parts.scheme not in (scheme, f"{scheme}s", f"{scheme}+unix"):
        raise InvalidInput(f"{parts.scheme!r} is no scheme of this store; write {scheme}://host:port/0")
    found = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in found:
        if name not in QUERY:
            raise InvalidInput(f"a {scheme} URL has no option {name!r}; {nearest(name, QUERY)}")
    return found


def _number(text: str, scheme: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise InvalidInput(f"the database in a {scheme} URL is a number, not {text!r}; write {scheme}://host:port/0")
    return int(text)


def _prefix(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise InvalidInput(f"the prefix of keys cannot be {text!r}; use up to 64 letters, digits, '_', '.', '-'")
    return text
