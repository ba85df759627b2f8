"""Rules of the kept and the matched form of text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.normal import cjk_share, clean, fold, is_cjk

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=[]), max_size=60)


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("a\x00b", "ab"),
        ("a\x1b[0mb\x07\x7f", "a[0mb"),
        ("line\r\nline\rline\x0cpage\ttab", "line\nline\nline\npage\ttab"),
        ("\ud83d\ude00", "😀"),
        ("x\ud800y\udc00", "x\ufffdy\ufffd"),
        ("cafe\u0301", "café"),
        ("か\u3099", "が"),
        ("ｶﾞ Ⅷ", "ｶﾞ Ⅷ"),
    ],
)
def test_clean_keeps_the_text_without_control_characters(given_text: str, kept: str) -> None:
    """NUL, control characters and lone surrogates go; letters, even compatibility forms, stay in composed form."""
    assert clean(given_text) == kept


@pytest.mark.parametrize(
    ("given_text", "folded"),
    [
        ("Café", "cafe"),
        ("ＣＡＦＥ\u0301", "cafe"),
        ("Straße", "strasse"),
        ("İstanbul ISPARTA ılık", "istanbul isparta ilik"),
        ("Ångström Łódź Ørsted Œuvre", "angstrom lodz orsted oeuvre"),
        ("ガギグ ｶﾞ が ぱ", "ガギグ ガ が ぱ"),
        ("й ё Ё", "й е е"),
        ("हिन्दी", "हिन्दी"),
        ("Ωμέγα", "ωμεγα"),
        ("don’t", "don't"),
        ("٣ ۳ ３", "3 3 3"),
        ("soft\u00adhyphen zero\u200dwidth", "softhyphen zerowidth"),
    ],
)
def test_fold_makes_one_form_of_what_readers_take_for_one(given_text: str, folded: str) -> None:
    """Case, width and accents fold; voiced kana, Indic vowel signs and Cyrillic й stay."""
    assert fold(given_text) == folded


@given(ANY_TEXT)
def test_clean_twice_is_clean_once(text: str) -> None:
    """Cleaning is idempotent, leaves no control character or surrogate, and is NFC."""
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(ord(char) < 32 and char not in "\n\t" for char in once)
    assert once.encode("utf-8").decode("utf-8") == once


@given(ANY_TEXT)
def test_fold_twice_is_fold_once(text: str) -> None:
    """Folding is idempotent and sees no difference between a text and its cleaned form."""
    assert fold(fold(text)) == fold(text) == fold(clean(text))


@pytest.mark.parametrize("char", ["失", "メ", "が", "ー", "한", "ㄅ", "𠮷", "々"])
def test_cjk_letters_are_cjk(char: str) -> None:
    """Han, kana and Hangul are CJK, rare ones beyond the basic plane included."""
    assert is_cjk(char)


@pytest.mark.parametrize("char", ["a", "é", "1", "。", "、", " ", "й", "ก", "😀"])
def test_other_characters_are_not_cjk(char: str) -> None:
    """Letters of other scripts, digits, emoji and even CJK punctuation are no CJK letters."""
    assert not is_cjk(char)


@pytest.mark.parametrize(
    ("text", "share"), [("", 0.0), (" \n", 0.0), ("plain words", 0.0), ("失效", 1.0), ("失效 ab", 0.5), ("é", 0.0)]
)
def test_cjk_share_counts_visible_characters(text: str, share: float) -> None:
    """The share is of the characters that are not white space."""
    assert cjk_share(text) == share
