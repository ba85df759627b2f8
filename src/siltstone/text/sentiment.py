"""The feeling that a text voices: words of a lexicon, turned round by a negation before them. English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from siltstone.text.lexicon import Hit, Lexicon, Token
from siltstone.text.sentiment_words import HARMLESS, NEGATION, NEGATIVE, POSITIVE

SCOPE = 5
"""A negation turns round a feeling word at most this many tokens after it, within its clause."""
_CLOSING = re.compile(r"[^\w'\s]")
_TURNING = frozenset("but though although yet 但 但是 可是 不过 却".split())


def sentiment(text: str) -> int:
    """Positive words minus negative ones, each turned round where a negation stands before it; what follows a "but" counts double.

    0 where nothing is voiced or both sides are even. Raises nothing.
    """
    return sum(sign for _, sign in feelings(text))


def feelings(text: str) -> list[tuple[str, int]]:
    """The feeling words of a text in order, each with its sign after negation; doubled after a turning word."""
    lexicon = _lexicon()
    tokens = lexicon.tokens(text)
    return list(_signed(tokens, lexicon.hits(tokens)))


def _signed(tokens: list[Token], hits: list[Hit]) -> Iterator[tuple[str, int]]:
    negations = [hit for hit in hits if hit.category == "negation"]
    turns = [at for at, token in enumerate(tokens) if token.word in _TURNING]
    for hit in hits:
        if hit.category in ("positive", "negative"):
            sign = 1 if hit.category == "positive" else -1
            for negation in negations:
                if 0 <= hit.first - negation.last < SCOPE and _one_clause(tokens, negation.last, hit.first):
                    sign = -sign
            weight = 2 if any(0 < at < hit.first for at in turns) else 1
            yield "".join(token.word for token in tokens[hit.first : hit.last]), sign * weight


def _one_clause(tokens: list[Token], first: int, last: int) -> bool:
    return not any(_CLOSING.match(token.word) or token.word in _TURNING for token in tokens[first:last])


def phrases(table: str) -> tuple[str, ...]:
    """The phrases of a table that separates them by commas."""
    return tuple(" ".join(phrase.split()) for phrase in table.split(",") if phrase.strip())


@cache
def _lexicon() -> Lexicon:
    tables = {"positive": POSITIVE, "negative": NEGATIVE, "negation": NEGATION, "harmless": HARMLESS}
    return Lexicon({category: phrases(table) for category, table in tables.items()})
