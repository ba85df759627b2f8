"""What the stores index of an entry: its terms and the dates that it speaks of, as one line."""

from __future__ import annotations

from datetime import datetime

from siltstone.text.dates import span_terms, time_phrases
from siltstone.text.form import form_term
from siltstone.text.tokens import terms

ANALYSIS_VERSION: str = "2"
"""Raised whenever `analyse` gives other terms for the same text; stored indexes of another version are rebuilt."""


def analyse(text: str, *, occurred_at: datetime | None, speaker: str | None) -> str:
    """The index terms of an entry, joined by blanks: its words, its form, and the times that it speaks of.

    The form is one term, see `form.form_term`. A time is a term such as `@2023-05-01/2023-05-07`; relative ones
    (`yesterday`) are resolved against `occurred_at`, and left out where that is None. The speaker's name is a column
    of its own, and no term.
    """
    found = terms(text)
    found.append(form_term(text))
    if occurred_at is not None:
        found += span_terms(time_phrases(text, reference=occurred_at))
    return " ".join(found)
