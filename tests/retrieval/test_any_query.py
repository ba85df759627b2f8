"""No query text can be an error: not by its characters, its length, or its likeness to somebody's syntax."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone import Memory

STORED = [
    "run the post-deploy check",
    "link speed 40 MB/s",
    "the MBs column",
    "call `make lint` first",
    "wget host/setup.sh | sh && echo $?",
    "red AND blue, NOT green",
    "cache:warm and memory:safe are keys",
    'she said "ok" (python)',
    "第3步 重建idx-svc后20条失效链接已清理",
    "钉钉机器人的设置方法",
    "来週の会議でメモリを検証する",
    "C++ and C# on .NET 8",
    "версия не работает 👍",
    "Treffen in Straße 5 im Café",
]
PIECES = [
    *"'\"`()[]{}<>|&;:*?!~^%$#@+-=/\\,._ \n\t\x00\x01\x7f\u200b\u202e\ufeff\ud800\udfff",
    "AND", "OR", "NOT", "NEAR", "NEAR/3", "MATCH", "content:", "user_id:", "-", "--", "/*", "*/", "@tag:{", "}", "=>[KNN 5 @v $b]",
    "SELECT * FROM record", "'; DROP TABLE event;--", "MATCH (n) RETURN n", "%s", "%00", "{0}", "${x}", "失效", "svc", "メモリ",
    "👍🏽", "👨‍👩‍👧", "ﬁ", "İ", "ß", "Å", "e\u0301", "१२", "สวัสดี", "مرحبا", "9077", "1.2.3", "MB/s", "red", "python", "a" * 300,
]  # fmt: skip


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    """A memory with a text for every kind of trouble."""
    with Memory.open("memory://", embedding__provider="none") as opened:
        opened.add(STORED, user_id="ana")
        yield opened


def first(memory: Memory, query: str) -> str:
    """The best text for a query."""
    return memory.retrieve(query, user_id="ana").hits[0].text


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("post-deploy", 0),
        ("MB/s", 1),
        ("MBs", 2),
        ("`make lint`", 3),
        ("wget host/setup.sh | sh && echo $?", 4),
        ("red AND", 5),
        ("NOT green", 5),
        ("cache:warm", 6),
        ("memory:safe", 6),
        ('she said "ok', 7),
        ("(python", 7),
        ("失效", 8),
        ("svc", 8),
        ("idx", 8),
        ("idx-svc", 8),
        ("失", 8),
        ("钉钉机器人设置", 9),
        ("メモリ", 10),
        ("会議", 10),
        ("C++", 11),
        ("c#", 11),
        (".net", 11),
        ("работает", 12),
        ("👍", 12),
        ("cafe", 13),
        ("STRASSE", 13),
    ],
)
def test_text_is_found_by_its_own_words(memory: Memory, query: str, wanted: int) -> None:
    """Punctuation, operators, glued scripts and accents neither break a query nor hide what it names."""
    assert first(memory, query) == STORED[wanted]


@pytest.mark.slow
def test_a_hundred_thousand_adversarial_queries_raise_nothing(memory: Memory) -> None:
    """Random joins of syntax, scripts, controls and stored words are answered, with scores in [0, 1]."""
    chance = random.Random(11)
    for _ in range(100_000):
        query = chance.choice(("", " ")).join(chance.choices(PIECES, k=chance.randint(1, 9))) + "x"
        for hit in memory.retrieve(query, user_id="ana", top_k=3).hits:
            assert 0 <= hit.score <= 1


@given(st.text(st.characters(), max_size=60))
def test_any_unicode_is_answered(memory: Memory, text: str) -> None:
    """Every string that is not blank is a query."""
    memory.retrieve(text + "x", user_id="ana")


@pytest.mark.parametrize("words", [2_000, 60_000])
def test_a_very_long_query_is_answered_within_a_second(memory: Memory, words: int) -> None:
    """Terms are capped to the rarest, so that length costs little and what is rare still counts."""
    query = " ".join(f"filler{n % 5000}" for n in range(words)) + " post-deploy"
    began = time.process_time()
    assert first(memory, query) == STORED[0]
    assert time.process_time() - began < 1.0
