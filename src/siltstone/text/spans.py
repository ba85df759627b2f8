"""Calendar arithmetic: half-open spans of days, weeks, months, seasons and years around a reference time.

Every function raises ValueError or OverflowError where a bound is no possible date (before year 1, after year 9999).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24), "noon": (11, 14)}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
FAR = 10_000_000


class Span(NamedTuple):
    """From `start` up to, but not including, `end`; the grain is the unit in which it was named."""

    start: datetime
    end: datetime
    grain: str


def day(reference: datetime, offset: int = 0) -> Span:
    """The day of the reference, or the one `offset` days later."""
    start = _midnight(reference) + timedelta(days=offset)
    return Span(start, start + timedelta(days=1), "day")


def date(reference: datetime, year: int, month: int, number: int) -> Span:
    """The day of this date, in the reference's time zone."""
    return day(_midnight(reference).replace(year=year, month=month, day=number))


def part(whole: Span, name: str) -> Span:
    """A part (morning, noon, afternoon, evening, night) of the day `whole`."""
    first, last = PARTS[name]
    return Span(whole.start + timedelta(hours=first), whole.start + timedelta(hours=last), "hour")


def hour(reference: datetime, offset: int) -> Span:
    """The clock hour of the reference, or the one `offset` hours later."""
    start = reference.replace(minute=0, second=0, microsecond=0) + timedelta(hours=offset)
    return Span(start, start + timedelta(hours=1), "hour")


def week(reference: datetime, offset: int = 0) -> Span:
    """The calendar week, Monday to Sunday, of the reference, or the one `offset` weeks later."""
    start = day(reference, 7 * offset - reference.weekday()).start
    return Span(start, start + timedelta(days=7), "week")


def weekend(reference: datetime, offset: int = 0) -> Span:
    """Saturday and Sunday of the reference's calendar week, or of the one `offset` weeks later."""
    end = week(reference, offset).end
    return Span(end - timedelta(days=2), end, "weekend")


def weekday(reference: datetime, number: int, offset: int) -> Span:
    """The day with this number (Monday is 0) of the reference's calendar week, or `offset` weeks later."""
    return day(week(reference, offset).start, number)


def month(reference: datetime, offset: int = 0) -> Span:
    """The calendar month of the reference, or the one `offset` months later."""
    start = _month_start(reference, offset)
    return Span(start, _month_start(start, 1), "month")


def month_of(reference: datetime, year: int, number: int) -> Span:
    """The month with this number, 1 to 12, of a year."""
    return month(_midnight(reference).replace(year=year, month=number, day=1))


def year(reference: datetime, offset: int = 0) -> Span:
    """The calendar year of the reference, or the one `offset` years later."""
    return years(reference, reference.year + offset, reference.year + offset)


def years(reference: datetime, first: int, last: int) -> Span:
    """From the beginning of the year `first` to the end of the year `last`."""
    start = _midnight(reference).replace(year=first, month=1, day=1)
    return Span(start, start.replace(year=last + 1), "year")


def season(reference: datetime, year_number: int, name: str) -> Span:
    """A northern season: spring March to May, summer June to August, and so on; winter begins in its year's December."""
    start = _midnight(reference).replace(year=year_number, month=SEASONS[name], day=1)
    return Span(start, _month_start(start, 3), "season")


def unit(reference: datetime, name: str, offset: int) -> Span:
    """The hour, day, week, weekend, fortnight, month, year or decade that lies `offset` of them from the reference's."""
    if abs(offset) > FAR:
        raise OverflowError(f"{offset} {name}s from now is no date; the calendar ends at the years 1 and 9999")
    if name == "decade":
        first = reference.year // 10 * 10 + 10 * offset
        return years(reference, first, first + 9)._replace(grain="decade")
    if name == "fortnight":
        return week(reference, 2 * offset)
    known = {"hour": hour, "day": day, "week": week, "weekend": weekend, "month": month, "year": year}
    return known[name](reference, offset)


def trailing(reference: datetime, name: str, count: int) -> Span:
    """The last `count` hours, days, weeks, months or years, up to the end of the reference's day."""
    steps = {"hour": 0, "day": 1, "week": 7, "fortnight": 14}
    if not 0 < count <= FAR:
        raise OverflowError(f"the last {count} {name}s are no time; give a count of at least 1")
    end = day(reference).end
    if name in steps:
        return Span(day(reference, -steps[name] * count).start, end, name)
    months = {"month": 1, "year": 12, "decade": 120}[name] * count
    first = _month_start(reference, -months)
    return Span(first.replace(day=min(reference.day, 28)), end, name)


def nearest(reference: datetime, candidates: list[Span], tense: int) -> Span:
    """Of several readings the one that fits the tense: -1 the latest begun, 1 the first not over, 0 the closest."""
    if tense < 0:
        begun = [span for span in candidates if span.start <= reference]
        return max(begun or candidates[:1], key=lambda span: span.start)
    if tense > 0:
        ahead = [span for span in candidates if span.end > reference]
        return min(ahead or candidates[-1:], key=lambda span: span.start)
    return min(candidates, key=lambda span: _distance(reference, span))


def _distance(reference: datetime, span: Span) -> timedelta:
    if span.start <= reference < span.end:
        return timedelta(0)
    return max(span.start - reference, reference - span.end)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _month_start(reference: datetime, offset: int) -> datetime:
    count = reference.year * 12 + reference.month - 1 + offset
    return _midnight(reference).replace(year=count // 12, month=count % 12 + 1, day=1)
