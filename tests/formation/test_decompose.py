"""Rules of taking a turn apart without a model."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.formation.decompose import decompose

VIVID = 0.6


def _texts(turn: str, prior: str | None = None) -> list[str]:
    return [segment.text for segment in decompose(turn, prior=prior)]


def _only(turn: str, prior: str | None = None) -> tuple[float, str]:
    (segment,) = decompose(turn, prior=prior)
    return segment.intensity, segment.valence


@pytest.mark.parametrize(
    "turn",
    [
        "we eloped",
        "Mum passed away.",
        "I'm bisexual",
        "got tenure!",
        "He proposed",
        "我怀孕了",
        "我们订婚了",
        "爷爷走了",
        "被裁了",
    ],
)
def test_a_life_event_is_vivid_however_short(turn: str) -> None:
    """A life event of two or three words is vivid."""
    assert _only(turn)[0] >= VIVID


@pytest.mark.parametrize(
    "turn",
    [
        "the build died",
        "my phone died",
        "we moved the meeting to Friday",
        "killed the child process",
        "子进程没被杀掉",
        "会议改到四点",
    ],
)
def test_task_chatter_and_figures_of_speech_are_weak(turn: str) -> None:
    """Words of life and death said of things and work weigh little."""
    assert all(segment.intensity < 0.3 for segment in decompose(turn))


def test_length_does_not_drive_intensity() -> None:
    """Many words about a trifle weigh less than three about a life."""
    long = "this morning I walked to the shop on the corner, looked at the shelves for a while and bought a bag of rice"
    assert max(segment.intensity for segment in decompose(long)) < 0.4 < _only("I got divorced")[0]


@pytest.mark.parametrize(
    ("firm", "hedged"),
    [
        ("I'm leaving my husband", "maybe I'm leaving my husband"),
        ("I'm allergic to wool", "I think I might be allergic to wool"),
        ("I love opera", "I sort of love opera"),
        ("我要离婚了", "我可能要离婚了"),
    ],
)
def test_a_hedge_keeps_a_statement_below_the_gate(firm: str, hedged: str) -> None:
    """What is vivid when said firmly is weak when hedged."""
    assert _only(hedged)[0] < VIVID <= _only(firm)[0]


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("my sister got married", "my colleague got married"),
        ("my son died", "in the novel the hero died"),
        ("我妹妹离婚了", "我同事离婚了"),
    ],
)
def test_a_strangers_event_weighs_less(own: str, other: str) -> None:
    """An event counts in full for oneself and close family, little for others, next to nothing in fiction."""
    assert _only(other)[0] < 0.42 < VIVID <= _only(own)[0]


@pytest.mark.parametrize(
    "turn",
    [
        "hi everyone", "lol ok", "thanks, that's perfect", "turn off the lights", "could you rename this file?",
        "please summarise the article",
        "how many grams in an ounce?", "when does the bank open", "translate this: I love you", "", "  \n ", "👍", "?!",
        "你好", "哈哈哈", "帮我写一封邮件", "把灯关了吧", "明天会下雨吗", "怎么退款", "好的，谢谢",
    ],
)  # fmt: skip
def test_what_states_nothing_gives_no_segment(turn: str) -> None:
    """Greetings, fillers, thanks, commands and factual questions hold no segment."""
    assert decompose(turn) == []


@pytest.mark.parametrize(
    ("turn", "stated"),
    [
        ("I'm lactose intolerant, what can I bake?", "I'm lactose intolerant"),
        ("how do I tell my boss that I'm pregnant?", "I'm pregnant"),
        ("ok thanks. btw I'm Jewish", "I'm Jewish"),
        ("我对海鲜过敏，有什么推荐的餐厅吗？", "我对海鲜过敏"),
        ("你好，我是护士，帮我看看这个表", "我是护士"),
    ],
)
def test_a_question_or_greeting_gives_the_statement_it_carries(turn: str, stated: str) -> None:
    """Of a turn that also asks, greets or commands, the statement alone is kept."""
    assert _texts(turn) == [stated]


@pytest.mark.parametrize(
    ("turn", "count"),
    [
        ("I quit my job and I'm moving to Peru", 2),
        ("my mum is a baker, my dad drives a taxi", 2),
        ("I got divorced and it is a relief", 1),
        ("we got a puppy, she's called Nell", 1),
        ("my wife and I bought a house", 1),
        ("made soup. it came out too salty", 1),
        ("我爸是司机，我妈在家带孩子", 2),
        ("养了只猫，叫咪咪", 1),
        ("面试过了，太开心了", 1),
        ("房租涨了，不过公司给我加薪了", 2),
    ],
)
def test_distinct_facts_are_split_and_elaborations_folded(turn: str, count: int) -> None:
    """Each independent statement is a segment; a feeling about it or a detail of it is part of it."""
    assert len(decompose(turn)) == count


def test_a_prefix_names_a_speaker_and_is_no_part_of_the_segment() -> None:
    """Each line with its own `[Name]` is taken apart alone, without the prefix."""
    turn = "[Ana] I'm moving to Porto\n[Ben] oh no\n[Cy] my dog died"
    assert _texts(turn) == ["I'm moving to Porto", "my dog died"]


@pytest.mark.parametrize(
    ("turn", "prior", "statement", "valence"),
    [
        ("I'm getting divorced. Just kidding!", None, "I'm getting divorced", "pos"),
        ("just kidding", "I hate my brother", "I hate my brother", "pos"),
        ("我升职了，开玩笑的", None, "我升职了", "neg"),
    ],
)
def test_a_retraction_yields_the_denied_statement(turn: str, prior: str | None, statement: str, valence: str) -> None:
    """Taking back keeps the earlier intensity, turns the valence round, and the text denies the statement."""
    (segment,) = decompose(turn, prior=prior)
    assert segment.retracted
    assert segment.text.endswith(statement) and segment.text != statement
    assert segment.intensity == _only(statement)[0] and segment.valence == valence


@pytest.mark.parametrize(
    "turn",
    ["I just adore waiting two hours for a bus /s", "my landlord is a saint (sarcastic)", "又加班，真开心（反话）"],
)
def test_marked_irony_is_negative_and_weak(turn: str) -> None:
    """What is marked as irony has the meant valence and stays below the gate."""
    intensity, valence = _only(turn)
    assert valence == "neg" and intensity < VIVID


@pytest.mark.parametrize(
    ("turn", "valence"),
    [
        ("I don't like opera", "neg"), ("not bad at all", "pos"), ("I'm not happy with my job", "neg"), ("我不喜欢开会", "neg"),
        ("这菜不难吃", "pos"),
        ("I work as a welder", "neu"), ("I don't smoke", "neu"), ("we had twins", "pos"), ("our cat died", "neg"),
        ("离婚了，真是解脱", "pos"),
    ],
)  # fmt: skip
def test_valence_follows_negation_and_a_voiced_feeling(turn: str, valence: str) -> None:
    """A feeling word is turned round by a negation, and outweighs what the event alone would weigh."""
    assert _only(turn)[1] == valence


def test_a_paste_is_one_weak_segment_in_any_language() -> None:
    """A hundred words, or 150 Chinese characters, without a first person are one neutral segment of 0.05."""
    pages = [
        "The bridge was built of stone and wood by the masons of the town. " * 9,
        "老桥建于清代中期，由五个石拱组成，全长四十六米。" * 8,
    ]
    assert [[(s.intensity, s.valence) for s in decompose(page)] for page in pages] == [[(0.05, "neu")]] * 2


def test_an_opening_of_ones_own_stands_before_a_paste() -> None:
    """A first line in the first person is a segment of its own, the paste after it another."""
    log = "worker stopped with code three and the queue was cleared by the watchdog\n" * 10
    own, paste = decompose("I hate my new job so much\n" + log)
    assert own.text == "I hate my new job so much" and paste.intensity == 0.05


def test_a_long_story_in_the_first_person_is_no_paste() -> None:
    """First-person words keep a long text from being taken for a paste, in English and in Chinese."""
    for story in (
        "I left my village at sixteen. My mother cried and I promised her to write. " * 9,
        "我十六岁离开了老家。我妈哭了，我答应她常写信。" * 9,
    ):
        assert len(decompose(story)) > 3


_PIECES = (
    "I", "my dad", "died", "and", "but", "jk", "/s", "[Bo] ", "just kidding", "don't", ",", ".", "!", "?", "...", "\n", " ", "'",
    "我", "我爸", "走了", "不", "，", "。", "开玩笑的", "（反话）", "é", "🙂", "3",
)  # fmt: skip
_TURNS = st.lists(st.sampled_from(_PIECES), max_size=30).map("".join) | st.text(max_size=60)


@settings(max_examples=200, deadline=None)
@given(_TURNS)
def test_no_text_raises_and_every_span_is_a_part_of_it(turn: str) -> None:
    """For any text the spans lie in order within it, values are in range, and a second run answers alike."""
    segments = decompose(turn)
    assert segments == decompose(turn)
    at = 0
    for segment in segments:
        assert at <= segment.start < segment.end <= len(turn)
        assert segment.retracted or segment.text == turn[segment.start : segment.end]
        assert 0 <= segment.intensity <= 1 and segment.valence in ("pos", "neg", "neu")
        at = segment.end


def test_a_turn_of_any_length_is_taken_apart_in_bounded_time() -> None:
    """What goes beyond the longest turn is kept as one weak segment after the statements."""
    *told, rest = decompose("I like my cat and " * 3000)
    assert told and rest.intensity == 0.05 and rest.end == len(("I like my cat and " * 3000).rstrip())
