"""How many tokens a text costs a language model, estimated without a vocabulary."""

from __future__ import annotations

import math
import re

_WORD = re.compile(r"[A-Z]?[a-z]+")
_CAPITALS = re.compile(r"[A-Z]+(?![a-z])")
_ACCENTED = re.compile("[\u00aa-\u024f\u1e00-\u1eff]")
_NUMBER = re.compile(r"\d{1,3}")
_MARK = re.compile(r"[!-/:-@\[-`{-~]{1,3}")
_GAP = re.compile(r"\n+[ \t]*|[ \t]{2,}")
_HAN = re.compile("[\u3400-\u9fff]")
_KANA_HANGUL = re.compile("[\u1100-\u11ff\u3000-\u33ff\uac00-\ud7a3\uff00-\uffef]")
_LETTER = re.compile("[\u0370-\u10ff\u1200-\u1dff]")
_SYMBOL = re.compile("[\u2000-\u2bff\ud800-\udfff\ue000-\uf8ff]")
_RARE = re.compile("[\U00010000-\U0010ffff]")


def estimate_tokens(text: str) -> int:
    """The tokens of the text in a modern byte-pair vocabulary. Blank text has 0, any other at least 1; cost is linear.

    Counts words by length, digits in threes, runs of punctuation, line breaks and indents, and a weight for each
    character of other scripts. Measured on 27 texts of 13 kinds (chat, prose, code, JSON, Markdown, logs, eleven
    languages), estimate / truth: mean 1.15, 0.78 to 1.50 against `o200k_base`. Against the older `cl100k_base` English,
    code and JSON lie between 0.90 and 1.34, Chinese between 0.77 and 1.11. Base64 is taken for 0.7 to 0.8 of its cost.
    """
    if not text.strip():
        return 0
    words = sum(1 + (len(word) > 9) * (len(word) - 7) / 7 for word in _WORD.findall(text))
    words += sum(1 + (len(word) > 3) * (len(word) - 3) / 5 for word in _CAPITALS.findall(text))
    count = words + len(_NUMBER.findall(text)) + 0.95 * len(_MARK.findall(text)) + 0.8 * len(_GAP.findall(text))
    if not text.isascii():
        weights = ((_ACCENTED, 1.0), (_HAN, 1.05), (_KANA_HANGUL, 0.95), (_LETTER, 0.5), (_SYMBOL, 1.0), (_RARE, 2.4))
        count += sum(weight * len(pattern.findall(text)) for pattern, weight in weights)
    return max(1, math.ceil(count))
