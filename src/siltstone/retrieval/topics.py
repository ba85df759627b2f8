"""Topics: the words that a user keeps coming back to, by day, from what was said and from what was used.

A mention is a memory that says the word, at its `occurred_at`, or a use of that memory, at the time of the use. The
windows are real: today, the last 7 days, the last 90; what lies outside does not count, whatever came since.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from siltstone.retrieval.tallies import Tally
from siltstone.text.function_words import CJK_CHARS
from siltstone.text.normal import is_cjk

if TYPE_CHECKING:
    from siltstone.retrieval.corpus import Corpus
    from siltstone.settings import RankingSettings

DAY = 86_400.0
WEEK, WINDOW = 7, 90
KEYWORDS = 5
TOP = 10
REPEATED = 2
"""Mentions in the window from which a word is a topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A word (an index term) with its mentions today, in the last 7 days and in the last 90, and when it was last seen.

    `heat` = (4 · today + 2 · week + all) × fading and `attention` = (increment · all + emotion · intensities) × fading,
    with fading = 2^(−days since it was last seen / half-life).
    """

    word: str
    today: int
    week: int
    mentions: int
    days_ago: int
    fading: float
    heat: float
    attention: float


def keywords(words: Sequence[str], most: int = KEYWORDS) -> list[str]:
    """The `most` frequent index terms that can be a topic, ties to the earlier: no digits, nothing short, CJK in pairs."""
    return [word for word, _ in Counter(filter(_is_topical, words)).most_common(most)]


def _is_topical(word: str) -> bool:
    if is_cjk(word[0]):
        return len(word) == 2 and CJK_CHARS.isdisjoint(word)
    return len(word) > 2 and not word[0].isdigit() and word[0] not in "@&"


class Topics(Tally):
    """The mentions of a user's words by day."""

    def __init__(self) -> None:
        super().__init__()
        self._days: dict[int, dict[str, list[int]]] = {}
        self._uses: dict[int, list[int]] = {}
        self._today = -1
        self._window: dict[str, list[int]] = {}
        self._found: dict[tuple[str, int, RankingSettings], list[Topic]] = {}

    def count(self, corpus: Corpus, row: int, sign: int) -> None:
        """Add the row's keywords at its day and at the days of its uses."""
        self._found.clear()
        if sign > 0 and (used := corpus.used.get(row)):
            self._uses[row] = [int(datetime.fromisoformat(at).timestamp() // DAY) for at in used]
        days = [int(corpus.occurred[row] // DAY), *self._uses.get(row, ())]
        tenths = corpus.form["intensity"][row]
        for word in keywords(corpus.words(row)):
            for day in days:
                self._add(day, word, sign, sign * tenths)

    def _add(self, day: int, word: str, mentions: int, tenths: int) -> None:
        held = self._days.setdefault(day, {}).setdefault(word, [0, 0])
        held[0] += mentions
        held[1] += tenths
        if not held[0]:
            del self._days[day][word]
        if 0 <= self._today - day < WINDOW:
            self._note(day, word, mentions, tenths)

    def _note(self, day: int, word: str, mentions: int, tenths: int) -> None:
        """Enter a change of one day into the window: [today, week, all, tenths of intensity, last day]."""
        sums = self._window.setdefault(word, [0, 0, 0, 0, day])
        sums[0] += mentions if day == self._today else 0
        sums[1] += mentions if self._today - day < WEEK else 0
        sums[2] += mentions
        sums[3] += tenths
        sums[4] = max(sums[4], day) if mentions > 0 else self._last_day(word)
        if not sums[2]:
            del self._window[word]

    def _last_day(self, word: str) -> int:
        days = range(self._today, self._today - WINDOW, -1)
        return next((day for day in days if word in self._days.get(day, ())), self._today - WINDOW)

    def hot(self, now: datetime, settings: RankingSettings) -> list[Topic]:
        """The ten hottest topics, hottest first; ties to the word that sorts first."""
        return self._top("heat", now, settings)

    def attended(self, now: datetime, settings: RankingSettings) -> list[Topic]:
        """The ten topics with the most attention, most first."""
        return self._top("attention", now, settings)

    def _top(self, measure: str, now: datetime, settings: RankingSettings) -> list[Topic]:
        self._turn_to(int(now.timestamp() // DAY))
        key = (measure, self._today, settings)
        if key not in self._found:
            self._found[key] = self._looked_up(measure, settings)
        return self._found[key]

    def _looked_up(self, measure: str, settings: RankingSettings) -> list[Topic]:
        """Scores of all topics first, as plain numbers: there are many, and only ten become values."""
        half = max(settings.topic_half_life_days, 1e-9)
        fading = [2.0 ** (-age / half) for age in range(WINDOW)]
        today, increment, tenth = self._today, settings.attention_increment, settings.attention_emotion / 10
        sums = ((word, held) for word, held in self._window.items() if held[2] >= REPEATED)
        if measure == "heat":
            scored = ((-round((4 * n[0] + 2 * n[1] + n[2]) * fading[today - n[4]], 9), word) for word, n in sums)
        else:
            scored = ((-round((increment * n[2] + tenth * n[3]) * fading[today - n[4]], 9), word) for word, n in sums)
        return [self._topic(word, fading, increment, tenth) for _, word in heapq.nsmallest(TOP, scored)]

    def _topic(self, word: str, fading: Sequence[float], increment: float, tenth: float) -> Topic:
        today, week, mentions, tenths, last = self._window[word]
        faded = fading[self._today - last]
        return Topic(
            word=word,
            today=today,
            week=week,
            mentions=mentions,
            days_ago=self._today - last,
            fading=faded,
            heat=round((4 * today + 2 * week + mentions) * faded, 9),
            attention=round((increment * mentions + tenth * tenths) * faded, 9),
        )

    def _turn_to(self, today: int) -> None:
        if today == self._today:
            return
        self._today, self._window = today, {}
        self._found.clear()
        for day in range(today - WINDOW + 1, today + 1):
            for word, (mentions, tenths) in self._days.get(day, {}).items():
                self._note(day, word, mentions, tenths)
