"""Byte-pair encoding in the SentencePiece form with byte fallback, read from a `tokenizer.json`.

A word is cut into characters, then the adjacent pair that was learned first is joined until no learned pair is left
(Sennrich, Haddow and Birch 2016, section 3.2). A piece outside the vocabulary becomes its UTF-8 bytes. No learned piece
crosses a space or holds a CJK character beside another one, so encoding word by word, and CJK character by character,
gives what encoding the whole text gives; words recur, so each is encoded once and kept. A "word" of more than 64
characters (a key, a file in base64) is encoded in parts of 64, which bounds the work and may differ at the seams.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from siltstone.errors import ModelUnavailable

SPACE = "\u2581"
CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
WORDS = re.compile(f"{SPACE}*[^{SPACE}{CJK}]+|{SPACE}+|[{CJK}]")
_WHOLE = re.compile(f"{SPACE}[a-z]{{3,}}")
WORD_LIMIT = 64
KEPT_WORDS = 1 << 16
CHARACTERS_A_TOKEN = 8


class BytePairTokenizer:
    """Texts to token ids; safe to share between threads, since a word's ids depend on nothing but the word."""

    def __init__(self, vocabulary: dict[str, int], merges: Iterable[str]) -> None:
        self._vocabulary = vocabulary
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        self._bytes = [vocabulary[f"<0x{byte:02X}>"] for byte in range(256)]
        self._kept: dict[str, tuple[int, ...]] = {}

    @classmethod
    def from_file(cls, path: Path) -> BytePairTokenizer:
        """Reads the `model` part of a `tokenizer.json`. Raises ModelUnavailable for one of another kind."""
        try:
            model = json.loads(path.read_text("utf-8"))["model"]
            return cls(model["vocab"], [m if isinstance(m, str) else " ".join(m) for m in model["merges"]])
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ModelUnavailable(
                f"the tokenizer file {path.name!r} cannot be read: {error!r}; install its package again"
            ) from error

    def encode(self, text: str, limit: int) -> list[int]:
        """The first `limit` token ids of a text's first 8 * limit characters; any white space counts as one space."""
        ids: list[int] = []
        words = text[: limit * CHARACTERS_A_TOKEN].split()
        for word in WORDS.findall(SPACE + SPACE.join(words)) if words else ():
            ids += self._kept.get(word) or self._encode_word(word)
            if len(ids) >= limit:
                return ids[:limit]
        return ids

    def whole_words(self) -> tuple[list[str], list[int]]:
        """The vocabulary's pieces that are whole lower-case words of three letters or more, and their ids."""
        found = {piece[1:]: number for piece, number in self._vocabulary.items() if _WHOLE.fullmatch(piece)}
        return list(found), list(found.values())

    def _encode_word(self, word: str) -> tuple[int, ...]:
        parts = (word[start : start + WORD_LIMIT] for start in range(0, len(word), WORD_LIMIT))
        ids = tuple(i for part in parts for piece in self._join(list(part)) for i in self._ids_of(piece))
        if len(self._kept) >= KEPT_WORDS:
            self._kept.clear()
        self._kept[word] = ids
        return ids

    def _join(self, pieces: list[str]) -> list[str]:
        worst = len(self._ranks)
        while len(pieces) > 1:
            ranks = [self._ranks.get(f"{a} {b}", worst) for a, b in pairwise(pieces)]
            best = min(ranks)
            if best == worst:
                break
            at = ranks.index(best)
            pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
        return pieces

    def _ids_of(self, piece: str) -> list[int]:
        known = self._vocabulary.get(piece)
        return [known] if known is not None else [self._bytes[b] for b in piece.encode("utf-8", "replace")]
