"""The query: checked text, and what it means to one user's memory: terms, a named speaker, time windows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from siltstone.domain.filters import Filter
from siltstone.errors import InvalidInput
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.naming import NOBODY, names_known
from siltstone.retrieval.voice import EVERYBODY, about
from siltstone.text import checks
from siltstone.text.dates import TimePhrase, time_phrases
from siltstone.text.normal import cjk_share, fold
from siltstone.text.tokens import query_terms, surfaces, terms

MOST_TOP_K = 1000
MOST_TERMS = 64
MOSTLY = 0.5
HARDLY = 0.1
"""Share of rows in a question's script below which it is foreign to a corpus."""
SCANNED = 2000
WHEN = re.compile(
    r"\W*(?:when|since when|how long|(?:what|which) (?:year|month|date|day|time))\b|什么时候|何时|哪[天年]|几[月号]|多久",
    re.IGNORECASE,
)
NAME = re.compile(
    r"\W*(?:who|where|which|what)\b|.{0,40}(?:谁|誰|哪里|哪裡|哪儿|哪个|哪個|什么名字|什麼名字|叫什么)", re.IGNORECASE
)

Window = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a memory, checked. `linked` are the entries that the graph leads to, with their scores."""

    text: str
    top_k: int
    wanted: Filter
    recent_session: str | None
    now: datetime
    linked: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A request as one corpus reads it.

    `terms` are distinct; `named` are the codes of the speakers whom the text names, `about` is the one whom it is about
    (-1: none, or several); `windows` are the days
    (first, last, as ordinals) that it asks about; `asks_when` says that it asks for a time, `asks_name` for a name.
    `names_known` is the share of the names in it that the corpus knows (.5: it has none, or none that it could know);
    `surfaces` maps stems to the words asked; `foreign` says that the corpus has hardly a row in the question's script.
    """

    terms: tuple[str, ...]
    named: tuple[int, ...] = ()
    about: int = EVERYBODY
    windows: tuple[Window, ...] = ()
    asks_when: bool = False
    asks_name: bool = False
    names_known: float = NOBODY
    surfaces: Mapping[str, str] = field(default_factory=dict)
    cjk: bool = False
    foreign: bool = False


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
    phrases = [(phrase, _windows(phrase, corpus)) for phrase in time_phrases(asked.text[:SCANNED], reference=asked.now)]
    phrases = [(phrase, windows) for phrase, windows in phrases if windows]
    plain = _without(asked.text, [phrase for phrase, _ in phrases])
    found = query_terms(plain) or query_terms(asked.text)
    named = _named(plain, found, corpus)
    names = {term for code in named for term in terms(corpus.speakers.names[code])}
    kept = [term for term in found if term not in names] or found
    cjk = cjk_share(asked.text) > MOSTLY
    alike = corpus.cjk_count if cjk else corpus.count - corpus.cjk_count
    foreign = alike < HARDLY * corpus.count
    return Query(
        terms=tuple(_rarest(kept, corpus)),
        named=tuple(named),
        about=about(plain, named, corpus),
        windows=tuple(window for _, windows in phrases for window in windows),
        names_known=NOBODY if foreign else names_known(plain, corpus, named=bool(named)),
        surfaces=surfaces(plain[:SCANNED]),
        cjk=cjk,
        foreign=foreign,
        asks_when=WHEN.match(asked.text) is not None,
        asks_name=NAME.match(asked.text) is not None and WHEN.match(asked.text) is None,
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
    return [
        code
        for code, words in enumerate(corpus.speaker_words())
        if any(stem in have if stem else word in folded for word, stem in words)
    ]


def _windows(phrase: TimePhrase, corpus: Corpus) -> list[Window]:
    """The days asked about, as far as anything in memory was said or meant then.

    A month or day without its year means that time of every year the user has rows in, and the nearest one to now.
    """
    first, last = phrase.days
    spans = [(first, last)]
    if phrase.yearless:
        moved = [(_in_year(first, year), _in_year(last, year + last.year - first.year)) for year in corpus.years]
        spans = [*moved, *(span for span in spans if span not in moved)]
    begin, end = corpus.days
    windows = [(start.toordinal(), stop.toordinal()) for start, stop in spans]
    return [window for window in windows if window[1] >= begin and window[0] <= end]


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
