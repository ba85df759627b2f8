"""Rules of what is indexed of an entry."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.analysis import ANALYSIS_VERSION, analyse

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_an_entry_is_indexed_with_its_dates() -> None:
    """Words and the resolved days, first and last, joined by blanks; the speaker is no term."""
    indexed = analyse("I joined a choir yesterday", occurred_at=SAID, speaker="Ana")
    assert indexed == "join choir yesterday @=00100003 @2023-05-07/2023-05-07"


def test_relative_dates_need_a_reference() -> None:
    """Without the time at which it was said, a text is indexed by its words alone."""
    assert analyse("I joined a choir yesterday", occurred_at=None, speaker=None) == "join choir yesterday @=00100003"


def test_the_version_is_named() -> None:
    """Stores compare the version of the analysis as text."""
    assert ANALYSIS_VERSION.isdecimal()


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=60), st.datetimes())
def test_any_text_is_indexed(text: str, moment: datetime) -> None:
    """Whatever the text and time, the line is one line of blank-separated terms."""
    indexed = analyse(text, occurred_at=moment, speaker=None)
    assert " ".join(indexed.split()) == indexed


def test_a_chat_turn_is_indexed_in_under_a_millisecond() -> None:
    """A turn of forty words takes less than one millisecond of processor time."""
    turn = (
        "Yesterday I finally went to the pottery workshop with my kids and we made a really nice bowl; it was relaxing, "
        "and my daughter painted hers with tiny blue flowers while we talked about the summer trip."
    )
    analyse(turn, occurred_at=SAID, speaker="Ana")
    before = time.process_time()
    for _ in range(200):
        analyse(turn, occurred_at=SAID, speaker="Ana")
    assert (time.process_time() - before) / 200 < 0.001
