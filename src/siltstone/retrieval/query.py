"""The query: checked text, and what it means to one user's memory: terms, a named speaker, time windows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from siltstone.domain.filters import Filter
from siltstone.errors import InvalidInput
from siltstone.retrieval.corpus import Corpus
from siltstone.text import checks
from siltstone.text.dates import TimePhrase, time_phrases
from siltstone.text.normal import cjk_share, fold
from siltstone.text.tokens import query_terms, terms

MOST_TOP_K = 1000
MOST_TERMS = 64
MOSTLY = 0.5
SCANNED = 2000
WHEN = re.compile(
    r"\W*(?:when|since when|how long|(?:what|which) (?:year|month|date|day|time))\b|什么时候|何时|哪[天年]|几[月号]|多久",
    re.IGNORECASE,
)

Window = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a memory, checked."""

    text: str
    top_k: int
    wanted: Filter
    recent_session: str | None
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A request as one corpus reads it.

    `terms` are distinct; `speaker` is the code of the one speaker whom the text names, or -1; `windows` are the days
    (first, last, as ordinals) that it asks about; `asks_when` says that it asks for a time.
    """

    terms: tuple[str, ...]
    speaker: int = -1
    windows: tuple[Window, ...] = ()
    asks_when: bool = False
    cjk: bool = False


def request(query: object, *, top_k: object, wanted: Filter, recent_session: str | None, now: datetime) -> Request:
    """The checked request. Raises InvalidInput for a blank query, a `top_k` below 1, an unusable session name."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(f"the query {query!r} asks nothing; give some text")
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 0 < top_k <= MOST_TOP_K:
        raise InvalidInput(f"top_k cannot be {top_k!r}; give a number from 1 to {MOST_TOP_K}")
    session = checks.name("recent_session", recent_session)
    return Request(text=checks.text(query), top_k=top_k, wanted=wanted, recent_session=session, now=now)


def read(asked: Request, corpus: Corpus) -> Query:
    """What the request means in this corpus. Time phrases and a named speaker are taken out of the terms."""
    phrases = time_phrases(asked.text[:SCANNED], reference=asked.now)
    plain = _without(asked.text, phrases)
    found = query_terms(plain) or query_terms(asked.text)
    named = _named(plain, found, corpus)
    names = {term for code in named for term in terms(corpus.speakers.names[code])}
    kept = [term for term in found if term not in names] or found
    return Query(
        terms=tuple(_rarest(kept, corpus)),
        speaker=named[0] if len(named) == 1 else -1,
        windows=tuple(window for phrase in phrases for window in _windows(phrase, corpus.years)),
        asks_when=WHEN.match(asked.text) is not None,
        cjk=cjk_share(asked.text) > MOSTLY,
    )


def _without(text: str, phrases: Sequence[TimePhrase]) -> str:
    if not phrases:
        return text
    text = " ".join(text.split())
    for phrase in phrases:
        text = text.replace(phrase.text, " ", 1)
    return text


def _named(text: str, found: Sequence[str], corpus: Corpus) -> list[int]:
    """The codes of the speakers whose name, or a whole word of it, is in the text."""
    have, folded = set(found), fold(text)
    codes = []
    for code, name in enumerate(corpus.speakers.names):
        words = fold(name).split()
        if any(word in folded if not word.isascii() else terms(word)[:1] and terms(word)[0] in have for word in words):
            codes.append(code)
        if code >= SCANNED:
            break
    return codes


def _windows(phrase: TimePhrase, years: Sequence[int]) -> list[Window]:
    """The days asked about; a month or day without its year means that time of every year the user has rows in."""
    first, last = phrase.days
    if not phrase.yearless:
        return [(first.toordinal(), last.toordinal())]
    moved = [(_in_year(first, year), _in_year(last, year + last.year - first.year)) for year in years]
    return [(start.toordinal(), end.toordinal()) for start, end in moved]


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def _rarest(found: Sequence[str], corpus: Corpus) -> Sequence[str]:
    """All terms, or the rarest ones of a long query, in order."""
    if len(found) <= MOST_TERMS:
        return found
    frequency = corpus.postings.frequency
    rare = sorted(found, key=lambda term: frequency(term) or corpus.count + 1)[:MOST_TERMS]
    chosen = set(rare)
    return [term for term in found if term in chosen]
