"""What the stores index of an entry: its terms and the dates that it speaks of, as one line."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from siltstone.text.dates import span_terms, time_phrases
from siltstone.text.form import form_term
from siltstone.text.normal import fold
from siltstone.text.tokens import terms

ANALYSIS_VERSION: str = "2"
"""Raised whenever `analyse` gives other terms for the same text; stored indexes of another version are rebuilt."""

ENTITY_MARK = "@&"
"""How the term of an entity begins; the rest is its name, folded, with `_` for blanks."""
MOST_ENTITIES = 32
_SYNTAX = str.maketrans("@=", "  ")


def analyse(text: str, *, occurred_at: datetime | None, speaker: str | None, entities: Iterable[str] = ()) -> str:
    """The index terms of an entry, joined by blanks: its words, form, entities, and the times that it speaks of.

    The form is one term, see `form.form_term`. An entity is a term such as `@&new_york`, a time a term such as
    `@2023-05-01/2023-05-07`; relative ones (`yesterday`) are resolved against `occurred_at`, and left out where that is
    None. The speaker's name is a column of its own, and no term.
    """
    found = terms(text)
    found.append(form_term(text))
    found += entity_terms(entities)
    if occurred_at is not None:
        found += span_terms(time_phrases(text, reference=occurred_at))
    return " ".join(found)


def entity_terms(names: Iterable[str]) -> list[str]:
    """The distinct terms of these names, at most 32, in order; a name of nothing but marks has none."""
    folded = ("_".join(fold(name).translate(_SYNTAX).split()) for name in names)
    return list(dict.fromkeys(ENTITY_MARK + name for name in folded if name))[:MOST_ENTITIES]
