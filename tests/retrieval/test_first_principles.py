"""What any search of a memory owes its user: rules that peers' defects taught."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from siltstone import Memory

ANA = "ana"
PROVIDERS = ("none", "static")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_more_of_the_words_asked_rank_higher(provider: str) -> None:
    """A text with all three words comes before texts with one of them, be they shorter or say it often."""
    with Memory.open("memory://", embedding__provider=provider) as memory:
        memory.add(
            [
                "cello",
                "cello cello cello cello",
                "the lesson was moved",
                "on Fridays, when the hall upstairs is free, the cello lesson with Marta begins at seven",
            ],
            user_id=ANA,
        )
        assert memory.retrieve("cello lesson Marta", user_id=ANA).hits[0].text.startswith("on Fridays")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "query",
    ["What is the deploy key?", "deploy key what is it", "is it the deploy key or what", "what and the deploy or key"],
)
def test_function_words_anywhere_cut_nothing_off(provider: str, query: str) -> None:
    """ "What is …" finds what follows, and so does the same in any order."""
    with Memory.open("memory://", embedding__provider=provider) as memory:
        memory.add(["The deploy key rotates on Fridays", "Lunch is at noon", "What a day it was"], user_id=ANA)
        assert memory.retrieve(query, user_id=ANA).hits[0].text.startswith("The deploy key")


def test_a_query_of_function_words_alone_is_searched_for_as_it_stands() -> None:
    """Where nothing else is left, the words themselves are looked for: no error, and what has them is found."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        memory.add(["to be or not to be", "the bus was late"], user_id=ANA)
        assert memory.retrieve("to be or not", user_id=ANA).hits[0].text == "to be or not to be"


def test_tags_are_whole() -> None:
    """A filter for a tag takes no tag that merely has it inside."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        memory.add("the rate is 3 percent", user_id=ANA, tags=["uncorrected"])
        memory.add("the rate is 4 percent", user_id=ANA, tags=["corrected"])
        found = memory.retrieve("rate percent", user_id=ANA, tags=["corrected"]).hits
        assert [hit.text for hit in found] == ["the rate is 4 percent"]


def test_a_date_without_a_zone_ages_like_the_same_one_in_utc() -> None:
    """It is read as UTC, so the time factor of both is the same, and no more than their age takes from them."""
    with Memory.open("memory://", embedding__provider="none", recall__half_life_days=30.0) as memory:
        day = datetime.now() - timedelta(days=30)
        memory.add("rented a bicycle in Graz", user_id=ANA, occurred_at=day.isoformat())
        memory.add("rented a bicycle in Linz", user_id=ANA, occurred_at=f"{day.isoformat()}+00:00")
        hits = memory.retrieve("rented a bicycle", user_id=ANA).hits
        assert len(hits) == 2
        assert hits[0].factors["time"] == pytest.approx(hits[1].factors["time"], abs=1e-3)
        assert 0.4 < hits[0].factors["time"] < 1
