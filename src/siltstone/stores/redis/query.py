"""Index terms as the server's query language takes them: nothing but plain words ever reaches its parser."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

_PLAIN = re.compile(r"[^\W_]+")


def words(terms: str) -> str:
    """The index terms of a record, joined by blanks, as words of the index."""
    return " ".join(map(word, terms.split()))


def word(term: str) -> str:
    """A term as one word: as it is where it has only letters and digits, else in hex, so that it is not cut apart."""
    return term if _PLAIN.fullmatch(term) else f"x{term.encode('utf-8', 'surrogatepass').hex()}"


def tag(kind: str) -> str:
    """A kind of record as a tag: hashed, for its characters may mean something to the parser."""
    return "k" + hashlib.sha256(kind.encode()).hexdigest()[:16]


def any_of(terms: Sequence[str], kind: str) -> str:
    """The query for records of that kind with any of these terms; "" without terms.

    The filter stands beside each term: RediSearch 2.10 scores a filter beside a union of three or more wrongly.
    """
    unique = dict.fromkeys(word(term) for term in terms if term.strip())
    return " | ".join(f"(@words:{name} @kind:{{{tag(kind)}}})" for name in unique)
