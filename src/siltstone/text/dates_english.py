"""The rules for English time phrases and for dates in digits. `dates` states what they mean."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from siltstone.text import spans
from siltstone.text.date_rules import NUMBER, Rule, any_of, english_number, tense
from siltstone.text.spans import Span

_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAY = "|".join(_DAYS)
_FULL = "|".join(_MONTHS)
_MONTH = rf"(?:(?:{_FULL})\b|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)"
_SEASON = "spring|summer|autumn|fall|winter"
_YEAR = r"(?:19|20)\d\d"
_NTH = r"[0-3]?\d(?:st|nd|rd|th)?"
_UNIT = "hour|day|week|weekend|fortnight|month|year|decade"
_LONG = "hour|day|week|fortnight|month|year|decade"
_PART = "morning|afternoon|evening|night"
_COUNT = rf"(?:a |the )?(?:few|couple(?: of)?)|{NUMBER}"
_LATER = {"last": -1, "previous": -1, "this past": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_WHICH = "last|previous|this past|past|this coming|this|current|next|coming"
# What may follow a bare year or day without making it another number: not `2019.1`, `7:30`, `2000 users`, `5%`.
_ENDS = r"(?!\d|[.,:/_-]\d|[\w%°]|\s+(?!was\b|is\b|has\b|does\b|its\b|his\b|this\b|us\b|always\b)[a-z]{2,}s\b)"
_DATE = rf"(?:\d{{4}}-\d\d?-\d\d?|{_NTH}(?: of)? {_MONTH}(?:,? {_YEAR}\b)?|{_MONTH} {_NTH}\b(?:,? {_YEAR}\b)?)"


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))


def _which(words: str) -> int:
    return _LATER[" ".join(words.lower().split()).replace("this coming", "next")]


def _sure(name: str) -> bool:
    """Whether this spelling is a month or weekday rather than an ordinary word: may, march, sat need their capital."""
    return name[0].isupper() or name.lower() not in {"may", "march", "mar", "jan", "dec", "sat", "sun", "mon", "wed"}


def _iso(match: re.Match[str], reference: datetime) -> Span | None:
    year, month, number = (int(match[name]) for name in ("iso_year", "iso_month", "iso_day"))
    return spans.date(reference, year, month, number)


def _iso_month(match: re.Match[str], reference: datetime) -> Span | None:
    return spans.month_of(reference, int(match["year"]), int(match["month"]))


def _slashed(match: re.Match[str], reference: datetime) -> Span | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if match["dot"] == "." or first > 12:
        first, second = second, first
    elif second <= 12 and first != second:
        return None
    return spans.date(reference, year, first, second)


def _dated(match: re.Match[str], reference: datetime) -> Span | None:
    """A day of a month, with or without its year; a range of days where a second one is given."""
    name, year = match["month"], match["year"]
    if not year and not _sure(name):
        return None
    first = int(re.sub(r"\D", "", match["day"]))
    last = int(re.sub(r"\D", "", match["until"])) if match["until"] else first
    month = _month_number(name)
    years = [int(year)] if year else range(reference.year - 1, reference.year + 2)
    readings = [_days(reference, number, month, first, last) for number in years if _exists(number, month, last)]
    return spans.nearest(reference, readings, tense(match)) if readings else None


def _days(reference: datetime, year: int, month: int, first: int, last: int) -> Span:
    start = spans.date(reference, year, month, first)
    return Span(start.start, spans.date(reference, year, month, last).end, "day")


def _exists(year: int, month: int, number: int) -> bool:
    try:
        datetime(year, month, number)
    except ValueError:
        return False
    return True


def _month_year(match: re.Match[str], reference: datetime) -> Span | None:
    return spans.month_of(reference, int(match["year"]), _month_number(match["month"]))


def _bare_month(match: re.Match[str], reference: datetime) -> Span | None:
    cue, name = " ".join(match["cue"].lower().split()), match["month"]
    if not (name[0].isupper() or name.lower() not in {"may", "march"}):
        return None
    number = _month_number(name)
    readings = [spans.month_of(reference, reference.year + offset, number) for offset in (-1, 0, 1)]
    if (cue in _LATER and cue not in ("this", "current")) or cue == "this coming":
        return _before_or_after(readings, reference, _which(cue))
    return readings[1] if cue == "this" else spans.nearest(reference, readings, tense(match))


def _season_of(match: re.Match[str], reference: datetime) -> Span | None:
    return spans.season(reference, int(match["year"]), match["season"].lower())


def _season(match: re.Match[str], reference: datetime) -> Span | None:
    readings = [spans.season(reference, reference.year + offset, match["season"].lower()) for offset in (-2, -1, 0, 1)]
    offset = _which(match["which"])
    return _before_or_after(readings, reference, offset) if offset else spans.nearest(reference, readings, tense(match))


def _before_or_after(readings: list[Span], reference: datetime, offset: int) -> Span:
    """The latest reading that is over (offset below 0), or the first that has not begun."""
    if offset < 0:
        return max((span for span in readings if span.end <= reference), key=lambda span: span.start)
    return min((span for span in readings if span.start > reference), key=lambda span: span.start)


def _near_day(match: re.Match[str], reference: datetime) -> Span | None:
    words = " ".join(match["near"].lower().split())
    offsets = {
        "yesterday": -1,
        "last night": -1,
        "the day before yesterday": -2,
        "tomorrow": 1,
        "day before yesterday": -2,
    }
    offsets |= {"the day after tomorrow": 2, "day after tomorrow": 2}
    span = spans.day(reference, offsets.get(words, 0))
    named = words.endswith("night") or words.startswith("this ")
    name = (words.split()[-1] if named else match["part"] or "").lower().removeprefix("to")
    return spans.part(span, name) if name else span


def _unit(match: re.Match[str], reference: datetime) -> Span | None:
    which, unit = match["which"].lower(), match["unit"].lower()
    if which.split()[-1] == "past":
        return spans.trailing(reference, unit, 1) if unit != "weekend" else spans.weekend(reference, -1)
    return spans.unit(reference, unit, _which(which))


def _over_weekend(match: re.Match[str], reference: datetime) -> Span | None:
    readings = [spans.weekend(reference, offset) for offset in (-1, 0, 1)]
    return spans.nearest(reference, readings, tense(match))


def _weekday(match: re.Match[str], reference: datetime) -> Span | None:
    name, which = match["weekday"], match["which"]
    number = next(number for number, day in enumerate(_DAYS) if day.startswith(name.lower()[:3]))
    if name.lower() not in _DAYS and not (which and name[0].isupper()):
        return None
    span = _weekday_span(match, reference, number)
    return spans.part(span, match["part"].lower()) if match["part"] else span


def _weekday_span(match: re.Match[str], reference: datetime, number: int) -> Span:
    which = (match["which"] or "on").lower()
    back = (reference.weekday() - number - 1) % 7 + 1
    if which == "on":
        readings = [spans.day(reference, 7 * week - back) for week in (0, 1, 2)]
        return spans.nearest(reference, readings, tense(match))
    if _which(which) == 0:
        return spans.weekday(reference, number, 0)
    return spans.day(reference, -back if _which(which) < 0 else (7 - back or 7))


def _ago(match: re.Match[str], reference: datetime) -> Span | None:
    return _counted(match, reference, -1)


def _ahead(match: re.Match[str], reference: datetime) -> Span | None:
    return _counted(match, reference, 1)


def _counted(match: re.Match[str], reference: datetime, sign: int) -> Span:
    unit, count = match["unit"].lower(), match["count"].lower()
    if count.endswith("few"):
        near, far = (spans.unit(reference, unit, sign * number) for number in (2, 5))
        return Span(min(near.start, far.start), max(near.end, far.end), unit)
    return spans.unit(reference, unit, sign * _number(count))


def _half_year(match: re.Match[str], reference: datetime) -> Span | None:
    return spans.month(reference, -6)


def _trailing(match: re.Match[str], reference: datetime) -> Span | None:
    return spans.trailing(reference, match["unit"].lower(), _few_is_five(match["count"]))


def _leading(match: re.Match[str], reference: datetime) -> Span | None:
    last = spans.unit(reference, match["unit"].lower(), _few_is_five(match["count"]))
    return Span(spans.day(reference).start, last.end, last.grain)


def _few_is_five(count: str) -> int:
    return 5 if count.lower().endswith("few") else _number(count)


def _number(count: str) -> int:
    return english_number(count.lower().replace(" of", "").replace("the ", ""))


def _anchored(match: re.Match[str], reference: datetime) -> Span | None:
    """`The week before 9 June 2023`: resolves the date, then the unit relative to it."""
    anchor = next((span for each in (_ISO, _DAY_MONTH, _MONTH_DAY) if (span := _at(each, match, reference))), None)
    if anchor is None:
        return None
    what, side, count = match["what"].lower(), match["side"].lower(), match["count"]
    if side == "of":
        return spans.unit(anchor.start, what, 0) if what in ("week", "weekend", "month", "year") else None
    sign = -1 if side == "before" else 1
    if what in _DAYS:
        back = (anchor.start.weekday() - _DAYS.index(what) - 1) % 7 + 1
        return spans.day(anchor.start, -back if sign < 0 else (7 - back or 7))
    return _beside(anchor, what, sign * (_number(count) if count else 1))


def _beside(anchor: Span, unit: str, offset: int) -> Span:
    if unit == "week" and abs(offset) == 1:
        start = spans.day(anchor.start, -7 if offset < 0 else 1).start
        return Span(start, spans.day(start, 6).end, "week")
    if unit == "weekend" and offset > 0 and anchor.start.weekday() < 5:
        offset -= 1
    return spans.unit(anchor.start, unit, offset)


def _at(each: Rule, match: re.Match[str], reference: datetime) -> Span | None:
    inner = each.pattern.match(match.string, match.start("date"))
    return each.resolve(inner, reference) if inner else None


def _years(match: re.Match[str], reference: datetime) -> Span | None:
    first, last = int(match["first"]), int(match["last"])
    return spans.years(reference, first, last)._replace(grain="year") if first <= last else None


def _year(match: re.Match[str], reference: datetime) -> Span | None:
    number = int(match["year"])
    return spans.years(reference, number, number)


def _decade(match: re.Match[str], reference: datetime) -> Span | None:
    first = int(match["decade"]) + (1900 if len(match["decade"]) == 2 else 0)
    return spans.years(reference, first, first + 9)._replace(grain="decade")


_ISO = Rule(
    r"(?P<iso_year>\d{4})(?P<sep>[-/])(?P<iso_month>\d\d?)[-/](?P<iso_day>\d\d?)(?:[Tt ]\d\d?:\d\d(?::\d\d)?)?(?![\d/]|-\d)",
    _iso,
)
_RANGE = r"(?: ?(?:-|–|to|and|until) ?(?P<until>[0-3]?\d(?:st|nd|rd|th)?))?"
_DAY_MONTH = Rule(rf"(?P<day>{_NTH}){_RANGE}(?: of)? (?P<month>{_MONTH})(?:,? (?P<year>{_YEAR})\b)?", _dated)
_MONTH_DAY = Rule(
    rf"(?P<month>{_MONTH}) (?:the )?(?P<day>{_NTH}){_RANGE}(?!\d|[.,:/]\d|[\w%])(?:,? (?P<year>{_YEAR})(?!\d|[.:]\d))?",
    _dated,
)
_CUE = "in|during|since|by|until|till|from|before|after|around|through|between|for"
_STAGE = r"(?:the )?(?:beginning of|start of|middle of|end of|early|late|mid|mid-)"

RULES: tuple[Rule, ...] = (
    Rule(
        rf"(?:the )?(?:(?P<count>{NUMBER}) )?(?P<what>{_DAY}|day|week|weekend|month|year)s? "
        rf"(?P<side>before|after|of) (?:the )?(?P<date>{_DATE})",
        _anchored,
    ),
    _ISO,
    Rule(rf"(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w/]|-\d)", _iso_month),
    Rule(rf"(?P<first>\d\d?)(?P<dot>[/.])(?P<second>\d\d?)[/.](?P<year>{_YEAR})\b(?![/.]\d)", _slashed),
    _DAY_MONTH,
    _MONTH_DAY,
    Rule(rf"(?P<month>{_MONTH})(?: of|,)? (?P<year>{_YEAR})\b(?!\.\d)", _month_year),
    Rule(
        rf"(?P<near>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|tomorrow|last night|tonight|"
        rf"this (?:{_PART})|(?:earlier )?today)(?: (?P<part>{_PART}))?\b",
        _near_day,
    ),
    Rule(rf"(?:the )?(?P<which>{_WHICH}) (?P<unit>week|weekend|fortnight|month|year|decade)\b", _unit),
    Rule(r"(?:over|on|at|during) the weekend\b", _over_weekend),
    Rule(
        rf"(?:(?P<which>{_WHICH}|on) )?(?P<weekday>(?:{_DAY}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b)(?!-)(?: (?P<part>{_PART})\b)?",
        _weekday,
    ),
    Rule(
        rf"(?P<cue>{_WHICH}|{_CUE}|{_STAGE})(?: (?:early|late|mid))?[ -](?P<month>(?:{_FULL})\b)(?!'s| \d)", _bare_month
    ),
    Rule(rf"(?P<season>{_SEASON})(?: of|,)? (?P<year>{_YEAR})\b", _season_of),
    Rule(rf"(?P<which>{_WHICH}) (?P<season>{_SEASON})\b", _season),
    Rule(r"half a year ago|six months ago\b", _half_year),
    Rule(rf"(?P<count>{_COUNT})[ -](?P<unit>{_UNIT})s? ago\b", _ago),
    Rule(rf"(?:in (?P<count>{_COUNT}) (?P<unit>{_UNIT})s?\b(?:'? time\b)?)(?! ago)", _ahead),
    Rule(rf"(?:the |these )?(?:past|last|previous) (?P<count>{_COUNT}) (?P<unit>{_LONG})s?\b", _trailing),
    Rule(rf"(?:the )?(?:next|coming) (?P<count>{_COUNT}) (?P<unit>{_LONG})s?\b", _leading),
    Rule(
        rf"(?:from|between|in|during|for|since|of) (?P<first>{_YEAR})"
        rf"(?:-|–| to | and | until | through )(?P<last>{_YEAR}){_ENDS}",
        _years,
    ),
    Rule(
        rf"(?:in|since|by|until|till|during|before|after|around|from|of|early|late|mid|year|to)[ -]"
        rf"(?:the year |early |late |mid[ -])?(?P<year>{_YEAR}){_ENDS}",
        _year,
    ),
    Rule(r"(?:the )?(?P<decade>(?:19|20)\d0|[3-9]0)s\b", _decade),
)
# Every phrase holds one of these: most texts hold none, and need no further look.
CUE = re.compile(
    rf"\d|day|tomorrow|night|morning|afternoon|evening|week|month|year|decade|hour|spring|summer|autumn|fall|winter|{_FULL}|"
    r"\b(?:mon|tues?|wed|thu|thurs?|fri|sat|sun)\b"
)
# The beginnings of every phrase, as plain letters, which a pattern rejects fastest.
_STARTS = (
    "the|these|this|last|previous|past|current|next|coming|yes|tom|ton|tod|to |earl|day|week|month|year|over|on|at|dur|in|"
    "sin|by|un|till|from|bef|after|around|thr|bet|for|beg|start|mid|end|late|of|half|few|couple|spr|sum|aut|fall|win|"
    "mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|"
    "a |an |zero|one|two|three|fo|fi|si|se|ei|ni|te|tw|el|hund|thous|mill|bill|a-|doz"
)


@cache
def hint() -> re.Pattern[str]:
    """Where a phrase may begin, and which rule to try there; compiled for the first text that needs it."""
    return any_of(RULES, rf"(?<![\w.@#/$-])(?=\d|{_STARTS})(?<!every )(?<!each )")
