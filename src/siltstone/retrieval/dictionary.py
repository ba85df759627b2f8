"""The dictionary: which runs of Chinese characters are words, by this user's own memories, and a query read by them.

A run of two to four characters is a word where it recurs, its parts cling together (normalised pointwise mutual
information; Bouma 2009), and it is no mere part of a longer run that recurs as often. No list and no model is needed, so
names and terms of a trade are found like any other word.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.tallies import Tally
from siltstone.text.function_words import CJK_CHARS
from siltstone.text.normal import CJK, clean, is_cjk, plain

LONGEST = 4
RECURS = 3
CLINGS = 0.5
"""Normalised pointwise mutual information, on [-1, 1], from which two parts make one word."""
ABSORBED = 0.8
"""Share of a run's places in a longer run from which it is only a part of that one."""
_RUN = re.compile(f"[{CJK}]+")


class Words(Tally):
    """How often each run of one to four CJK characters comes in a user's memories."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[str] = Counter()
        self._characters = 0

    def count(self, corpus: Corpus, row: int, sign: int) -> None:
        """Count the runs of the row, or take them back."""
        if corpus.terms[row].isascii():
            return
        for run in runs(corpus.words(row)):
            self._characters += sign * len(run)
            for size in range(1, LONGEST + 1):
                for at in range(len(run) - size + 1):
                    self._counts[run[at : at + size]] += sign

    def is_word(self, run: str, around: Iterable[str] = ()) -> bool:
        """Whether the run is a word; `around` are the longer runs that it is to be told from."""
        often = self._counts[run]
        if not 2 <= len(run) <= LONGEST or often < RECURS or run[0] in CJK_CHARS or run[-1] in CJK_CHARS:
            return False
        parts = (self._counts[run[:at]] * self._counts[run[at:]] for at in range(1, len(run)))
        total = max(self._characters, often + 1)
        clings = math.log(often * total / max(*parts, 1)) / math.log(total / often)
        return clings >= CLINGS and all(self._counts[longer] < ABSORBED * often for longer in around)

    def segmented(self, run: str) -> Iterator[tuple[int, int]]:
        """Where the words of a run of CJK characters stand, as (start, end), the longest first at each place."""
        at = 0
        while at < len(run):
            size = next((n for n in range(LONGEST, 1, -1) if self._fits(run, at, at + n)), 0)
            if size:
                yield at, at + size
            at += size or 1

    def _fits(self, run: str, start: int, end: int) -> bool:
        if end > len(run):
            return False
        longer = [run[start - 1 : end]] if start else []
        longer += [run[start : end + 1]] if end < len(run) else []
        return self.is_word(run[start:end], [item for item in longer if len(item) <= LONGEST])

    def all_words(self) -> list[tuple[str, int]]:
        """Every word with how often it comes, the most frequent first, ties in order of their characters."""
        longer: dict[str, list[str]] = {}
        for run in self._counts:
            if len(run) > 2:
                longer.setdefault(run[1:], []).append(run)
                longer.setdefault(run[:-1], []).append(run)
        found = [(run, often) for run, often in self._counts.items() if self.is_word(run, longer.get(run, ()))]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def runs(terms: Sequence[str]) -> Iterator[str]:
    """The runs of CJK characters that index terms were made from."""
    run = ""
    for term in terms:
        if len(term) == 2 and run and term[0] == run[-1] and is_cjk(term[1]):
            run += term[1]
        elif len(term) == 1 and is_cjk(term) and run[-1:] == term and len(run) > 1:
            continue
        else:
            if run:
                yield run
            run = term if len(term) == 1 and is_cjk(term) else ""
    if run:
        yield run


def refined(terms: Sequence[str], text: str, corpus: Corpus) -> tuple[str, ...]:
    """A query's terms without those that only words of the dictionary hold: their characters, the pairs across them."""
    if text.isascii():
        return tuple(terms)
    words, dropped, kept = corpus.tally(Words), set[str](), set[str]()
    for run in _RUN.findall(plain(clean(text))):
        _sort_out(run, list(words.segmented(run)), dropped, kept)
    found = tuple(term for term in terms if term not in dropped or term in kept)
    return found or tuple(terms)


def _sort_out(run: str, words: Sequence[tuple[int, int]], dropped: set[str], kept: set[str]) -> None:
    """Which characters and pairs of a run its words make needless, and which are needed all the same."""
    owner = {at: n for n, (start, end) in enumerate(words) for at in range(start, end)}
    for at, char in enumerate(run):
        (dropped if at in owner else kept).add(char)
    for at in range(len(run) - 1):
        left, right = owner.get(at), owner.get(at + 1)
        (dropped if left is not None and right is not None and left != right else kept).add(run[at : at + 2])
