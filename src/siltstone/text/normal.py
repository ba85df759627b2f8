"""One form for text: `clean` for what is kept, `fold` for what is matched."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Chinese, Japanese and Korean letters: jamo, radicals and marks that stand for characters, kana, bopomofo, Han, Hangul.
CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_CJK_CHAR = re.compile(f"[{CJK}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_BREAK = re.compile("\r\n?|[\x0b\x0c]")
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f]")

# Latin, Greek, Hebrew and Arabic: scripts whose marks a reader leaves out. Kana, Indic and Cyrillic marks make letters.
_ACCENTED = re.compile(
    "[\u00c0-\u024f\u0300-\u036f\u0386-\u03ce\u0401\u0451\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u1e00-\u1fff]"
)
_LETTERS = str.maketrans(
    {
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ł": "l",
        "Ł": "L",
        "ı": "i",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "ħ": "h",
        "Ħ": "H",
        "ŧ": "t",
        "Ŧ": "T",
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "‐": "-",
        "‑": "-",
        "−": "-",
        "\u200b": " ",
        **dict.fromkeys("\u00ad\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"),
        **{chr(zero + digit): str(digit) for zero in (0x660, 0x6F0, 0x966) for digit in range(10)},
    }
)


def clean(text: str) -> str:
    """The text that is kept: NFC, without NUL and other control characters than line feed and tab.

    Carriage returns, vertical tabs and form feeds become line feeds. Two surrogates that make a pair become their
    character, a lone one becomes U+FFFD. Cleaning twice changes nothing.
    """
    if _UNWANTED.search(text):
        text = _CONTROL.sub("", _BREAK.sub("\n", text))
    if text.isascii():
        return text
    if _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    return unicodedata.normalize("NFC", text)


def plain(text: str) -> str:
    """Compatibility forms (NFKC) of cleaned text with accents, typographic quotes and invisible marks folded.

    Case is kept, and so are the voiced marks of kana, vowel signs of Indic scripts and Cyrillic й.
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", text).translate(_LETTERS)
    return unicodedata.normalize("NFKC", _ACCENTED.sub(_unaccented, composed))


def fold(text: str) -> str:
    """The form for matching: cleaned, NFKC, accents folded, casefolded. `Café` and `ＣＡＦＥ` are `cafe`. Idempotent."""
    text = clean(text)
    if text.isascii():
        return text.lower()
    folded = plain(plain(text).casefold())
    while (again := clean(plain(folded.casefold()))) != folded:
        folded = again
    return folded


def is_cjk(char: str) -> bool:
    """Whether this one character is a Chinese, Japanese or Korean letter (punctuation is none)."""
    return _CJK_CHAR.match(char) is not None


def cjk_share(text: str) -> float:
    """The share, 0 to 1, of CJK letters among the characters that are not white space; 0.0 for blank text."""
    if text.isascii():
        return 0.0
    visible = sum(not char.isspace() for char in text)
    return len(_CJK_CHAR.findall(text)) / visible if visible else 0.0


def _unaccented(match: re.Match[str]) -> str:
    return _base(match[0])


@lru_cache(maxsize=4096)
def _base(char: str) -> str:
    """The letters of a character without its marks."""
    return "".join(part for part in unicodedata.normalize("NFD", char) if not unicodedata.combining(part))
