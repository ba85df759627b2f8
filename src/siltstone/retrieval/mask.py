"""The mask: a filter as a column over a corpus.

Every channel, window and neighbour works under it: nothing outside the filter is ever returned.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.filters import Filter, described
from siltstone.domain.values import NOTE, TURN
from siltstone.retrieval.corpus import Corpus

ENTRY_KINDS = (NOTE, TURN)
"""What is recalled where the call names no kinds."""


def tagged(wanted: Filter, configured: str) -> Filter:
    """The filter with the configured tags (separated by commas) added to its own."""
    tags = [tag.strip() for tag in configured.split(",") if tag.strip()]
    return replace(wanted, tags=(*wanted.tags, *tags)) if tags else wanted


def mask(corpus: Corpus, wanted: Filter, now: datetime) -> NDArray[np.bool_]:
    """Which rows may be returned, shape (corpus.size,): live, valid at `as_of` or now, and let through by the filter."""
    at = (wanted.as_of or now).timestamp()
    starts = corpus.starts.view
    if wanted.as_of is not None:
        starts = np.where(np.isfinite(starts), starts, corpus.occurred.view)
    allowed = corpus.live.view & (starts <= at) & (corpus.ends.view > at)
    for column, names, name in (
        (corpus.agent, corpus.agents, wanted.agent_id),
        (corpus.session, corpus.sessions, wanted.session_id),
        (corpus.speaker, corpus.speakers, wanted.speaker),
    ):
        if name is not None:
            allowed &= column.view == names.known(name)
    kinds = {corpus.kinds.known(kind) for kind in wanted.kinds or ENTRY_KINDS}
    if not kinds.issuperset(range(len(corpus.kinds.names))):
        allowed &= np.isin(corpus.kind.view, list(kinds))
    if wanted.since is not None:
        allowed &= corpus.occurred.view >= wanted.since.timestamp()
    if wanted.until is not None:
        allowed &= corpus.occurred.view < wanted.until.timestamp()
    if wanted.tags or wanted.metadata:
        _mask_described(corpus, wanted, allowed)
    return allowed


def counted(corpus: Corpus, wanted: Filter) -> NDArray[np.bool_] | None:
    """The live rows of the kinds that are asked for, shape (corpus.size,); None where there are no others."""
    kinds = {corpus.kinds.known(kind) for kind in wanted.kinds or ENTRY_KINDS}
    if kinds.issuperset(range(len(corpus.kinds.names))):
        return None
    return corpus.live.view & np.isin(corpus.kind.view, list(kinds))


def _mask_described(corpus: Corpus, wanted: Filter, allowed: NDArray[np.bool_]) -> None:
    fits = np.zeros(corpus.size, np.bool_)
    for row, extra in corpus.extras.items():
        fits[row] = described(wanted, extra.get("tags") or (), extra.get("metadata") or {})
    allowed &= fits
