"""Rules of the tokenizer: what is found by which query."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.function_words import FUNCTION
from siltstone.text.normal import clean
from siltstone.text.tokens import TERM_LIMIT, query_terms, terms

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=[]), max_size=60)
HAN = st.text(alphabet="失效链接已清理重建钉钉机器人的设置方法吗了在是", min_size=1, max_size=20)


def shared(stored: str, query: str) -> int:
    """How many of the query's terms the stored text has."""
    return len(set(query_terms(query)) & set(terms(stored)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cats were running", ["cat", "run"]),
        ("Café CAFÉ ｃａｆｅ", ["cafe", "cafe", "cafe"]),
        ("link speed 40 MB/s", ["link", "speed", "40", "mb/s", "mb", "s"]),
        ("the MBs column", ["mbs", "mb", "column"]),
        ("run the post-deploy check", ["run", "post-deploy", "post", "deploy", "check"]),
        ("memory:safe", ["memory:safe", "memori", "safe"]),
        ("getUserName", ["getusernam", "get", "user", "name"]),
        ("get_user_name", ["get_user_name", "get", "user", "name"]),
        ("HTTPServer2", ["httpserver2", "http", "server", "2"]),
        ("v1.2.3", ["v1.2.3", "1.2.3", "v1", "1", "2", "3"]),
        ("src/b.py", ["src/b.py", "src", "b.py", "b", "py"]),
        ("C++ C# .NET", ["c++", "c", "c#", "c", ".net", "net"]),
        ("E1234", ["e1234", "1234"]),
        ("@ana #tag #12", ["@ana", "ana", "#tag", "tag", "#12", "12"]),
        ("ana@example.org", ["ana@example.org", "ana", "example.org", "exampl", "org"]),
        ("1,234,567 and 3.5", ["1234567", "3.5", "3", "5"]),
        ("Ana's house isn't O'Brien's", ["ana", "hous", "not", "o'brien", "o", "brien"]),
        ("失效", ["失", "失效", "效"]),
        ("メモリ", ["メ", "メモ", "モ", "モリ", "リ"]),
        ("用Redis缓存", ["用", "redi", "缓", "缓存", "存"]),
        ("привет мир", ["привет", "мир"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("مَرحبا", ["مرحبا"]),
        ("Will likes May", ["will", "like", "may"]),
        ("ask the IT team", ["ask", "it", "team"]),
        ("great 🎉 👍🏽 🇫🇷 ❤️", ["great", "🎉", "👍", "🇫🇷", "❤"]),
        ("the", ["the"]),
        ("… -- !!", []),
        ("a\x00b c\ud800d", ["ab", "c", "d"]),
    ],
)
def test_terms_of_a_text(text: str, expected: list[str]) -> None:
    """Words give stems, identifiers themselves and their parts, scripts without blanks characters and pairs."""
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did she build with Vite?", ["build", "vite"]),
        ("when was the the the cat", ["cat"]),
        ("tell me how many cats", ["mani", "cat"]),
        ("what is it", ["what", "is", "it"]),
        ("What's React-Vite & React: how?", ["react-vite", "react", "vite"]),
        ("她什么时候搬到杭州的？", ["搬", "搬到", "到杭", "杭", "杭州", "州", "州的"]),
        ("什么", ["什", "什么", "么"]),
        ("的", ["的"]),
        ("", []),
    ],
)
def test_terms_of_a_query(query: str, expected: list[str]) -> None:
    """Question and function words go where anything else is left; a term comes once."""
    assert query_terms(query) == expected


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("keep the cache:warm", "cache:warm"),
        ("she said ok", 'she said "ok'),
        ("red AND blue", "red AND"),
        ("call (python here", "(python"),
        ("do NOT touch", "NOT"),
        ("this is not red", "NOT"),
        ("run the post-deploy check", "post-deploy"),
        ("run the post-deploy check", "deploy"),
        ("run `make lint` first", "`make lint`"),
        ("wget host/setup.sh | sh && echo $?", "wget host/setup.sh | sh && echo $?"),
        ("wget host/setup.sh", "setup.sh"),
        ("第3步 重建idx-svc后20条失效链接已清理", "失效"),
        ("第3步 重建idx-svc后20条失效链接已清理", "svc"),
        ("第3步 重建idx-svc后20条失效链接已清理", "idx"),
        ("第3步 重建idx-svc后20条失效链接已清理", "idx-svc"),
        ("第3步 重建idx-svc后20条失效链接已清理", "清"),
        ("钉钉机器人的设置方法", "钉钉机器人设置"),
        ("来週の会議でメモリを検証する", "メモリ"),
        ("来週の会議でメモリを検証する", "会議"),
        ("ﾒﾓﾘを増やす", "メモリ"),
        ("어제 회의에서 메모리를 검토했다", "메모리"),
        ("เมื่อวานเราไปตลาด", "ตลาด"),
        ("São Paulo", "sao paulo"),
        ("error E1234 in app/main.py", "1234"),
        ("error E1234 in app/main.py", "main.py"),
        ("see https://example.org/docs/start", "example.org"),
        ("we use TypeScript", "typescript"),
        ("upgrade to v2.10.1", "2.10.1"),
        ("a party 🎉", "🎉"),
        ("write to ana@example.org", "ana"),
        ("budget of 1,234", "1234"),
        ("the user_id column", "user"),
        ("don’t panic", "don't panic"),
    ],
)
def test_stored_text_is_found(stored: str, query: str) -> None:
    """No punctuation in a query is an operator, and text glued together or written otherwise is found."""
    assert shared(stored, query) > 0


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("MB/s", "link speed 40 MB/s", "the MBs column"),
        ("C++", "written in C++", "written in C"),
        ("re-sign", "re-sign the lease", "resign from the board"),
        ("co-op", "the co-op store", "a chicken coop"),
        ("1.2.3", "release 1.2.3", "release 3.2.1"),
        ("U.S.", "a U.S. company", "join us"),
        ("iOS/mac", "for iOS/mac", "iosmac"),
    ],
)
def test_punctuation_makes_no_other_word(query: str, better: str, worse: str) -> None:
    """A text that has the query's identifier as written shares more terms than one with its letters only."""
    assert shared(better, query) > shared(worse, query)


@given(ANY_TEXT)
def test_any_text_has_clean_terms(text: str) -> None:
    """Whatever the text, terms have no white space, control character or surrogate, and at most 64 characters."""
    for found in (terms(text), query_terms(text)):
        assert " ".join(found).split() == found
        assert all(0 < len(term) <= TERM_LIMIT for term in found)
        assert not any(unicodedata.category(char) in ("Cc", "Cs") for term in found for char in term)


@given(ANY_TEXT)
def test_cleaning_changes_no_terms(text: str) -> None:
    """A text and its cleaned form have the same terms."""
    assert terms(text) == terms(clean(text))


@given(st.text(min_size=1, max_size=40))
def test_a_text_finds_itself(text: str) -> None:
    """A text with any term at all is found by itself as the query."""
    assert not terms(text) or shared(text, text) > 0


@given(HAN, st.data())
def test_any_part_of_a_chinese_text_finds_it(text: str, data: st.DataObject) -> None:
    """Every piece of a Chinese text, down to one character, finds it."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert shared(text, text[start:end]) > 0


@given(st.lists(st.from_regex(r"[a-z]{3,8}", fullmatch=True), min_size=2, max_size=4), st.sampled_from("-_./:"))
def test_every_part_of_an_identifier_finds_it(words: list[str], separator: str) -> None:
    """The whole identifier and each of its words find it, glued into Chinese or not."""
    stored = f"重建{separator.join(words)}之后"
    assert shared(stored, separator.join(words)) > 0
    assert all(shared(stored, word) > 0 for word in words if word not in FUNCTION)


def test_long_terms_are_cut_to_a_digest() -> None:
    """A word of 65 and more characters becomes one term of 64, another for each such word."""
    first, second = terms("x" * 100), terms("x" * 101)
    assert len(first) == len(second) == 1
    assert len(first[0]) == TERM_LIMIT
    assert first != second


def test_terms_do_not_depend_on_the_hash_seed() -> None:
    """Six processes with six hash seeds give the same terms, dates and sentences."""
    code = (
        "from datetime import datetime; from siltstone.text.analysis import analyse; "
        "from siltstone.text.tokens import query_terms; from siltstone.text.sentences import sentences; "
        "text = 'What\\'s React-Vite: how? MB/s 钉钉机器人什么时候设置 v1.2.3 🎉. Last week, 去年三月'; "
        "print(analyse(text, occurred_at=datetime(2023, 6, 14), speaker='Ana'), query_terms(text), sentences(text))"
    )
    answers = set()
    for seed in range(6):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        answers.add(run.stdout)
    assert len(answers) == 1


def test_a_query_of_sixty_thousand_words_is_quick() -> None:
    """60,000 distinct words give as many terms in well under two seconds of processor time."""
    query = " ".join(f"word{number}" for number in range(60_000))
    before = time.process_time()
    found = query_terms(query)
    assert time.process_time() - before < 2.0
    assert len(found) == 120_001


@pytest.mark.parametrize("piece", ["x", "a.", "长", "aB", "1,234", "a'", "word ", "重a", "ก", "😀", "_", "\ud800"])
def test_a_megabyte_without_a_break_is_linear(piece: str) -> None:
    """No megabyte of anything takes more than three seconds of processor time."""
    text = piece * (1_000_000 // len(piece))
    before = time.process_time()
    terms(text)
    assert time.process_time() - before < 3.0
