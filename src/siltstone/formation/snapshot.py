"""Snapshots: what a chain says now."""

from __future__ import annotations

from collections.abc import Sequence

from siltstone.domain.beliefs import Chain, Episode

LINES = 5
"""Statements in a summary that no model wrote: the newest."""


def summary(statements: Sequence[str]) -> str:
    """The chain in words where no model writes them: its newest statements that hold, oldest first, one each."""
    distinct = list(dict.fromkeys(statement.strip() for statement in statements if statement.strip()))
    return " ".join(map(_closed, distinct[-LINES:]))


def _closed(statement: str) -> str:
    """The statement as a sentence."""
    if statement[-1] in ".!?。！？…":
        return statement
    return statement + ("。" if "\u4e00" <= statement[-1] <= "\u9fff" else ".")


VIVID = "vivid, unverified by convergence"
ESTABLISHED, LIKELY, UNCERTAIN, CONTESTED = "established", "likely", "uncertain", "contested"
DOUBT_LEFT = 0.8
"""The share of doubt that each further turn leaves."""


def confidence(intensity: float, turns: int) -> float:
    """How sure a belief is, 0 to 1: each further turn that speaks for it takes a fifth of the doubt that is left."""
    return round(1 - (1 - intensity) * DOUBT_LEFT ** max(turns - 1, 0), 4)


def label(*, vivid: bool, sure: float, turns: int, contested: bool) -> str:
    """The confidence in words (Bubble's five); "contested" only where something contradicts."""
    if contested:
        return CONTESTED
    if vivid and turns <= 1:
        return VIVID
    return ESTABLISHED if sure > 0.75 else LIKELY if sure >= 0.5 else UNCERTAIN


def judged(episode: Episode, chain: Chain | None) -> tuple[float, str]:
    """How sure an episode is within its chain, as a number and in words."""
    others = () if chain is None else chain.episodes
    evidence = [*episode.statements, *(chain.reinforcing if chain is not None else ())]
    evidence += [s for other in others if other.superseded_by is None for s in other.statements]
    turns = len({statement.entry_id for statement in evidence if statement.found})
    against = episode.superseded_by is not None
    sure = confidence(episode.confidence, 1 if against else turns)
    return sure, label(vivid=episode.vivid, sure=sure, turns=turns, contested=against)
