"""Rules of time phrases: what each names when read on Wednesday, 14 June 2023, at half past three."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.dates import TERM_COUNT, TimePhrase, span_terms, time_phrases

READ = datetime(2023, 6, 14, 15, 30, tzinfo=UTC)

# The phrase or a sentence with it, the first and the last day that it names, its grain.
NAMED = [
    ("We met yesterday evening.", "2023-06-13", "2023-06-13", "hour"),
    ("yesterday", "2023-06-13", "2023-06-13", "day"),
    ("the day before yesterday", "2023-06-12", "2023-06-12", "day"),
    ("last night", "2023-06-13", "2023-06-13", "hour"),
    ("this morning", "2023-06-14", "2023-06-14", "hour"),
    ("Tomorrow", "2023-06-15", "2023-06-15", "day"),
    ("what did we agree on last week", "2023-06-05", "2023-06-11", "week"),
    ("last\n  week", "2023-06-05", "2023-06-11", "week"),
    ("this week", "2023-06-12", "2023-06-18", "week"),
    ("next week", "2023-06-19", "2023-06-25", "week"),
    ("two weekends ago", "2023-06-03", "2023-06-04", "weekend"),
    ("last weekend", "2023-06-10", "2023-06-11", "weekend"),
    ("this weekend", "2023-06-17", "2023-06-18", "weekend"),
    ("over the weekend we hiked", "2023-06-10", "2023-06-11", "weekend"),
    ("the week before 9 June 2023", "2023-06-02", "2023-06-08", "week"),
    ("the week after 9 June 2023", "2023-06-10", "2023-06-16", "week"),
    ("the week of 5 June 2023", "2023-06-05", "2023-06-11", "week"),
    ("the Sunday before 25 May 2023", "2023-05-21", "2023-05-21", "day"),
    ("the Friday after May 25, 2023", "2023-05-26", "2023-05-26", "day"),
    ("the weekend before 20 October 2023", "2023-10-14", "2023-10-15", "weekend"),
    ("the day before 1 March 2024", "2024-02-29", "2024-02-29", "day"),
    ("two days after May 7, 2023", "2023-05-09", "2023-05-09", "day"),
    ("last Saturday", "2023-06-10", "2023-06-10", "day"),
    ("last Wednesday", "2023-06-07", "2023-06-07", "day"),
    ("next Wednesday", "2023-06-21", "2023-06-21", "day"),
    ("next Friday", "2023-06-16", "2023-06-16", "day"),
    ("this Friday", "2023-06-16", "2023-06-16", "day"),
    ("this coming Saturday", "2023-06-17", "2023-06-17", "day"),
    ("On Monday we will start", "2023-06-19", "2023-06-19", "day"),
    ("I saw him on Friday", "2023-06-09", "2023-06-09", "day"),
    ("last month", "2023-05-01", "2023-05-31", "month"),
    ("next month", "2023-07-01", "2023-07-31", "month"),
    ("last year", "2022-01-01", "2022-12-31", "year"),
    ("a few days ago", "2023-06-09", "2023-06-12", "day"),
    ("3 days ago", "2023-06-11", "2023-06-11", "day"),
    ("two weeks ago", "2023-05-29", "2023-06-04", "week"),
    ("a couple of months ago", "2023-04-01", "2023-04-30", "month"),
    ("twenty-five years ago", "1998-01-01", "1998-12-31", "year"),
    ("an hour ago", "2023-06-14", "2023-06-14", "hour"),
    ("half a year ago", "2022-12-01", "2022-12-31", "month"),
    ("in 3 days", "2023-06-17", "2023-06-17", "day"),
    ("in two weeks' time", "2023-06-26", "2023-07-02", "week"),
    ("the past week", "2023-06-07", "2023-06-14", "week"),
    ("in the last three days", "2023-06-11", "2023-06-14", "day"),
    ("In May we travelled", "2023-05-01", "2023-05-31", "month"),
    ("last March", "2023-03-01", "2023-03-31", "month"),
    ("next april", "2024-04-01", "2024-04-30", "month"),
    ("in december we went skiing", "2022-12-01", "2022-12-31", "month"),
    ("in December we will ski", "2023-12-01", "2023-12-31", "month"),
    ("May 7", "2023-05-07", "2023-05-07", "day"),
    ("May 7th, 2021", "2021-05-07", "2021-05-07", "day"),
    ("7 May 2023", "2023-05-07", "2023-05-07", "day"),
    ("on the 7th of may 2023", "2023-05-07", "2023-05-07", "day"),
    ("May 7-9, 2023", "2023-05-07", "2023-05-09", "day"),
    ("Sept. 3, 2022", "2022-09-03", "2022-09-03", "day"),
    ("29 February", "2024-02-29", "2024-02-29", "day"),
    ("May 2021", "2021-05-01", "2021-05-31", "month"),
    ("2023-05-07", "2023-05-07", "2023-05-07", "day"),
    ("at 2023-05-07T10:00:00Z", "2023-05-07", "2023-05-07", "day"),
    ("date:2023/5/7", "2023-05-07", "2023-05-07", "day"),
    ("2023-05", "2023-05-01", "2023-05-31", "month"),
    ("25/12/2022", "2022-12-25", "2022-12-25", "day"),
    ("12/25/2022", "2022-12-25", "2022-12-25", "day"),
    ("07.05.2022", "2022-05-07", "2022-05-07", "day"),
    ("the summer of 2021", "2021-06-01", "2021-08-31", "season"),
    ("winter 2020", "2020-12-01", "2021-02-28", "season"),
    ("last summer", "2022-06-01", "2022-08-31", "season"),
    ("in 2022", "2022-01-01", "2022-12-31", "year"),
    ("since early 2019, we", "2019-01-01", "2019-12-31", "year"),
    ("from 2019 to 2021", "2019-01-01", "2021-12-31", "year"),
    ("in the 1990s", "1990-01-01", "1999-12-31", "decade"),
    ("昨天", "2023-06-13", "2023-06-13", "day"),
    ("昨晚我们聊过", "2023-06-13", "2023-06-13", "hour"),
    ("前天", "2023-06-12", "2023-06-12", "day"),
    ("大前天", "2023-06-11", "2023-06-11", "day"),
    ("今天下午", "2023-06-14", "2023-06-14", "hour"),
    ("后天", "2023-06-16", "2023-06-16", "day"),
    ("上周", "2023-06-05", "2023-06-11", "week"),
    ("上周五", "2023-06-09", "2023-06-09", "day"),
    ("上上周一", "2023-05-29", "2023-05-29", "day"),
    ("上个星期天下午", "2023-06-11", "2023-06-11", "hour"),
    ("上個禮拜三", "2023-06-07", "2023-06-07", "day"),
    ("下周三", "2023-06-21", "2023-06-21", "day"),
    ("本周末", "2023-06-17", "2023-06-18", "weekend"),
    ("周五一起吃饭", "2023-06-16", "2023-06-16", "day"),
    ("我周六去爬山了", "2023-06-10", "2023-06-10", "day"),
    ("两周前", "2023-05-29", "2023-06-04", "week"),
    ("三天前", "2023-06-11", "2023-06-11", "day"),
    ("三个月前", "2023-03-01", "2023-03-31", "month"),
    ("十二年前", "2011-01-01", "2011-12-31", "year"),
    ("几天前", "2023-06-09", "2023-06-12", "day"),
    ("半年前", "2022-12-01", "2022-12-31", "month"),
    ("两小时前", "2023-06-14", "2023-06-14", "hour"),
    ("两年后", "2025-01-01", "2025-12-31", "year"),
    ("去年三月", "2022-03-01", "2022-03-31", "month"),
    ("前年夏天", "2021-06-01", "2021-08-31", "season"),
    ("今年5月7日", "2023-05-07", "2023-05-07", "day"),
    ("2023年5月7日", "2023-05-07", "2023-05-07", "day"),
    ("2023年5月", "2023-05-01", "2023-05-31", "month"),
    ("2019年", "2019-01-01", "2019-12-31", "year"),
    ("二〇二三年五月七号", "2023-05-07", "2023-05-07", "day"),
    ("5月7日", "2023-05-07", "2023-05-07", "day"),
    ("三月我去了上海", "2023-03-01", "2023-03-31", "month"),
    ("上个月", "2023-05-01", "2023-05-31", "month"),
    ("上个月5号", "2023-05-05", "2023-05-05", "day"),
    ("下个月", "2023-07-01", "2023-07-31", "month"),
    ("最近三天", "2023-06-11", "2023-06-14", "day"),
    ("过去两周", "2023-05-31", "2023-06-14", "week"),
    ("九十年代", "1990-01-01", "1999-12-31", "decade"),
    ("先週の金曜日", "2023-06-09", "2023-06-09", "day"),
    ("一昨日", "2023-06-12", "2023-06-12", "day"),
    ("来月", "2023-07-01", "2023-07-31", "month"),
]

UNNAMED = [
    "listens on port 9077",
    "version 2019.1 and v2020",
    "in 2019.1",
    "in 2000 rows",
    "you may go, march on, the sun sat down",
    "we may 5 times",
    "last sun",
    "April said hello to June",
    "every Friday, on Fridays, each Monday",
    "fifty thousand years ago",
    "3 million years ago",
    "999999999 days ago",
    "2023-13-45",
    "Feb 30, 2023",
    "5/7/2023",
    "192.168.1.20",
    "call 555-2023-0101",
    "summer is nice",
    "五万年前",
    "30000000000年前",
    "每周五",
    "五个月球",
    "重建idx-svc后20条",
    "",
]


@pytest.mark.parametrize(("text", "first", "last", "grain"), NAMED, ids=[row[0] for row in NAMED])
def test_a_phrase_names_its_days(text: str, first: str, last: str, grain: str) -> None:
    """Each text has one time phrase, from the start of its first day to the end of its last (hours lie within)."""
    [phrase] = time_phrases(text, reference=READ)
    assert [str(day) for day in phrase.days] == [first, last]
    assert phrase.grain == grain
    if grain != "hour":
        assert phrase.start.hour == phrase.end.hour == 0


@pytest.mark.parametrize("text", UNNAMED)
def test_no_phrase_where_there_is_none(text: str) -> None:
    """Ports, versions, counts, ordinary short words, habits and impossible bounds name no time."""
    assert time_phrases(text, reference=READ) == []


def test_parts_of_a_day_are_hours() -> None:
    """An evening is from six to midnight, a morning from five to noon, an hour ago the clock hour."""
    evening, morning = time_phrases("yesterday evening, or this morning", reference=READ)
    assert (evening.start.hour, evening.end) == (18, READ.replace(hour=0, minute=0))
    assert (morning.start.hour, morning.end.hour) == (5, 12)
    assert time_phrases("两小时前", reference=READ)[0].start == READ.replace(hour=13, minute=0)


def test_several_phrases_come_in_order_with_their_words() -> None:
    """English and Chinese phrases of one text come in the order of the text, without overlap."""
    found = time_phrases("去年三月 in Lisbon, last week 上海, May 7", reference=READ)
    assert [phrase.text for phrase in found] == ["去年三月", "last week", "May 7"]


def test_times_are_in_the_reference_zone() -> None:
    """Days begin at midnight of the reference's zone; a reference without zone gives times without one."""
    zone = timezone(timedelta(hours=8))
    assert time_phrases("昨天", reference=READ.astimezone(zone))[0].start == datetime(2023, 6, 13, tzinfo=zone)
    assert time_phrases("yesterday", reference=datetime(2023, 6, 14))[0].start == datetime(2023, 6, 13)


def test_last_week_in_the_first_week_of_a_year() -> None:
    """Weeks run across the turn of the year, months across it too."""
    turn = datetime(2024, 1, 1, tzinfo=UTC)
    assert [str(day) for day in time_phrases("last week", reference=turn)[0].days] == ["2023-12-25", "2023-12-31"]
    assert [str(day) for day in time_phrases("上个月", reference=turn)[0].days] == ["2023-12-01", "2023-12-31"]


@pytest.mark.parametrize("edge", [datetime.min, datetime.max])
def test_the_ends_of_the_calendar_raise_nothing(edge: datetime) -> None:
    """At year 1 and year 9999 a phrase that leads out of the calendar is ignored."""
    for text, *_ in NAMED:
        assert all(phrase.start < phrase.end for phrase in time_phrases(text, reference=edge))


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=60), st.datetimes())
def test_any_text_and_time_raise_nothing(text: str, moment: datetime) -> None:
    """Whatever the text and the reference, every phrase found is a time with an end after its start."""
    assert all(phrase.start < phrase.end for phrase in time_phrases(text, reference=moment))


PIECES = "last next 2 two 五 万 年前 ago week May 7 , 2023 before the in 周 五 上 个 月 days - / 2023-05-07 past few 年".split()


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["", " "]), st.datetimes())
def test_any_mixture_of_date_words_raises_nothing(pieces: list[str], glue: str, moment: datetime) -> None:
    """Words of date phrases in any order raise nothing."""
    assert all(phrase.start < phrase.end for phrase in time_phrases(glue.join(pieces), reference=moment))


def test_span_terms_are_distinct_and_few() -> None:
    """A term gives the first and the last day; the same time twice gives one term; there are at most 48."""
    week = time_phrases("last week, yes, last week", reference=READ)
    assert span_terms(week) == ["@2023-06-05/2023-06-11"]
    many: list[TimePhrase] = time_phrases(" and ".join(f"in {year}" for year in range(1900, 2000)), reference=READ)
    assert len(many) == 100
    assert len(span_terms(many)) == TERM_COUNT


@pytest.mark.parametrize(
    "piece",
    ["x", "1", "last ", "may 7 ", "two day ", "year before ", "2019 ", "五", "五万 年", " ", "a day ", "2023-", "7 "],
)
def test_a_megabyte_is_scanned_in_linear_time(piece: str) -> None:
    """No megabyte of anything takes more than four seconds of processor time."""
    text = piece * (1_000_000 // len(piece))
    before = time.process_time()
    time_phrases(text, reference=READ)
    assert time.process_time() - before < 4.0
