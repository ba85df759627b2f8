"""Rules of byte-pair encoding, on a vocabulary small enough to follow by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from siltstone.errors import ModelUnavailable
from siltstone.models import bytepair
from siltstone.models.bytepair import BytePairTokenizer

PIECES = ["▁", "a", "b", "c", "ab", "bc", "▁ab", "字"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
VOCABULARY = {piece: number for number, piece in enumerate([*BYTES, *PIECES])}
MERGES = ["b c", "a b", "▁ ab"]


def pieces(text: str, limit: int = 99) -> list[str]:
    names = {number: piece for piece, number in VOCABULARY.items()}
    return [names[number] for number in BytePairTokenizer(VOCABULARY, MERGES).encode(text, limit)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab", ["▁ab"]),
        ("abc", ["▁", "a", "bc"]),
        ("ab  \n ab", ["▁ab", "▁ab"]),
        ("字字a", ["▁", "字", "字", "a"]),
        ("aé", ["▁", "a", "<0xC3>", "<0xA9>"]),
        ("a\ud800", ["▁", "a", "<0x3F>"]),
        ("", []),
        (" \t\n", []),
    ],
)
def test_the_pair_learned_first_is_joined_first(text: str, expected: list[str]) -> None:
    """Pairs join by rank, not from the left; unknown characters become bytes; white space only separates."""
    assert pieces(text) == expected


def test_no_more_pieces_than_the_limit() -> None:
    """Encoding ends at the limit, even within a word."""
    assert pieces("c c c c", 3) == ["▁", "c", "▁"]


def test_a_word_is_encoded_alike_before_and_after_it_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store of known words is bounded, and forgetting it changes no answer."""
    monkeypatch.setattr(bytepair, "KEPT_WORDS", 2)
    tokenizer = BytePairTokenizer(VOCABULARY, MERGES)
    first = tokenizer.encode("a ab abc abab", 99)
    assert tokenizer.encode("a ab abc abab", 99) == first
    assert len(tokenizer._kept) <= 2


@pytest.mark.parametrize("content", ["", "{}", '{"model": {"vocab": {}, "merges": []}}', '{"model": 3}', "[]"])
def test_another_kind_of_file_is_named(tmp_path: Path, content: str) -> None:
    """A file that is no byte-pair tokenizer with byte fallback raises ModelUnavailable with its name."""
    path = tmp_path / "tokenizer.json"
    path.write_text(content)
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json"):
        BytePairTokenizer.from_file(path)


@pytest.mark.parametrize("merges", [MERGES, [pair.split() for pair in MERGES]])
def test_both_forms_of_merges_are_read(tmp_path: Path, merges: list[object]) -> None:
    """Merges may be written as "a b" or as ["a", "b"]."""
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"model": {"vocab": VOCABULARY, "merges": merges}}))
    assert BytePairTokenizer.from_file(path).encode("ab", 9) == [VOCABULARY["▁ab"]]
