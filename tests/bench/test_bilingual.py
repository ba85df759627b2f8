"""The bilingual conversations and their benchmark."""

from __future__ import annotations

import re
from pathlib import Path

import bilingual
import pytest
from bm25 import BM25, tokens
from locomo_data import tuning


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("爬山", ["c29228", "c23665", "p29228x23665"]),
        ("用 Redis 吧", ["c29992", "redi", "c21543"]),
        ("Did the herons nest?", ["heron", "nest"]),
        ("端口8080，好", ["c31471", "c21475", "p31471x21475", "8080", "c22909"]),
    ],
)
def test_chinese_is_read_as_characters_and_pairs(text: str, words: list[str]) -> None:
    """Each Chinese character and each pair of neighbours is one word, and other text stays as it was."""
    assert tokens(bilingual.spelled(text)) == words


def test_pairs_weigh_more_than_their_characters() -> None:
    """A text that has the query's characters beside each other ranks above one that has them apart."""
    index = BM25([bilingual.spelled(text) for text in ("山上能爬吗", "去爬山吗", "下雨了没有")])
    assert index.rank(bilingual.spelled("爬山"), 3) == [1, 0]


def test_the_set_is_as_large_as_its_page_says() -> None:
    """The counts in the page beside the data are those of the data, in both languages."""
    page = (bilingual.DATA.parent / "README.md").read_text("utf-8")
    turns, questions = re.search(r"\*\*all\*\*.*\*\*([\d,]+)\*\* \| \*\*(\d+)\*\*", page).groups()
    for lang in ("zh", "en"):
        samples = bilingual.load(bilingual.DATA, told=lang, asked=lang)
        assert sum(len(sample.turns) for sample in samples) == int(turns.replace(",", ""))
        assert sum(len(sample.questions) for sample in samples) == int(questions)


def test_every_gold_turn_exists() -> None:
    """A question has gold turns, all of them in its own conversation, whose turn ids are distinct."""
    for sample in bilingual.load(bilingual.DATA):
        names = [turn.id for turn in sample.turns]
        assert len(set(names)) == len(names)
        assert all(question.gold and question.gold <= set(names) for question in sample.questions)


def test_the_two_languages_share_everything_but_words() -> None:
    """Ids, times, gold and categories are the same in both languages, speakers and texts are not."""
    chinese, english = (bilingual.load(bilingual.DATA, told=lang, asked=lang) for lang in ("zh", "en"))
    for left, right in zip(chinese, english, strict=True):
        assert [(t.id, t.session, t.at) for t in left.turns] == [(t.id, t.session, t.at) for t in right.turns]
        assert [(q.key, q.category, q.gold) for q in left.questions] == [
            (q.key, q.category, q.gold) for q in right.questions
        ]
        assert {turn.speaker for turn in left.turns}.isdisjoint(turn.speaker for turn in right.turns)


def test_both_halves_are_asked() -> None:
    """Five conversations tune and five are held, and each question is in one half and one category."""
    samples = bilingual.load(bilingual.DATA)
    names = [sample.id for sample in samples]
    means = bilingual.evaluate(samples, {})
    assert sum(tuning(name, names) for name in names) == 5
    assert means["tuning"]["n"] + means["held"]["n"] == means["all"]["n"]
    assert sum(means[category]["n"] for category in bilingual.CATEGORIES) == means["all"]["n"]
    assert means["all"]["any@10"] == 0


def test_a_run_scores_both_systems(tmp_path: Path) -> None:
    """A run remembers through the public API, answers most questions, and scores BM25 on the same ones."""
    small = tmp_path / "one.jsonl"
    small.write_text(bilingual.DATA.read_text("utf-8").splitlines()[0], "utf-8")
    samples = bilingual.load(small)
    result = bilingual.measure(samples, {"embedding__provider": "none"})
    assert result["ours"]["all"]["n"] == result["bm25"]["all"]["n"] == len(samples[0].questions)
    assert result["ours"]["all"]["any@10"] > 0.5 and result["facts"]["turns"] == len(samples[0].turns)


@pytest.mark.parametrize(
    ("chinese", "english", "reached"), [(0.86, 0.90, True), (0.84, 0.80, False), (0.86, 0.92, False)]
)
def test_the_verdict_needs_both_figures(chinese: float, english: float, reached: bool) -> None:
    """The target is reached by Chinese recall of .85 that is at most five points below English."""
    results = {lang: {"ours": {"all": {"any@10": value}}} for lang, value in (("zh", chinese), ("en", english))}
    assert bilingual.verdict(results)["reached"] is reached
