"""WordPiece: the tokenizer of the uncased BERT models, with the vocabulary that the package `blingfire` carries.

A text is lower-cased and stripped of accents and control characters, then cut at white space, at punctuation and around
every ideograph; a word becomes the longest piece of the vocabulary that it begins with, then the longest continuation
of what is left, and so on (Wu et al. 2016, "Google's Neural Machine Translation System", section 4.1; Devlin et al.
2019, "BERT"). Words recur, so each is encoded once and kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from siltstone.errors import ModelUnavailable

UNKNOWN, FIRST, LAST = 100, 101, 102
"""The ids of an unknown word and of the two marks that stand around a text."""
SIZE = 30_522
WORD_LIMIT = 100
KEPT_WORDS = 1 << 16
CHARACTERS_A_PIECE = 12
CONTINUED = "##"
IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
_APART = re.compile(f"([{IDEOGRAPHS}])")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})
_WHITE = frozenset("\t\n\r")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPieceTokenizer:
    """Texts to token ids; safe to share between threads, since a word's ids depend on nothing but the word."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._vocabulary = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces))
        self._kept: dict[str, tuple[int, ...]] = {}

    @classmethod
    def from_file(cls, path: Path) -> WordPieceTokenizer:
        """Reads `bert_base_tok.i2w`. Raises ModelUnavailable for a file of another kind or size."""
        try:
            return cls(_pieces(path.read_bytes()))
        except (OSError, ValueError) as error:
            raise ModelUnavailable(
                f"the vocabulary {path.name!r} cannot be read: {error!r}; install its package again"
            ) from error

    def encode(self, text: str, limit: int) -> list[int]:
        """The ids of a text's first `limit` - 2 pieces between the two marks; what is no text gives the marks alone."""
        ids = [FIRST]
        for word in _words(text[: limit * CHARACTERS_A_PIECE]):
            ids += self._kept.get(word) or self._encode_word(word)
            if len(ids) >= limit - 1:
                break
        return [*ids[: limit - 1], LAST]

    def _encode_word(self, word: str) -> tuple[int, ...]:
        ids = tuple(self._split(word)) if len(word) <= WORD_LIMIT else (UNKNOWN,)
        if len(self._kept) >= KEPT_WORDS:
            self._kept.clear()
        self._kept[word] = ids
        return ids

    def _split(self, word: str) -> list[int]:
        """The greedy longest pieces; the unknown mark alone where one part of the word has none."""
        ids: list[int] = []
        start = 0
        while start < len(word):
            found, end = self._longest_piece(word, start, CONTINUED if start else "")
            if found is None:
                return [UNKNOWN]
            ids.append(found)
            start = end
        return ids

    def _longest_piece(self, word: str, start: int, mark: str) -> tuple[int | None, int]:
        for end in range(min(len(word), start + self._longest), start, -1):
            found = self._vocabulary.get(mark + word[start:end])
            if found is not None:
                return found, end
        return None, start


def _pieces(data: bytes) -> list[str]:
    """The vocabulary in order: a count and as many offsets, then all pieces in a row, " " before one that begins a word."""
    at = data.index(SIZE.to_bytes(4, "little")) + 4
    offsets = np.frombuffer(data, "<u4", SIZE + 1, at).astype(np.int64) + data.index(b" [PAD]", at)
    if (np.diff(offsets) <= 0).any() or offsets[-1] > len(data):
        raise ValueError("its offsets do not rise")
    pieces = [data[start:end].decode() for start, end in pairwise(offsets)]
    return [piece[1:] if piece.startswith(" ") else CONTINUED + piece for piece in pieces]


def _words(text: str) -> Iterator[str]:
    """Words and single marks, lower-cased and without accents."""
    if text.isascii():
        yield from _PLAIN.findall(text.lower().translate(_CONTROLS))
        return
    shown = "".join(_shown(character) for character in text)
    for word in _APART.sub(r" \1 ", shown).split():
        bare = "".join(
            character
            for character in unicodedata.normalize("NFD", word.lower())
            if unicodedata.category(character) != "Mn"
        )
        yield from _cut(bare)


_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))


def _shown(character: str) -> str:
    """The character, a blank for white space, nothing for what is invisible or the mark of an undecodable byte."""
    if character in _WHITE:
        return " "
    kind = unicodedata.category(character)
    if kind in _INVISIBLE or character == "\ufffd":
        return ""
    return " " if kind == "Zs" else character


def _cut(word: str) -> Iterator[str]:
    """The word's parts at punctuation, each mark of it by itself."""
    start = 0
    for at, character in enumerate(word):
        if _is_mark(character):
            if start < at:
                yield word[start:at]
            yield character
            start = at + 1
    if start < len(word):
        yield word[start:]


def _is_mark(character: str) -> bool:
    """Punctuation, and every sign of ASCII that is no letter or digit."""
    if character.isascii():
        return not character.isalnum()
    return unicodedata.category(character).startswith("P")
