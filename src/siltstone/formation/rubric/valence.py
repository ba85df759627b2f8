"""Valence of a statement: a voiced feeling outweighs the plain weight of its object."""

from __future__ import annotations

from siltstone.domain.beliefs import NEGATIVE, NEUTRAL, POSITIVE
from siltstone.formation.rubric.weigh import Weight
from siltstone.text.sentiment import sentiment


def valence_of(text: str, weight: Weight) -> str:
    """ "pos", "neg" or "neu" for a statement of this weight."""
    voiced = sentiment(text)
    if voiced > 0:
        return POSITIVE
    if voiced < 0:
        return NEGATIVE
    return weight.valence or NEUTRAL
