"""Rules of the names in a question, and whether the memory knows them."""

from __future__ import annotations

import pytest

from siltstone import Memory
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.naming import NOBODY, names_known

ANA = "ana"


@pytest.mark.parametrize(
    "question",
    [
        "what broke on the pier?",
        "what did we do at Christmas?",
        "did I study English in May?",
        "where is Mum?",
        "毕业典礼是哪天？",
        "项目什么时候上线？",
        "游泳课在哪里上？",
        "黄色的那把椅子在哪？",
    ],
)
def test_a_question_that_names_nobody_is_neither_for_nor_against(question: str) -> None:
    """Without a name, the share of known names is the middle; a word that begins like a surname is no name."""
    assert names_known(question, Corpus(), named=False) == NOBODY


@pytest.mark.parametrize(
    "question", ["闵柔提议了什么？", "谁在陪夏槐唱歌，和夏槐？", "昨天给顾南的是什么？", "what did Dora say?"]
)
def test_a_name_that_no_row_has_speaks_against_an_answer(question: str) -> None:
    """Names that the memory never heard of count nothing, in either script."""
    assert names_known(question, Corpus(), named=False) == 0


def test_a_run_of_capitals_is_one_name_known_by_its_last_word(memory: Memory) -> None:
    """Another teacher does not make this one known, nor does an uncle; the same person without the title does."""
    memory.add(["Teacher Xi replied", "my uncle Ben called"], user_id=ANA)
    memory.retrieve("who replied?", user_id=ANA)
    corpus = memory._shelf._corpora[ANA][0]
    assert names_known("what did Teacher Meng say?", corpus, named=False) == 0
    assert names_known("what did Teacher Xi say?", corpus, named=False) == 1
    assert names_known("what did Uncle Ben and Teacher Meng say?", corpus, named=False) == 0.5


def test_a_named_speaker_speaks_for_an_answer() -> None:
    """A question that names a speaker, wherever the name stands, counts in full; beside an unknown name, half."""
    assert names_known("caroline likes what?", Corpus(), named=True) == 1
    assert names_known("阿明和闵柔去了哪里？", Corpus(), named=True) == 0.5


def test_the_wrong_person_gets_no_answer_in_chinese(memory: Memory) -> None:
    """Asked of somebody who was never mentioned, a Chinese memory keeps silent although it holds the other words."""
    turns = [
        {"speaker": "韩默", "content": "我上周学会了游泳"},
        {"speaker": "韩雨", "content": "游泳池的水冷吗？"},
        {"speaker": "韩默", "content": "不冷，教练人也很好"},
    ]
    memory.add(turns, user_id=ANA)
    assert memory.retrieve("韩默学会了什么？", user_id=ANA).hits
    assert not memory.retrieve("闵柔家的猫叫什么名字，多大了？", user_id=ANA).hits
