"""The index terms of a text: the one tokenizer, so that every store and channel ranks alike.

A plain word gives its stem. An identifier (`getUserName`, `idx-svc`, `1.2.3`, `a/b.py`, `MB/s`, `C++`) gives itself
whole, punctuation included, and its parts. A run of Chinese, Japanese, Korean or another script without blanks gives
each character and each overlapping pair. Terms hold no white space, so stores may join them by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from operator import add

from siltstone.text.function_words import ASKING, CHINESE_WORDS, CJK_CHARS, FUNCTION, NAMES
from siltstone.text.normal import CJK, clean, plain

TERM_LIMIT = 64
_CACHED_LENGTH = 40

# Scripts written without blanks besides CJK: Thai, Lao, Myanmar, Khmer.
_UNSPACED = CJK + "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u06d6-\u06ed\u0900-\u0dff\u0f00-\u0fff"
_EMOJI = "\u231a\u231b\u23e9-\u23fa\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_LETTER = f"(?:[^\\W_{_UNSPACED}]|[{_MARKS}])"
_SEPARATOR = r"(?:://|::|->|_+|[./:\\@'&+=~#-]|(?<=\d),(?=\d{3}(?!\d)))"


def _identifier(letter: str) -> str:
    lead = r"(?:(?<!\w)[@#](?=[^\W\d])|(?<!\w)#(?=\d)|(?<![\w.])\.(?=[^\W\d]))?"
    return rf"{lead}{letter}+(?:{_SEPARATOR}{letter}+)*(?:\+{{1,2}}(?!\w)|(?<=[A-Za-z])#(?!\w))?"


_ASCII = re.compile(_identifier("[A-Za-z0-9]"))
_TOKEN = re.compile(
    f"(?P<run>[{_UNSPACED}]+)|(?P<word>{_identifier(_LETTER)})|(?P<emoji>[\U0001f1e6-\U0001f1ff]{{2}}|[{_EMOJI}])"
)
_STRONG = re.compile(r"://|::|->|[/:\\@&=~#]")
_WEAK = re.compile(r"[._'+-]+")
_PIECE = re.compile(r"[A-Z]{2,}(?=s(?![a-z]))|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_SHORTENED = re.compile(r"(.+?)(n't|'s|'re|'ve|'ll|'d|'m)")
_VERSION = re.compile(r"v\d[\w.]*\.[\w.]+")
_CUT = re.compile("|".join(sorted(CHINESE_WORDS, key=lambda word: (-len(word), word))))


def terms(text: str) -> list[str]:
    """The index terms of a text in order, with repeats; function words only where the text has nothing else.

    Distinct forms that readers take for one are one: `Café` and `cafe`, full width and half width, plural and singular.
    Function words in capitals in a text of mixed case (`IT`, `NOT`) count as content. A term has at most 64 characters;
    a longer one is its beginning with a digest. Raises nothing, whatever the text.
    """
    prepared = _prepare(text)
    found: list[str] = []
    for kind, token in _tokens(prepared):
        found += _grams(token) if kind == "run" else _word(token)
    return found or [_limited(token.casefold()) for _, token in _tokens(prepared)]


def query_terms(text: str) -> list[str]:
    """The distinct terms of a query in order, without question words; all terms where nothing else is left.

    Of scripts without blanks, function words of several characters are cut out, and single function characters
    (的, 吗, の) give no term of their own.
    """
    found: list[str] = []
    for kind, token in _tokens(_prepare(text)):
        if kind == "run":
            for run in _CUT.split(token):
                found += (gram for gram in _grams(run) if not CJK_CHARS.issuperset(gram))
        elif token.casefold() not in ASKING:
            found += _word(token)
    return list(dict.fromkeys(found or terms(text)))


def surfaces(text: str) -> dict[str, str]:
    """For each stem of a plain Latin word of the text, the word as it stands there, in lower case."""
    words = (word.lower() for word in re.findall(r"[A-Za-z]{3,}", text))
    return {stem: word for word in words for stem in _word(word)[:1]}


def _prepare(text: str) -> str:
    prepared = plain(clean(text))
    return prepared.lower() if prepared.isupper() else prepared


def _tokens(prepared: str) -> Iterator[tuple[str, str]]:
    """Kind (run, word or emoji) and text of each token."""
    if prepared.isascii():
        for token in _ASCII.findall(prepared):
            yield "word", token
    else:
        for match in _TOKEN.finditer(prepared):
            yield match.lastgroup or "word", match[0]


def _grams(run: str) -> list[str]:
    """Each character and each pair of neighbours."""
    return [*chain.from_iterable(zip(run, map(add, run, run[1:]), strict=False)), run[-1]] if len(run) > 1 else [*run]


def _word(token: str) -> tuple[str, ...]:
    return _cached_word(token) if len(token) <= _CACHED_LENGTH else _word_terms(token)


def _word_terms(token: str) -> tuple[str, ...]:
    """The terms of one word or identifier: none for a function word."""
    lower = token.casefold()
    if token.isalpha() and (token.islower() or token[1:].islower() or len(token) == 1):
        return () if lower in FUNCTION and token not in NAMES else (_stem(lower),)
    if token.isdigit():
        return (_limited(token),)
    shortened = _SHORTENED.fullmatch(lower) if "'" in token else None
    if shortened:
        base = _word(token[: len(shortened[1])]) if shortened[1] not in FUNCTION else ()
        return ("not",) if shortened[2] == "n't" else base
    return _identifier_terms(token.replace(",", ""))


_cached_word = lru_cache(maxsize=32768)(_word_terms)


def _identifier_terms(token: str) -> tuple[str, ...]:
    """The identifier whole, then its components (`main.py` of `src/main.py`), then their words."""
    lower = token.casefold()
    found = [_stem(lower) if lower.isalpha() else _limited(lower)]
    if _VERSION.fullmatch(lower):
        found.append(_limited(lower[1:]))
    for component in _STRONG.split(token):
        words = [word for word in _WEAK.split(component) if word]
        if len(words) > 1 and component != token:
            found.append(_limited(component.casefold()))
        for word in words:
            found += _parts(word, whole=word == token)
    return tuple(found)


def _parts(word: str, *, whole: bool) -> Iterator[str]:
    """The word, and the pieces that case and digits mark in it; single letters and function words are no pieces."""
    lower = word.casefold()
    if not whole and lower not in FUNCTION:
        yield _stem(lower)
    pieces = _PIECE.findall(word)
    if len(pieces) > 1:
        for piece in pieces:
            if piece.isdigit() or (len(piece) > 1 and piece.casefold() not in FUNCTION):
                yield _stem(piece.casefold())


def _stem(word: str) -> str:
    """The Snowball English stem of a word of ASCII letters; any other word as it is, within the limit."""
    if len(word) < 3 or len(word) > TERM_LIMIT or not (word.isascii() and word.isalpha()):
        return _limited(word)
    return _snowball(word)


@lru_cache(maxsize=32768)
def _snowball(word: str) -> str:
    # Loaded on first use: its package imports some thirty languages. A stemmer holds state, so threads share none.
    from snowballstemmer.english_stemmer import EnglishStemmer

    return str(EnglishStemmer().stemWord(word))


def _limited(term: str) -> str:
    if len(term) <= TERM_LIMIT:
        return term
    digest = blake2b(term.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{term[: TERM_LIMIT - 17]}~{digest}"
