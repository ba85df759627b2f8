"""A closer look: vectors of embedders too slow for a write, for the statements that consolidation compares.

Each is made once and kept beside the others of its model; that it was made is an event, and no replay makes it again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from siltstone.domain.beliefs import SEGMENT
from siltstone.domain.events import TEXTS_EMBEDDED, Draft
from siltstone.domain.records import Record, text_key
from siltstone.errors import MissingDependency, ModelError
from siltstone.formation.likeness import EVERYDAY, Vector, is_cjk
from siltstone.ports.clock import Clock
from siltstone.ports.models import Embedder
from siltstone.ports.stores import Partition, View

LOG = logging.getLogger(__name__)
BATCH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What meaning counts for between two texts seen closer: by the first embedder, by the closer one, less a `level`.

    The level brings the likeness of unrelated texts to where it is without a closer look, so that one threshold serves.
    """

    first: float
    own: float
    level: float


LATIN = Manner(first=0.1, own=0.6, level=0.08)
CJK = Manner(first=0.1, own=0.8, level=0.05)
"""Chosen on the tune half of the topic set, half of the concepts left out: what a user says is not all on a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Statements as one closer embedder sees them: vectors by text key, without its background, at unit length."""

    manner: Manner
    vectors: Mapping[str, Vector] = field(default_factory=dict)


class Glass:
    """One closer embedder, for texts of one script: Chinese where it reads every language, else Latin."""

    def __init__(self, embedder: Embedder, clock: Clock) -> None:
        self._embedder, self._clock = embedder, clock
        self.cjk = not embedder.languages
        self._background: Vector | None = None

    def look(self, partition: Partition, statements: Iterable[Record]) -> Sight:
        """These statements seen closer, what lacks a vector embedded first. Without any where the model fails."""
        wanted = {text_key(r.body["text"]): r for r in statements if is_cjk(r.body["text"]) is self.cjk}
        manner = CJK if self.cjk else LATIN
        if not wanted:
            return Sight(manner=manner)
        try:
            known = self._known(partition, wanted)
            known |= self._made(partition, {key: record for key, record in wanted.items() if key not in known})
            return Sight(manner=manner, vectors={key: self._focused(vector) for key, vector in known.items()})
        except (ModelError, MissingDependency) as error:
            LOG.warning("statements of %r are compared without a closer look: %s", partition.user_id, error)
            return Sight(manner=manner)

    def _known(self, partition: Partition, wanted: Mapping[str, Record]) -> dict[str, Vector]:
        found = partition.vectors(self._embedder.fingerprint)
        return {vector.key: np.frombuffer(vector.data, np.float32) for vector in found if vector.key in wanted}

    def _made(self, partition: Partition, lacking: Mapping[str, Record]) -> dict[str, Vector]:
        """Embed and keep a batch a step; a batch of which a statement was erased meanwhile is not kept."""
        found: dict[str, Vector] = {}
        for batch in _batches(list(lacking.items())):
            rows = self._embedder.embed([record.body["text"] for _, record in batch])
            made = {key: row.astype("<f4") for (key, _), row in zip(batch, rows, strict=True)}
            model = self._embedder.fingerprint
            payload = {"model": model, "count": len(made)}
            draft = Draft(id=self._clock.new_id(), kind=TEXTS_EMBEDDED, at=self._clock.now(), payload=payload)
            keep = partial(_still, draft, [record.id for _, record in batch])
            partition.commit(keep, model=model, vectors={key: row.tobytes() for key, row in made.items()})
            found |= made
        return found

    def _focused(self, vector: Vector) -> Vector:
        if self._background is None:
            texts = [text for text in EVERYDAY if is_cjk(text) is self.cjk]
            self._background = self._embedder.embed(texts).mean(axis=0)
        plain: Vector = vector - self._background
        length = float(np.linalg.norm(plain))
        return plain / np.float32(length) if length else plain


def _batches(rows: Sequence[tuple[str, Record]]) -> Iterator[Sequence[tuple[str, Record]]]:
    yield from (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


def _still(draft: Draft, ids: Sequence[str], view: View) -> tuple[Draft, ...]:
    return (draft,) if all(view.get(SEGMENT, statement_id) is not None for statement_id in ids) else ()
