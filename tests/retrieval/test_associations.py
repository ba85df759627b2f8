"""Synonyms, company of entities, and the user's own Chinese words: what a query is widened and read by."""

from __future__ import annotations

from typing import Any

import pytest

from memories import ANA, BOB, texts
from moments import read_names, still
from siltstone import Memory
from siltstone.errors import InvalidInput
from siltstone.retrieval.dictionary import runs
from siltstone.testing.clock import ManualClock
from siltstone.text.tokens import terms

CHINESE = [
    "部署脚本在仓库里",
    "运行部署脚本之前先备份",
    "新的部署流程",
    "脚本出错了",
    "部署失败",
    "脚本目录",
    "部门开会",
    "署名文章",
    "本周计划",
]


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still."""
    return ManualClock()


def test_a_query_finds_synonyms_behind_the_word_itself(clock: ManualClock) -> None:
    """The table widens a query both ways; what says the word comes first; another user's query is as before."""
    with still(clock) as memory:
        for user_id in (ANA, BOB):
            memory.add(["the release of the shop", "we deploy the shop", "lunch at noon"], user_id=user_id)
        memory.upkeep.set_synonyms("deploy", ["Release", "roll out"], user_id=ANA)
        assert texts(memory, "deploy") == ["we deploy the shop", "the release of the shop"]
        assert texts(memory, "release") == ["the release of the shop", "we deploy the shop"]
        assert texts(memory, "deploy", BOB) == ["we deploy the shop"]
        memory.add("we roll the app out soon", user_id=ANA)
        assert "we roll the app out soon" in texts(memory, "deploy")


def test_a_synonym_alone_is_found_above_the_floor(clock: ManualClock) -> None:
    """Where no memory holds the word, its synonym answers; without the table nothing does."""
    with still(clock) as memory:
        memory.add(["the release happens on Friday", "lunch at noon"], user_id=ANA)
        assert texts(memory, "deploy") == []
        memory.upkeep.set_synonyms("release", "deploy", user_id=ANA)
        assert texts(memory, "deploy") == ["the release happens on Friday"]
        memory.upkeep.remove_synonyms("release", user_id=ANA)
        assert texts(memory, "deploy") == []


def test_chinese_synonyms_are_whole_words(clock: ManualClock) -> None:
    """A Chinese synonym is its word, not any of its characters."""
    with still(clock) as memory:
        memory.add(["周五发布商店", "发言稿", "公布名单"], user_id=ANA)
        memory.upkeep.set_synonyms("部署", ["发布"], user_id=ANA)
        assert texts(memory, "部署") == ["周五发布商店"]


def test_the_table_is_events(clock: ManualClock) -> None:
    """Setting, adding, taking away: the table says what it says, replay keeps it, and nothing unusable gets in."""
    with still(clock) as memory:
        upkeep = memory.upkeep
        assert upkeep.set_synonyms("Setup", ["install", "set up", "SETUP"], user_id=ANA) == ("install", "set up")
        assert upkeep.accept_synonyms("setup", "configure", user_id=ANA) == ("install", "set up", "configure")
        assert upkeep.remove_synonyms("setup", ["install"], user_id=ANA) == ("set up", "configure")
        assert upkeep.synonyms(user_id=ANA) == {"setup": ("set up", "configure")} and upkeep.synonyms(user_id=BOB) == {}
        assert memory.replay(user_id=ANA).same
        seq = memory.stats(user_id=ANA).events
        upkeep.set_synonyms("setup", ["set up", "configure"], user_id=ANA)
        assert memory.stats(user_id=ANA).events == seq
        for word, words in (("...", "x"), ("x", ""), ("", "x"), ("unknown", ())):
            with pytest.raises(InvalidInput):
                upkeep.remove_synonyms(word, words, user_id=ANA)


def company(clock: ManualClock, **more: Any) -> Memory:
    """Notes in which Python and Django come together twice, Python and Flask once."""
    memory = still(clock, **{"synonyms__related_entities": 3, **more})
    memory.add(
        [
            "the course teaches Python with Django",
            "they write Python and Django daily",
            "a talk about Python and Flask",
            "the admin site of Django needs a theme",
            "the routes of Flask are short",
            "lunch at noon",
        ],
        user_id=ANA,
    )
    read_names(memory, ANA)
    return memory


def test_company_comes_behind_every_direct_hit(clock: ManualClock) -> None:
    """Entities that come together with the query's often enough bring their memories, marked, with lower scores."""
    with company(clock) as memory:
        hits = memory.retrieve("Python", user_id=ANA).hits
        direct = [hit for hit in hits if "associated" not in hit.channels]
        assert [hit.text for hit in hits[len(direct) :]] == ["the admin site of Django needs a theme"]
        assert all("Python" in hit.text for hit in direct) and len(direct) == 3
        assert min(hit.score for hit in direct) > max(hit.score for hit in hits[len(direct) :])
    with company(clock, synonyms__related_min_count=1) as memory:
        assert "the routes of Flask are short" in texts(memory, "Python")


def test_company_never_takes_a_place(clock: ManualClock) -> None:
    """However its factors lift it, an associated memory stays behind, and one that does not fit is left out."""
    with company(clock, profile="host") as memory:
        (memory_id,) = [entry.id for entry in memory.list(user_id=ANA) if "admin" in entry.text]
        for n in range(9):
            memory.feedback(memory_id, user_id=ANA, useful=True)
            memory.used(memory_id, user_id=ANA, turn=str(n))
        hits = memory.retrieve("Python", user_id=ANA).hits
        assert hits[-1].id == memory_id and hits[-1].score < hits[-2].score
        assert memory_id not in [hit.id for hit in memory.retrieve("Python", user_id=ANA, top_k=3)]


def test_company_keeps_to_filters_and_to_the_floor(clock: ManualClock) -> None:
    """What a filter hides neither counts nor comes, and a query that has no answer gets no company."""
    with company(clock) as memory:
        memory.add("the ORM of Django is large", user_id=ANA, tags=["x"])
        read_names(memory, ANA)
        assert texts(memory, "Python", tags=["x"]) == []
        assert texts(memory, "who wrote Haskell") == []
    with company(clock, synonyms__related_entities=0) as memory:
        assert len(texts(memory, "Python")) == 3


def test_the_dictionary_holds_the_words_of_the_memory(clock: ManualClock) -> None:
    """Runs that recur and cling are words, parts across them are not; another user's are not known."""
    with still(clock) as memory:
        memory.add(CHINESE, user_id=ANA)
        words = dict(memory.upkeep.dictionary(user_id=ANA))
        assert words.keys() >= {"部署", "脚本"} and "署脚" not in words and "的部" not in words
        assert memory.upkeep.dictionary(user_id=BOB) == []


def test_a_query_is_read_by_its_words(clock: ManualClock) -> None:
    """With the dictionary, characters of a known word find it alone; without, also what shares a character."""
    found = {}
    for known in (True, False):
        with still(clock, synonyms__chinese_words=known, recall__floor=0) as memory:
            memory.add(CHINESE, user_id=ANA)
            found[known] = texts(memory, "部署脚本")
    assert found[True][0] == found[False][0] == "部署脚本在仓库里"
    assert "部门开会" in found[False] and not {"部门开会", "署名文章", "本周计划"} & set(found[True])


@pytest.mark.parametrize("text", ["部署脚本", "我", "用 vite 写前端", "哈哈哈哈", "a", "部 署", "部署。部署"])
def test_runs_are_what_the_terms_were_made_from(text: str) -> None:
    """Index terms give back the runs of characters of the text."""
    expected = "".join(char if "\u4e00" <= char <= "\u9fff" else " " for char in text).split()
    assert list(runs(terms(text))) == expected
