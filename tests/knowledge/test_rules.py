"""What the rules read out of a text, in English and Chinese, without a model."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.knowledge.entities import SCANNED, find
from siltstone.knowledge.rules import read


def said(text: str, **told: Any) -> set[tuple[str, str, str]]:
    """The relations of a text by the names of their ends."""
    claims = read(text, **told)
    names = [entity["name"] for entity in claims.entities]
    return {(names[r["source"]], r["type"], names[r["target"]]) for r in claims.relations}


def test_the_example_of_the_plugin_is_found() -> None:
    """A person, a task with its version, and who created it."""
    claims = read("Alice created a task to deploy v1.0")
    assert claims.entities == (
        {"type": "person", "name": "Alice"},
        {"type": "task", "name": "deploy_v1", "aliases": ["deploy v1.0"], "attributes": {"version": "1.0"}},
    )
    assert claims.relations == ({"source": 0, "target": 1, "type": "created"},)


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("Yesterday Priya called", "person", "Priya"),
        ("王芳在图书馆", "person", "王芳"),
        ("欧阳娜娜来了", "person", "欧阳娜娜"),
        ("We met in Lisbon", "place", "Lisbon"),
        ("我去了杭州", "place", "杭州"),
        ("She works for the Red Cross Foundation", "organization", "Red Cross Foundation"),
        ("他在协和医院", "organization", "协和医院"),
        ("We use PostgreSQL 16 here", "product", "PostgreSQL 16"),
        ("用Python写的", "product", "Python"),
        ("It broke with v2.4.1", "version", "v2.4.1"),
        ("See src/app/main.py for that", "path", "src/app/main.py"),
        ("I hold $TSLA", "ticker", "TSLA"),
        ("due on 2024-03-05", "date", "2024-03-05"),
        ("截止2024年3月5日", "date", "2024年3月5日"),
        ("The payment module is slow", "component", "payment module"),
        ("支付模块很慢", "component", "支付模块"),
        ("There was an outage after the config change", "event", "config change"),
    ],
)
def test_each_kind_of_name_is_found(text: str, kind: str, name: str) -> None:
    """People, places, organizations, products, versions, paths, tickers, dates, parts of systems, events."""
    assert (kind, name) in [(mention.type, mention.name) for mention in find(text)]


@pytest.mark.parametrize(
    "text", ["The next day was fine. However, nothing happened.", "今天天气很好", "ok", "It rained."]
)
def test_a_capital_or_a_common_word_is_no_name(text: str) -> None:
    """Words that only begin a sentence, and characters that only begin like a surname, name nobody."""
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Bob now works at Acme Corp.", ("Bob", "works_at", "Acme Corp")),
        ("Jordan works at Nike", ("Jordan", "works_at", "Nike")),
        ("Figma was acquired by Adobe", ("Adobe", "acquired", "Figma")),
        ("Hans is the CEO of Globex GmbH", ("Hans", "leads", "Globex GmbH")),
        ("Omar, aka Ozzy, uses TensorFlow", ("Omar", "uses", "TensorFlow")),
        ("Bob moved to Rome. He works at Acme Corp.", ("Bob", "works_at", "Acme Corp")),
        ("Dana fixed the outage", ("Dana", "fixed", "outage")),
        ("小李 (Li Lei) 在华为工作", ("小李", "works_at", "华为")),
        ("王芳搬到了上海", ("王芳", "lives_in", "上海")),
        ("支付系统依赖Redis", ("支付系统", "depends_on", "Redis")),
        ("陈静收购了腾讯，赵敏毕业于清华大学", ("赵敏", "studied_at", "清华大学")),
    ],
)
def test_relations_are_read_from_what_stands_between(text: str, relation: tuple[str, str, str]) -> None:
    """Active and passive, with aliases between, by pronoun, in both languages."""
    assert relation in said(text)


def test_several_are_read_from_one_sentence() -> None:
    """What is said of one is said of those named with it."""
    assert said("Ann and Bob joined Acme Corp.") == {("Ann", "works_at", "Acme Corp"), ("Bob", "works_at", "Acme Corp")}
    assert said("Maya uses C++ at work and C# at home") == {("Maya", "uses", "C++"), ("Maya", "uses", "C#")}
    assert ("Bob", "works_at", "Acme Labs") in said("Bob left Acme Corp. for Acme Labs")


def test_the_speaker_is_who_says_i() -> None:
    """By name where it is known, else `user`; who says nothing about himself is no entity."""
    assert said("I live in Lisbon", speaker="Ana") == {("Ana", "lives_in", "Lisbon")}
    assert said("我住在上海") == {("user", "lives_in", "上海")}
    assert [e["name"] for e in read("I saw Lisbon", speaker="Ana").entities] == ["Lisbon"]


@pytest.mark.parametrize(
    "text",
    [
        "Does Bob work at Acme Corp.?",
        "Bob works at Acme Corp.?",
        "If Bob lives in Paris, call him",
        "Bob never lived in Paris",
        "Bob does not live in Paris",
        "王芳住在北京吗",
        "如果王芳住在北京",
    ],
)
def test_what_is_asked_denied_or_supposed_states_nothing(text: str) -> None:
    """Only statements make relations."""
    assert said(text) == set()


def test_no_longer_is_told_as_such() -> None:
    """What is over is a relation that has ended."""
    (relation,) = read("Bob no longer works at Acme Corp.").relations
    assert relation["ended"] is True


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    """The rules look at the first 6,000 characters."""
    assert find("a " * SCANNED + "Lisbon") == []


@given(st.text(max_size=300))
def test_no_text_makes_the_rules_fail(text: str) -> None:
    """Whatever the text, mentions lie in it, do not overlap, and relations have ends."""
    mentions = find(text)
    assert all(0 <= m.start < m.end <= len(text) for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
    claims = read(text)
    for relation in claims.relations:
        assert relation["source"] < len(claims.entities) and relation["target"] < len(claims.entities)


@pytest.mark.parametrize(
    ("text", "began"),
    [
        ("Peter Ng joined OpenLabs in 2021", "2021-01-01"),
        ("Peter Ng lives in Oslo since March 2020", "2020-03-01"),
        ("Peter Ng moved to Oslo last week", "2026-04-27"),
        ("Peter Ng left OpenLabs in 2023", "2023-01-01"),
        ("Peter Ng lives in Oslo with Mia", None),
    ],
)
def test_a_time_that_is_told_is_when_it_began(text: str, began: str | None) -> None:
    """The time right behind a relation is its beginning, or its end where it is over."""
    (relation, *_) = read(text, at=datetime(2026, 5, 7, tzinfo=UTC)).relations
    assert (relation.get("valid_from") or "")[:10] == (began or "")
    assert "valid_from" not in read(text).relations[0]


def test_people_and_places_are_found_in_a_plain_sentence() -> None:
    """Not acronyms alone: who met whom, and where."""
    found = {(mention.type, mention.name) for mention in find("Alice met Bob in Paris and he explained the MACD")}
    assert {("person", "Alice"), ("person", "Bob"), ("place", "Paris")} <= found
