"""Time phrases in English and Chinese (the common ones of Japanese too), resolved against a reference time.

The rules, for a reference R:
- *Weeks* are calendar weeks, Monday to Sunday. *Last week*, 上周, is the one before R's, *two weeks ago* the one before
  that; *last weekend* is its Saturday and Sunday. *Months* and *years* likewise: *last month*, 3 *years ago*.
- *Last Friday* is the latest Friday before R's day, *next Friday* the first after it, *this Friday* that of R's week.
  Chinese names the week: 上周五 is the Friday of last week, 下周五 of next week.
- *The past 3 days* and 最近三天 end with R's day. *A few* means two to five.
- A date without its year, and a bare weekday, follow the tense around them: past, the latest; future, the next one;
  neither, the nearest.
- *The week before* a date is the seven days before it, *the week of* a date the calendar week that holds it, *the Friday
  before* it the latest Friday before it.
- A year is a year only with a cue (`in 2019`, `since 2019`, `summer of 2021`, `2019年`); `port 9077` and `version 2019.1`
  are none. *May* and *March* need a capital and a cue, day or year; `sun` and `sat` are no weekdays; names of habits
  (*every Friday*, *Fridays*, 每周五) are no dates. `5/7/2023` is read only where day and month cannot be confused.
- A bound that is no possible date (五万年前) is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from types import ModuleType

from siltstone.text.date_rules import Rule
from siltstone.text.spans import Span

TERM_COUNT = 48
_BLANKS = re.compile(r"\s{2,}|[^\S ]")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[\d一二三四五六七八九十]月", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}|[年]|\b(?:last|next|this)\b|[去今明前上下这這本]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePhrase:
    """A phrase as it stands in the text (white space collapsed), and the half-open time that it names, in the reference's time zone.

    The grain is hour, day, week, weekend, month, season, year or decade: the unit in which the phrase speaks.
    """

    text: str
    start: datetime
    end: datetime
    grain: str

    @property
    def yearless(self) -> bool:
        """Whether the phrase names a month or day of the year and leaves open which year."""
        return bool(_MONTH.search(self.text)) and not _YEAR.search(self.text)

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day that the phrase touches."""
        return self.start.date(), (self.end - timedelta(microseconds=1)).date()


def time_phrases(text: str, *, reference: datetime) -> list[TimePhrase]:
    """The time phrases of the text in order, without overlaps. Raises nothing, whatever the text; see the rules above."""
    if not text.isprintable() or "  " in text:
        text = _BLANKS.sub(" ", text)
    lower = text.lower()
    if len(lower) != len(text):
        text = lower
    found: list[tuple[int, str, Span]] = []
    english = _english()
    if english.CUE.search(lower):
        found += _scan(english.hint().finditer(lower), english.RULES, text, reference)
    if not text.isascii():
        cjk = _cjk()
        found += _scan(cjk.hint().finditer(lower), cjk.RULES, text, reference)
        found.sort(key=lambda item: item[0])
    return [TimePhrase(text=said, start=span.start, end=span.end, grain=span.grain) for _, said, span in found]


@cache
def _english() -> ModuleType:
    # Loaded on first use, as the other: their patterns take some time to compile, which an import should not cost.
    from siltstone.text import dates_english

    return dates_english


@cache
def _cjk() -> ModuleType:
    from siltstone.text import dates_cjk

    return dates_cjk


def span_terms(phrases: Sequence[TimePhrase]) -> list[str]:
    """Index terms of the times named, `@first/last` in days: `@2023-05-01/2023-05-07`; distinct, in order, at most 48."""
    named = (phrase.days for phrase in phrases)
    return list(dict.fromkeys(f"@{first}/{last}" for first, last in named))[:TERM_COUNT]


def _scan(
    hints: Iterable[re.Match[str]], rules: Sequence[Rule], text: str, reference: datetime
) -> list[tuple[int, str, Span]]:
    """Place, words and span of each phrase. The hints are places in the lowered text; `text` has its capitals."""
    found: list[tuple[int, str, Span]] = []
    for hint in hints:
        each = rules[int((hint.lastgroup or "r0")[1:])]
        match = each.pattern.match(text, hint.start())
        span = _resolved(each, match, reference) if match else None
        if match and span:
            found.append((match.start(), match[0].strip(), span))
    return found


def _resolved(each: Rule, match: re.Match[str], reference: datetime) -> Span | None:
    """The span of the phrase, or None where it names no possible time."""
    try:
        span = each.resolve(match, reference)
    except (ValueError, OverflowError):
        return None
    return span if span and span.start < span.end else None
