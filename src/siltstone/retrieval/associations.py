"""Associations: memories of entities that keep company with those of the query, behind everything that answers it.

What is associated fills the places that direct hits leave free, with scores below the least of theirs: it never takes a
place from a direct hit, whatever its factors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.tallies import Tally
from siltstone.settings import SynonymSettings
from siltstone.text.normal import fold, is_cjk

LONGEST = 4
"""Words, or CJK characters beyond two, that the name of an entity in a query may have."""
LONGEST_CJK = 8
SCANNED = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Associated:
    """Rows, best first, with the strength of their bond on (0, 1], and the entities that brought them."""

    rows: NDArray[np.intp]
    strengths: NDArray[np.float32]
    entities: tuple[str, ...] = ()


class Company(Tally):
    """For each entity the rows that name it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, set[int]] = {}

    def count(self, corpus: Corpus, row: int, sign: int) -> None:
        """Enter the row under its entities, or take it out."""
        for entity in corpus.entities[row]:
            if sign > 0:
                self.rows.setdefault(entity, set()).add(row)
            else:
                self.rows[entity].discard(row)

    def named(self, text: str) -> list[str]:
        """The entities that a text names as whole words, each once; longer ones hide those within them."""
        found: list[str] = []
        folded = fold(text[:SCANNED])
        for name in (*_phrases(folded), *_chinese(folded)):
            if self.rows.get(name) and not any(_within(name, other) for other in found):
                found.append(name)
        return list(dict.fromkeys(found))


def related(
    corpus: Corpus, text: str, allowed: NDArray[np.bool_], settings: SynonymSettings
) -> list[tuple[str, float]]:
    """(entity, strength) for those that come together with the text's entities in at least `related_min_count` rows.

    Strength is the share of the rows of the text's entities in which it comes too; the `related_entities` strongest.
    """
    if settings.related_entities <= 0:
        return []
    company = corpus.tally(Company)
    asked = company.named(text)
    rows = {row for entity in asked for row in company.rows[entity] if allowed[row]}
    together = Counter(entity for row in rows for entity in corpus.entities[row])
    counts = [
        (entity, count)
        for entity, count in together.items()
        if count >= settings.related_min_count and entity not in asked
    ]
    best = sorted(counts, key=lambda pair: (-pair[1], pair[0]))[: settings.related_entities]
    return [(entity, count / len(rows)) for entity, count in best]


def associated(
    corpus: Corpus, text: str, allowed: NDArray[np.bool_], taken: Iterable[int], settings: SynonymSettings
) -> Associated:
    """The allowed rows that name an entity related to the text's, those in `taken` left out; ties to the newer row."""
    strengths: dict[int, float] = {}
    found = related(corpus, text, allowed, settings)
    company, left_out = corpus.tally(Company), set(taken)
    for entity, strength in found:
        for row in company.rows[entity]:
            if allowed[row] and row not in left_out:
                strengths[row] = max(strengths.get(row, 0.0), strength)
    rows = sorted(strengths, key=lambda row: (-strengths[row], -corpus.origin[row]))
    return Associated(
        rows=np.array(rows, np.intp),
        strengths=np.array([strengths[row] for row in rows], np.float32),
        entities=tuple(entity for entity, _ in found),
    )


def _phrases(folded: str) -> Iterator[str]:
    words = [word.strip(".,;:!?()[]{}'\"") for word in folded.split()]
    words = [word.removesuffix("'s") for word in words]
    for size in range(LONGEST, 0, -1):
        for at in range(len(words) - size + 1):
            yield "_".join(words[at : at + size])


def _chinese(folded: str) -> Iterator[str]:
    runs = "".join(char if is_cjk(char) else " " for char in folded).split() if not folded.isascii() else []
    for size in range(LONGEST_CJK, 1, -1):
        for run in runs:
            for at in range(len(run) - size + 1):
                yield run[at : at + size]


def _within(name: str, other: str) -> bool:
    return name != other and (f"_{name}_" in f"_{other}_" or (is_cjk(name[0]) and name in other))
