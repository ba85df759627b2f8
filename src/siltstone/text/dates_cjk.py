"""The rules for Chinese time phrases, and the common ones of Japanese. `dates` states what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import TypeVar

from siltstone.text import spans
from siltstone.text.date_rules import HAN_NUMBER, Rule, any_of, han_number, tense
from siltstone.text.spans import Span

Value = TypeVar("Value", int, str)


def _table(rows: Mapping[Value, str]) -> dict[str, Value]:
    return {word: value for value, words in rows.items() for word in words.split()}


_DAYS = _table(
    {
        -3: "大前天",
        -2: "前天 前日 前晚 一昨日 おととい",
        -1: "昨天 昨日 昨晚 昨夜 昨儿 きのう",
        0: "今天 今日 今早 今晨 今晚 今夜 今儿 きょう",
        1: "明天 明日 明早 明晚 あした",
        2: "后天 後天 明後日 あさって",
        3: "大后天 大後天",
    }
)
_PARTS = _table(
    {
        "morning": "早上 早晨 上午 清晨 午前 朝 早 晨",
        "noon": "中午",
        "afternoon": "下午 午后 午後",
        "evening": "傍晚 晚上",
        "night": "夜里 夜 晚",
    }
)
_YEARS = _table({-3: "大前年", -2: "前年 一昨年", -1: "去年 昨年", 0: "今年", 1: "明年 来年", 2: "后年 後年"})
_WEEKS = _table({-2: "上上 先々", -1: "上 先 前", 0: "这 這 本 今", 1: "下 来", 2: "下下"})
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_UNITS = _table(
    {
        "hour": "小时 小時 钟头 時間",
        "day": "天 日",
        "weekend": "周末 週末",
        "week": "周 週 星期 礼拜 禮拜 週間",
        "month": "月 ヶ月 か月 カ月",
        "year": "年",
    }
)


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_WHICH_WEEK = _either(_WEEKS)
_WEEK = "(?:个|個)?(?:周|週|星期|礼拜|禮拜)"
_WEEKDAY = r"[一二三四五六日天]|の?[月火水木金土日]曜日?|末"
_UNIT = _either(_UNITS)
_PART = _either(_PARTS)
_MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九正])月(?!球|亮)"
_DAY = r"(?:[0-3]?\d|[一二三四五六七八九十]{1,3})(?:日|号|號)"
_YEAR = r"(?:(?:19|20)\d\d|[一二][零〇一二三四五六七八九]{3})年"
_FEW = "几|幾|数|數"


def _near_day(match: re.Match[str], reference: datetime) -> Span | None:
    word = match["near"]
    return _part_of(spans.day(reference, _DAYS[word]), match["part"] or word[-1])


def _part_of(whole: Span, word: str) -> Span:
    return spans.part(whole, _PARTS[word]) if word in _PARTS else whole


def _week(match: re.Match[str], reference: datetime) -> Span | None:
    offset, name = _WEEKS[match["which"]], match["weekday"]
    if not name:
        return spans.week(reference, offset)
    if name == "末":
        return spans.weekend(reference, offset)
    return _part_of(spans.weekday(reference, _weekday_number(name), offset), match["part"] or "")


def _weekday_number(name: str) -> int:
    name = name.removeprefix("の")
    return "月火水木金土日".index(name[0]) if len(name) > 1 else "一二三四五六日天".index(name) - (name == "天")


def _bare_weekday(match: re.Match[str], reference: datetime) -> Span | None:
    number = _weekday_number(match["weekday"])
    readings = [spans.weekday(reference, number, offset) for offset in (-1, 0, 1)]
    return _part_of(spans.nearest(reference, readings, tense(match)), match["part"] or "")


def _month(match: re.Match[str], reference: datetime) -> Span | None:
    whole = spans.month(reference, _WEEKS[match["which"]])
    return _day_of(whole, match["day"])


def _day_of(whole: Span, number: str | None) -> Span:
    if not number:
        return whole
    return spans.date(whole.start, whole.start.year, whole.start.month, han_number(number[:-1]))


def _month_number(text: str) -> int:
    return han_number(text[:-1].replace("正", "一"))


def _relative_year(match: re.Match[str], reference: datetime) -> Span | None:
    return _within(match, reference, reference.year + _YEARS[match["relative"]])


def _dated(match: re.Match[str], reference: datetime) -> Span | None:
    return _within(match, reference, han_number(match["year"][:-1]))


def _within(match: re.Match[str], reference: datetime, year: int) -> Span:
    """The year, or its season, month or day that the match names."""
    if match["season"]:
        return spans.season(reference, year, _SEASONS[match["season"][0]])
    if not match["month"]:
        return spans.years(reference, year, year)
    return _day_of(spans.month_of(reference, year, _month_number(match["month"])), match["day"])


def _yearless(match: re.Match[str], reference: datetime) -> Span | None:
    number = _month_number(match["month"])
    years = (reference.year + offset for offset in (-1, 0, 1))
    readings = [_day_of(spans.month_of(reference, year, number), match["day"]) for year in years]
    return spans.nearest(reference, readings, tense(match))


def _counted(match: re.Match[str], reference: datetime) -> Span | None:
    sign = -1 if match["side"] == "前" else 1
    unit = _UNITS[match["unit"]]
    if match["count"] in _FEW.split("|"):
        near, far = (spans.unit(reference, unit, sign * number) for number in (2, 5))
        return Span(min(near.start, far.start), max(near.end, far.end), unit)
    return spans.unit(reference, unit, sign * han_number(match["count"]))


def _half_year(match: re.Match[str], reference: datetime) -> Span | None:
    return spans.month(reference, -6 if match["side"] == "前" else 6)


def _trailing(match: re.Match[str], reference: datetime) -> Span | None:
    number = 5 if match["count"] in _FEW.split("|") else han_number(match["count"])
    return spans.trailing(reference, _UNITS[match["unit"]], number)


def _decade(match: re.Match[str], reference: datetime) -> Span | None:
    first = han_number(match["decade"])
    return spans.years(reference, 1900 + first, 1909 + first)._replace(grain="decade")


_REST = rf"(?:(?P<season>[春夏秋冬](?:天|季|の)?)|(?:的|の)?(?P<month>{_MONTH})(?:的)?(?P<day>{_DAY})?)?"

RULES: tuple[Rule, ...] = (
    Rule(rf"(?P<near>{_either(_DAYS)})的?(?P<part>{_PART})?", _near_day),
    Rule(rf"(?P<which>{_WHICH_WEEK}){_WEEK}(?P<weekday>{_WEEKDAY})?的?(?P<part>{_PART})?", _week),
    Rule(rf"(?P<which>上上|下下|上|下|这|這|本|先|今|来)(?:个|個)?月(?P<day>{_DAY})?", _month),
    Rule(rf"(?P<relative>{_either(_YEARS)}){_REST}", _relative_year),
    Rule(rf"(?P<year>{_YEAR}){_REST}", _dated),
    Rule(rf"(?P<month>{_MONTH})(?P<day>{_DAY})?", _yearless),
    Rule(
        rf"(?:最近|过去|過去|近|这|這)(?P<count>{HAN_NUMBER}|{_FEW})(?:个|個)?(?P<unit>{_UNIT})(?:间|間|里|裡)?(?!前|后|後)",
        _trailing,
    ),
    Rule(r"半年(?:之|以)?(?P<side>前|后|後)", _half_year),
    Rule(
        rf"(?P<count>{HAN_NUMBER}|{_FEW})(?:多)?(?:个|個)?(?P<unit>{_UNIT})(?:之|以)?(?P<side>前|后|後)(?!面|边|邊|端|台|往)",
        _counted,
    ),
    Rule(
        rf"(?:周|週|星期|礼拜|禮拜)(?P<weekday>[一二三四五六日天])(?![年月本生期个個])的?(?P<part>{_PART})?",
        _bare_weekday,
    ),
    Rule(r"(?P<decade>[3-9]0|[三四五六七八九]十)年代", _decade),
)


@cache
def hint() -> re.Pattern[str]:
    """Where a phrase may begin, and which rule to try there; compiled for the first text that needs it."""
    return any_of(RULES, r"(?<![每各\dA-Za-z.零〇一二两三四五六七八九十])")
