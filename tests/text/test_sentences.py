"""Rules of cutting texts into sentences and clauses."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.sentences import clauses, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We stayed in! Why not?", ["It rained.", "We stayed in!", "Why not?"]),
        ("Mr. Smith went to Washington, D.C. on Jan. 5.", ["Mr. Smith went to Washington, D.C. on Jan. 5."]),
        ("J. K. Rowling wrote it. I read it.", ["J. K. Rowling wrote it.", "I read it."]),
        ("It costs $3.50 with v1.2.3. Fine.", ["It costs $3.50 with v1.2.3.", "Fine."]),
        ("Well... maybe. Wait... Now!", ["Well... maybe.", "Wait...", "Now!"]),
        ('"Really?" she asked. "Yes."', ['"Really?" she asked.', '"Yes."']),
        ("Use e.g. tea. Then go.", ["Use e.g. tea.", "Then go."]),
        ("We left at 5 p.m. It rained.", ["We left at 5 p.m.", "It rained."]),
        ("No. Room No. 5 is free.", ["No.", "Room No. 5 is free."]),
        ("See a/b.py and example.org. Done.", ["See a/b.py and example.org.", "Done."]),
        ("我去了杭州。天气很好！你呢？", ["我去了杭州。", "天气很好！", "你呢？"]),
        ("他说：“我来了。”然后坐下。", ["他说：“我来了。”", "然后坐下。"]),
        ("今日は雨。「本当？」", ["今日は雨。", "「本当？」"]),
        ("价格是3.5元。好", ["价格是3.5元。", "好"]),
        ("Hi! 你好。OK.", ["Hi!", "你好。", "OK."]),
        ("List:\n- milk\n* eggs\n1. First. Then.", ["List:", "milk", "eggs", "1. First.", "Then."]),
        ("# Title\n> quoted words", ["Title", "quoted words"]),
        ("one\ntwo", ["one", "two"]),
        (
            "A long line that an editor has wrapped in the\nmiddle of it. Done",
            ["A long line that an editor has wrapped in the middle of it.", "Done"],
        ),
        ("Run:\n```\nx = 1. Y\n\nz\n```\nThen stop.", ["Run:", "```\nx = 1. Y\n\nz\n```", "Then stop."]),
        ("a ``` b. C", ["a ``` b.", "C"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """Sentences end at their punctuation and at lines, not at abbreviations, numbers, names and within code."""
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "I moved to Lisbon in May, and my sister stayed in Porto.",
            ["I moved to Lisbon in May", "and my sister stayed in Porto."],
        ),
        ("We tried it twice; it failed badly.", ["We tried it twice", "it failed badly."]),
        ("He was late — the train broke down.", ["He was late", "the train broke down."]),
        ("I like tea and coffee.", ["I like tea and coffee."]),
        ("He (late; very late) waved.", ["He (late; very late) waved."]),
        ("Yes; of course I do.", ["Yes; of course I do."]),
        ("我搬到了上海，但是妈妈还在杭州。", ["我搬到了上海", "但是妈妈还在杭州。"]),
        ("苹果，香蕉和梨", ["苹果，香蕉和梨"]),
        ("well-known — yes", ["well-known — yes"]),
        ("", []),
    ],
)
def test_clauses(sentence: str, expected: list[str]) -> None:
    """Clauses with their own subject part; lists, brackets and fragments stay together."""
    assert clauses(sentence) == [part for part in expected if part]


@given(st.text(alphabet="ab Z.!?。\n-;,“”()`5", max_size=80))
def test_no_letter_is_lost(text: str) -> None:
    """Sentences and clauses keep every letter and digit in order, and none is blank."""
    found = sentences(text)
    assert all(sentence.strip() for sentence in found)
    assert _letters("".join(found)) == _letters(text)
    for sentence in found:
        assert _letters("".join(clauses(sentence))) == _letters(sentence)


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=60))
def test_any_text_can_be_cut(text: str) -> None:
    """Whatever the text, cutting raises nothing and gives no blank piece."""
    assert all(clause.strip() for sentence in sentences(text) for clause in clauses(sentence) if clause)


@pytest.mark.parametrize(
    "piece", ["x", "a. ", "。", ".", "```\n", " ", "- ", "\n", "a, and ", "(;", 'A." ', "> ", "1. ", "ab\n", "~~~\n"]
)
def test_a_megabyte_is_cut_in_linear_time(piece: str) -> None:
    """No megabyte of anything takes more than four seconds of processor time."""
    text = piece * (1_000_000 // len(piece))
    before = time.process_time()
    sentences(text)
    clauses(text)
    assert time.process_time() - before < 4.0


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
