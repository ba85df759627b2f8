"""How emotional a text is: what counts, and what only looks as if it did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.emotion import MOST_INTENSITY, MOST_LEANING, emotion
from siltstone.text.form import form_term, read_form
from siltstone.text.small_talk import is_small_talk


@pytest.mark.parametrize(
    "text",
    [
        "I know the node works now",
        "note ------ 1000",
        "We use HTTP, JSON and the REST API",
        "Chapter III of the book on www.example.com",
        "111222333",
        "Prefers TypeScript with Vite",
        "===== 2026-01-01 =====",
        "看看这个文件",
    ],
)
def test_what_only_looks_loud_is_calm(text: str) -> None:
    """Rules, numbers, acronyms, numerals, and negators inside words add nothing, and lean no way."""
    assert emotion(text) == (0.0, 0)


@pytest.mark.parametrize(
    ("calm", "loud"),
    [
        ("I am happy", "I am happy!!"),
        ("I am happy!!", "I am happy!! Really?!"),
        ("this is good", "this is extremely good"),
        ("so good", "so goood"),
        ("I hate mondays", "I HATE mondays"),
        ("What is it?", "What is it? Why? When?"),
        ("我开心", "我非常开心"),
        ("我开心", "我开心开心"),
        ("啊", "啊啊啊"),
        ("太糟糕了。", "太糟糕了！！"),
    ],
)
def test_each_sign_of_feeling_raises_the_intensity(calm: str, loud: str) -> None:
    """Marks in runs, words of degree, drawn out letters, shouting, repeated questions and chunks each count."""
    assert emotion(loud).intensity > emotion(calm).intensity


@pytest.mark.parametrize(
    ("text", "leaning"),
    [
        ("I love this", 1),
        ("I do not love this", -1),
        ("it isn't bad", 1),
        ("not today, but I love it", 1),
        ("我喜欢上海", 1),
        ("我不喜欢在上海工作", -1),
        ("今天很难过", -1),
        ("the goodwill of a lovebird", 0),
    ],
)
def test_a_text_leans_by_its_words_and_their_negations(text: str, leaning: int) -> None:
    """Whole words lean a text, a negation shortly before turns them round, and never one in another clause."""
    assert emotion(text).leaning == leaning


def test_three_marks_count_once() -> None:
    """A run of marks is one run, however long."""
    assert emotion("great!!!!!!").intensity == emotion("great!!").intensity


@given(st.text(max_size=300))
def test_any_text_has_a_bounded_emotion_that_survives_the_index(text: str) -> None:
    """Intensity lies on [0, 2], leaning on [-3, 3], and the form term gives both back."""
    found = emotion(text)
    assert 0 <= found.intensity <= MOST_INTENSITY and abs(found.leaning) <= MOST_LEANING
    kept = read_form(form_term(text))
    assert (kept.intensity / 10, kept.leaning - MOST_LEANING) == found


@pytest.mark.parametrize(
    "text", ["ok", "Thanks!", "ok, thank you", "好的", "好的，谢谢！", "Yes please.", "嗯", "👍 ok"]
)
def test_reactions_are_small_talk(text: str) -> None:
    """What asks no memory is known as such, in English and Chinese, with and without marks."""
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text", ["", "?", "ok computer", "thanks to Ana?", "好的餐厅", "what is next", "茶", "yes prime minister"]
)
def test_what_may_ask_something_is_no_small_talk(text: str) -> None:
    """A text with any other word in it is asked."""
    assert not is_small_talk(text)
