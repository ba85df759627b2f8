"""Rules of the names in a question, and whether the memory knows them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from siltstone import Memory
from siltstone.domain.filters import Filter
from siltstone.retrieval import query, search
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


@pytest.mark.parametrize(
    ("told", "asked", "foreign"),
    [
        (["我下周去杭州", "韩默学会了游泳"], "where does Teacher Meng go?", True),
        (["I go to Lisbon", "Dora learned to swim"], "闵柔去哪里？", True),
        (["我下周去杭州", "I go to Lisbon"], "where does Teacher Meng go?", False),
        (["我下周去杭州", "I go to Lisbon"], "闵柔去哪里？", False),
        (["ticket idx-svc 2.4.1"], "韩默修了什么？", True),
    ],
)
def test_a_memory_in_another_script_knows_no_name_and_denies_none(
    memory: Memory, told: list[str], asked: str, foreign: bool
) -> None:
    """A name cannot be looked up in a script that the memory hardly holds; after the last such row is gone neither."""
    ids = memory.add([*told, "阿明在学吉他" if foreign and asked.isascii() else "the bus was late"], user_id=ANA).ids
    memory.retrieve(asked, user_id=ANA)
    corpus = memory._shelf._corpora[ANA][0]
    wanted = search.request(asked, top_k=5, wanted=Filter(), recent_session=None, now=datetime.now(UTC))
    read = query.read(wanted, corpus)
    assert read.foreign is foreign
    assert (read.names_known == NOBODY) is foreign
    memory.forget(ids[-1], user_id=ANA)
    memory.retrieve(asked, user_id=ANA)
    assert memory._shelf._corpora[ANA][0].cjk_count == sum(not text.isascii() for text in told)
