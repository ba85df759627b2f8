"""Associations: memories of entities that keep company with those of the query, behind everything that answers it.

What is associated fills the places that direct hits leave free, with scores below the least of theirs: it never takes a
place from a direct hit, whatever its factors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.values import ENTRY
from siltstone.retrieval.corpus import Corpus
from siltstone.settings import SynonymSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Associated:
    """Rows, best first, with the strength of their bond on (0, 1], and the entities that brought them."""

    rows: NDArray[np.intp]
    strengths: NDArray[np.float32]
    entities: tuple[str, ...] = ()


def related(
    corpus: Corpus, text: str, allowed: NDArray[np.bool_], settings: SynonymSettings
) -> list[tuple[str, float]]:
    """(entity, strength) for those that come together with the text's entities in at least `related_min_count` rows.

    Strength is the share of the rows of the text's entities in which it comes too; the `related_entities` strongest.
    """
    if settings.related_entities <= 0:
        return []
    company = corpus.company
    asked = company.named(text)
    found = {item for entity in asked for item in company.holders[entity] if _may_show(corpus, item, allowed)}
    together = Counter(entity for item in found for entity in company.names[item])
    counts = [
        (entity, count)
        for entity, count in together.items()
        if count >= settings.related_min_count and entity not in asked
    ]
    best = sorted(counts, key=lambda pair: (-pair[1], pair[0]))[: settings.related_entities]
    return [(entity, count / len(found)) for entity, count in best]


def associated(
    corpus: Corpus, text: str, allowed: NDArray[np.bool_], taken: Iterable[int], settings: SynonymSettings
) -> Associated:
    """The allowed rows that name an entity related to the text's, those in `taken` left out; ties to the newer row."""
    strengths: dict[int, float] = {}
    found = related(corpus, text, allowed, settings)
    left_out = set(taken)
    for entity, strength in found:
        for item in corpus.company.holders[entity]:
            row = corpus.row(ENTRY, item)
            if row not in left_out and _may_show(corpus, item, allowed):
                strengths[row] = max(strengths.get(row, 0.0), strength)
    rows = sorted(strengths, key=lambda row: (-strengths[row], -corpus.origin[row]))
    return Associated(
        rows=np.array(rows, np.intp),
        strengths=np.array([strengths[row] for row in rows], np.float32),
        entities=tuple(entity for entity, _ in found),
    )


def _may_show(corpus: Corpus, entry_id: str, allowed: NDArray[np.bool_]) -> bool:
    row = corpus.row(ENTRY, entry_id)
    return row >= 0 and bool(allowed[row])
