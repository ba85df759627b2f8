"""Tallies: counts over a corpus's live rows that are made when they are first asked for and kept current from then on.

What a tally says follows from the live rows alone, never from the way the corpus got there: its counts are integers,
added for a row that comes and taken back for one that goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from siltstone.retrieval.corpus import Corpus


class Tally:
    """The base of all counts over a corpus. A subclass says what one row adds."""

    def __init__(self) -> None:
        self._rows = self._retired = 0

    def count(self, corpus: Corpus, row: int, sign: int) -> None:
        """Add what the row holds, or take it back (`sign` -1). It must not depend on anything that a row can lose."""
        raise NotImplementedError

    def refresh(self, corpus: Corpus) -> None:
        """Bring the counts up to the corpus."""
        for row in corpus.retired[self._retired :]:
            if row < self._rows:
                self.count(corpus, row, -1)
        self._retired = len(corpus.retired)
        for row in range(self._rows, corpus.size):
            if corpus.live[row]:
                self.count(corpus, row, 1)
        self._rows = corpus.size
