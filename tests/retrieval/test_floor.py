"""Rules of the floor: when a memory has no answer, and that a small one is not asked for more than it can have."""

from __future__ import annotations

import numpy as np
import pytest

from siltstone import Memory
from siltstone.retrieval import floor
from siltstone.retrieval.evidence import Evidence
from siltstone.retrieval.query import Query

ANA = "ana"
PROVIDERS = ("static", "minilm")
SMALL = [
    ("I took the puppy to the vet, the labrador is fine", "which dog does she have?"),
    ("we moved to Lisbon in spring", "where do I live?"),
    ("my sister married a baker", "who is my brother-in-law?"),
    ("Rex is afraid of thunder", "what scares the dog?"),
    ("I work at a bank", "what is my job?"),
]
CHINESE = [
    ("我家的猫叫米粒", "猫叫什么名字？"),
    ("上周去了杭州出差", "什么时候去的杭州？"),
    ("弟弟在学吉他", "弟弟在学什么？"),
]


def evidence(covered: float, **columns: float) -> Evidence:
    """One row that holds this share of the query and has these cosines."""
    row = {name: np.array([value], np.float32) for name, value in columns.items()}
    return Evidence(rows=np.array([0]), columns=row, channels={}, covered=np.array([covered], np.float32))


def sure(found: Evidence, query: Query, rows: int) -> float:
    """The confidence in it, in a memory of so many rows."""
    speaking = floor.grounds(found, query, np.array([0]))
    return floor.confidence(speaking, rows=rows, by=floor.calibration(found, query))


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("told", "asked"), SMALL)
def test_the_only_memory_answers_in_other_words(provider: str, told: str, asked: str) -> None:
    """A first memory is found by a short question that shares its subject and hardly a word."""
    with Memory.open("memory://", embedding__provider=provider) as memory:
        memory.add(told, user_id=ANA)
        memory.reindex(user_id=ANA)
        assert [hit.text for hit in memory.retrieve(asked, user_id=ANA).hits] == [told]


@pytest.mark.parametrize(("told", "asked"), CHINESE)
def test_the_only_memory_answers_in_chinese(told: str, asked: str) -> None:
    """So is one in Chinese, whose questions name nobody that the memory could know."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        memory.add(told, user_id=ANA)
        assert [hit.text for hit in memory.retrieve(asked, user_id=ANA).hits] == [told]


@pytest.mark.parametrize("provider", ["none", *PROVIDERS])
@pytest.mark.parametrize("query", ["zx81-4471", "ZX81-4471 serial", "memory:safe", "10.0.0.7"])
def test_what_is_there_word_by_word_is_found_in_any_memory(provider: str, query: str) -> None:
    """However large the memory, and although models see no meaning in it: an identifier is found."""
    with Memory.open("memory://", embedding__provider=provider) as memory:
        memory.add([f"note {n} on the weather in town {n % 7}" for n in range(1500)], user_id=ANA)
        memory.add(
            ["the serial is ZX81-4471", "set the flag memory:safe there", "the printer is 10.0.0.7"], user_id=ANA
        )
        assert memory.retrieve(query, user_id=ANA).hits


@pytest.mark.parametrize("provider", ["none", *PROVIDERS])
@pytest.mark.parametrize("query", ["Who did Priscilla Vandermeer marry?", "what is the boiling point of tungsten?"])
def test_what_was_never_spoken_of_has_no_answer(provider: str, query: str) -> None:
    """A person and a subject that are not there get no hit, in a memory of some size."""
    told = ["I like tea in the morning", "the bus was late again", "we cooked lentils for Marta", "rain all week"]
    with Memory.open("memory://", embedding__provider=provider) as memory:
        memory.add([f"{text}, day {n}" for n in range(30) for text in told], user_id=ANA)
        memory.reindex(user_id=ANA) if provider != "none" else None
        assert memory.retrieve(query, user_id=ANA).hits == ()


def test_a_larger_memory_asks_for_more() -> None:
    """The same likeness says less the more rows it was the best of, up to the size that was calibrated for."""
    found, query = evidence(0.3, meaning=0.35), Query(terms=("dog",))
    confidences = [sure(found, query, rows) for rows in (1, 10, 100, 1000, 100_000)]
    assert confidences[:4] == sorted(confidences[:4], reverse=True)
    assert len(set(confidences[:4])) == 4
    assert confidences[3] == confidences[4]


def test_a_filter_makes_the_memory_small() -> None:
    """Only the rows that a filter lets through could answer: they are what chance is reckoned by."""
    with Memory.open("memory://", embedding__provider="static") as memory:
        memory.add([f"walked past shop {n} today" for n in range(400)], user_id=ANA, session_id="walks")
        memory.add("I took the puppy to the vet, the labrador is fine", user_id=ANA, session_id="vet")
        whole = memory.retrieve("which dog does she have?", user_id=ANA).trace["confidence"]
        one = memory.retrieve("which dog does she have?", user_id=ANA, session_id="vet").trace["confidence"]
        assert one > whole


@pytest.mark.parametrize("covered", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("names", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("cjk", [False, True])
@pytest.mark.parametrize("columns", [{}, {"meaning": 0.4}, {"meaning": 0.4, "sense": 0.4}])
def test_confidence_is_a_probability(covered: float, names: float, cjk: bool, columns: dict[str, float]) -> None:
    """It is on [0, 1], and more of any evidence never makes it less."""
    query = Query(terms=("dog",), names_known=names, cjk=cjk)
    found = evidence(covered, **columns)
    more = evidence(min(covered + 0.1, 1), **{name: value + 0.1 for name, value in columns.items()})
    assert 0 < sure(found, query, 50) <= sure(more, query, 50) < 1


def test_a_question_across_scripts_is_never_refused_for_its_words() -> None:
    """With e5 and a memory in another script, no word can be shared: what its cosines found is answered."""
    model, found = "multilingual-e5-small-q4/384/1", evidence(0.0, meaning=0.2)
    same, across = (floor.calibration(found, Query(terms=("狗",), cjk=True, foreign=f), model) for f in (False, True))
    speaking = floor.grounds(found, Query(terms=("狗",)), np.array([0]))
    assert floor.confidence(speaking, rows=500, by=same) < same.floor
    assert floor.confidence(speaking, rows=500, by=across) >= across.floor


def test_all_that_was_asked_is_there() -> None:
    """A row with every word of the query is an answer in the largest memory, unless the query names a stranger."""
    found = evidence(1.0, meaning=0.0, sense=0.0)
    by = floor.calibration(found, Query(terms=("dog",)))
    assert sure(found, Query(terms=("dog",)), 10**6) >= by.floor
    assert sure(found, Query(terms=("dog",), names_known=0.0), 10**6) < by.floor


def test_the_trace_says_what_spoke_for_an_answer() -> None:
    """Whoever gets nothing sees why: each of the grounds, the confidence they make, and the floor it is under."""
    with Memory.open("memory://", embedding__provider="static") as memory:
        memory.add([f"the bus was late on day {n}" for n in range(60)], user_id=ANA)
        trace = memory.retrieve("what did Priscilla say about the bus?", user_id=ANA).trace
        assert trace["grounds"].keys() == {"covered", "names", "meaning"}
        assert trace["grounds"]["names"] == 0
        assert trace["confidence"] < trace["floor"] == floor.STATIC.floor


def test_the_configured_floor_stands() -> None:
    """A number in the settings replaces the calibrated one; 0 answers always, 1 never."""
    by = floor.LEXICAL
    assert floor.threshold(-1.0, by) == by.floor
    assert [floor.threshold(value, by) for value in (0.0, 0.5, 1.0)] == [0.0, 0.5, 1.0]
    for value, answers in ((0.0, True), (1.0, False)):
        with Memory.open("memory://", embedding__provider="none", recall__floor=value) as memory:
            memory.add("the dog barks", user_id=ANA)
            assert bool(memory.retrieve("a dog somewhere else", user_id=ANA).hits) is answers
