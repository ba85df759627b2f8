"""Rules of the WordPiece tokenizer, on a vocabulary written here in the form of the package's file."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.errors import ModelUnavailable
from siltstone.models.wordpiece import FIRST, LAST, SIZE, UNKNOWN, WordPieceTokenizer

WORDS = {
    1996: "the",
    2000: "un",
    2001: "##aff",
    2002: "##able",
    2003: "cafe",
    2004: ",",
    2005: "学",
    2006: "don",
    2007: "'",
}
WORDS |= {2008: "t", 2009: "##s", 2010: "a", 2011: "##a"}
PIECES = [WORDS.get(number, f"[p{number}]") for number in range(SIZE)]


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    """A tokenizer over the small vocabulary."""
    return WordPieceTokenizer(PIECES)


def test_the_longest_piece_is_taken_first_and_goes_on_with_continuations(tokenizer: WordPieceTokenizer) -> None:
    """A word becomes its longest beginning, then the longest continuations; the marks stand around the text."""
    assert tokenizer.encode("the unaffable", 32) == [FIRST, 1996, 2000, 2001, 2002, LAST]


def test_a_word_with_an_unknown_part_is_unknown_as_a_whole(tokenizer: WordPieceTokenizer) -> None:
    """No half of a word stands for all of it, and a word beyond 100 characters is unknown."""
    assert tokenizer.encode("unzzz the", 32) == [FIRST, UNKNOWN, 1996, LAST]
    assert tokenizer.encode("a" * 101, 32) == [FIRST, UNKNOWN, LAST]


def test_case_accents_and_controls_do_not_matter(tokenizer: WordPieceTokenizer) -> None:
    """Capitals are lowered, accents and invisible characters dropped, every white space separates."""
    for text in ("The Café", "THE\tcafe\u0301", "t\u200bhe caf\u00e9\u00ad", "the\u00a0\x00cafe"):
        assert tokenizer.encode(text, 32) == [FIRST, 1996, 2003, LAST]


def test_punctuation_and_ideographs_stand_alone(tokenizer: WordPieceTokenizer) -> None:
    """Marks and Chinese characters are words of their own, in plain and in mixed text."""
    assert tokenizer.encode("the,don't", 32) == [FIRST, 1996, 2004, 2006, 2007, 2008, LAST]
    assert tokenizer.encode("the学the", 32) == [FIRST, 1996, 2005, 1996, LAST]


@given(st.text(max_size=60), st.integers(2, 12))
def test_no_text_raises_and_the_limit_holds(text: str, limit: int) -> None:
    """Any text gives between two and `limit` ids, the marks at both ends, and the same ones again."""
    tokenizer = WordPieceTokenizer(PIECES)
    ids = tokenizer.encode(text, limit)
    assert 2 <= len(ids) <= limit and ids[0] == FIRST and ids[-1] == LAST
    assert ids == tokenizer.encode(text, limit)


def test_the_vocabulary_is_read_from_the_packages_form(tmp_path: Path) -> None:
    """A count, the offsets, then all pieces in a row, a blank before each that begins a word."""
    shown = [piece[2:] if piece.startswith("##") else f" {piece}" for piece in ["[PAD]", *PIECES[1:]]]
    data = [piece.encode() for piece in shown]
    offsets = [sum(map(len, data[:1]))]
    for piece in data[1:]:
        offsets.append(offsets[-1] + len(piece))
    path = tmp_path / "small.i2w"
    path.write_bytes(b"\x03\0\0\0" + struct.pack(f"<{SIZE + 2}I", SIZE, 0, *offsets) + b"".join(data) + b"tail")
    assert WordPieceTokenizer.from_file(path).encode("unaffable", 9) == [FIRST, 2000, 2001, 2002, LAST]


def test_another_file_is_named_and_refused(tmp_path: Path) -> None:
    """A file that is missing, or of another form, is an error that says what to do."""
    other = tmp_path / "other.i2w"
    other.write_bytes(b"no vocabulary")
    for path in (other, tmp_path / "missing.i2w"):
        with pytest.raises(ModelUnavailable, match=r"install its package again"):
            WordPieceTokenizer.from_file(path)
