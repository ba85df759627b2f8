"""The calibration row: BM25 and nothing else, as the protocol fixes it (tokens, stop words, k1 1.2, b 0.75).

It shares no code with the engine: it is the yardstick beside it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import snowballstemmer

STOP = frozenset(
    "a an the of to in on at for and or but is are was were be been being do does did have has had i you he she it we "
    "they me him her us them my your his its our their this that these those with as by from about into what when "
    "where who whom which why how not no so if then than too very can could will would should".split()
)
K1, B = 1.2, 0.75
_stem = snowballstemmer.stemmer("english").stemWord
_stems: dict[str, str] = {}


def tokens(text: str) -> list[str]:
    """Lower-cased [a-z0-9]+ words without stop words, stemmed."""
    words = (word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP)
    return [_stems.get(word) or _stems.setdefault(word, _stem(word)) for word in words]


class BM25:
    """An index over texts; `rank` answers their positions, best first, ties by position, zero scores left out."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.counts = [Counter(tokens(text)) for text in texts]
        self.lengths = [sum(counts.values()) for counts in self.counts]
        self.average = sum(self.lengths) / max(len(texts), 1)
        self.frequency = Counter(term for counts in self.counts for term in counts)
        self.holders: dict[str, list[int]] = {}
        for place, counts in enumerate(self.counts):
            for term in counts:
                self.holders.setdefault(term, []).append(place)

    def rank(self, query: str, depth: int) -> list[int]:
        """The best `depth` positions for the query's distinct terms."""
        scores: dict[int, float] = {}
        for term in dict.fromkeys(tokens(query)):
            found = self.frequency[term]
            idf = math.log(1 + (len(self.counts) - found + 0.5) / (found + 0.5))
            for place in self.holders.get(term, ()):
                count = self.counts[place][term]
                norm = K1 * (1 - B + B * self.lengths[place] / self.average)
                scores[place] = scores.get(place, 0.0) + idf * count * (K1 + 1) / (count + norm)
        return sorted(scores, key=lambda place: (-scores[place], place))[:depth]
