"""Rules of entailment without a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.models.entailment_rules import RuleEntailment
from siltstone.models.statements import read_statement

PAIRS = [
    ("I love cilantro", "I hate cilantro", "contradiction"),
    ("I smoke", "I quit smoking", "contradiction"),
    ("She smokes every day", "She no longer smokes", "contradiction"),
    ("I live in Paris", "I live in Berlin", "contradiction"),
    ("He moved to Berlin", "He lives in Paris", "contradiction"),
    ("I have two cats", "I have three cats", "contradiction"),
    ("My favourite editor is Vim", "My favourite editor is Emacs", "contradiction"),
    ("I don't eat meat", "I eat meat", "contradiction"),
    ("I am vegetarian", "I eat meat every day", "contradiction"),
    ("Ana is married", "Ana is divorced", "contradiction"),
    ("I can't stand the cold", "I love the cold", "contradiction"),
    ("He works at Google", "He works for Apple", "contradiction"),
    ("I never drink coffee", "I drink coffee every morning", "contradiction"),
    ("The meeting is on 5 May", "The meeting is on 7 May", "contradiction"),
    ("My name is Ana", "My name is Maria", "contradiction"),
    ("I take sugar in my tea", "I drink tea without sugar", "contradiction"),
    ("I used to play tennis", "I play tennis", "contradiction"),
    ("The feature is enabled", "The feature is disabled", "contradiction"),
    ("I like tea", "I like tea", "entailment"),
    ("I like green tea from Japan", "I like tea", "entailment"),
    ("I adopted a grey cat named Tom", "I adopted a cat", "entailment"),
    ("I don't like tea", "I do not like tea", "entailment"),
    ("I like tea", "I like green tea from Japan", "neutral"),
    ("I like tea", "I like coffee", "neutral"),
    ("I got a dog", "My rent went up", "neutral"),
    ("Ana likes tea", "Bo does not like tea", "neutral"),
    ("I live in Paris", "She lives in Berlin", "neutral"),
    ("I run on Mondays", "I run with my sister", "neutral"),
    ("I am learning piano", "My piano teacher is kind", "neutral"),
    ("I have two cats", "I have three dogs", "neutral"),
    ("I can't wait to see Rome", "I want to see Rome", "entailment"),
    ("Not only do I cook, I bake", "I cook", "entailment"),
    ("[Ana] I love tea", "[Bo] I hate tea", "neutral"),
    ("I am not unhappy at work", "I am happy at work", "neutral"),
    ("My car is fast", "My car is red", "neutral"),
    ("我喜欢喝茶", "我讨厌喝茶", "contradiction"),
    ("我抽烟", "我戒烟了", "contradiction"),
    ("我喜欢猫", "我不喜欢猫", "contradiction"),
    ("我住在北京", "我住在上海", "contradiction"),
    ("他在谷歌工作", "他在苹果工作", "contradiction"),
    ("我有两只猫", "我有三只猫", "contradiction"),
    ("我最喜欢的颜色是蓝色", "我最喜欢的颜色是红色", "contradiction"),
    ("我结婚了", "我离婚了", "contradiction"),
    ("我不再喝咖啡", "我每天喝咖啡", "contradiction"),
    ("我今年30岁", "我今年31岁", "contradiction"),
    ("我喜欢绿茶和红茶", "我喜欢绿茶", "entailment"),
    ("我不吃辣", "我不吃辣", "entailment"),
    ("我喜欢猫", "我喜欢狗", "neutral"),
    ("我养了一只猫", "房租涨了", "neutral"),
    ("我非常喜欢猫", "我喜欢猫", "entailment"),
    ("我住在北京", "她住在上海", "neutral"),
    ("这家店不错", "这家店很好", "neutral"),
    ("我喜欢跑步", "我喜欢晨跑和游泳", "neutral"),
    ("我特别喜欢爬山", "我喜欢爬山", "entailment"),
    ("My budget for the trip is 500 euros", "My budget for the trip is 800 euros", "contradiction"),
    ("I stopped eating gluten", "I eat gluten again", "contradiction"),
    ("We won the final", "We lost the final", "contradiction"),
    ("I work as a nurse", "I work as a teacher", "contradiction"),
    ("Leo hates mornings", "Leo loves mornings", "contradiction"),
    ("The deadline is Friday", "The deadline is Monday", "contradiction"),
    ("I do not own a car", "I own a red car", "contradiction"),
    ("She moved to Lisbon with her dog", "She lives in Porto", "contradiction"),
    ("I bought a bike", "I sold my bike", "contradiction"),
    ("I wake up at 6", "I wake up at 8", "contradiction"),
    ("I gave up on learning Dutch", "I am learning Dutch", "contradiction"),
    ("I'm allergic to nuts", "I eat nuts all the time", "neutral"),
    ("I read two books about whales this week", "I read books about whales", "entailment"),
    ("My sister Eva plays the violin in an orchestra", "My sister plays the violin", "entailment"),
    ("I take the train to work every day", "I take the train to work", "entailment"),
    ("My sister plays violin", "My brother plays guitar", "neutral"),
    ("I baked bread", "I baked bread with rye flour and walnuts", "neutral"),
    ("I have a cat", "My cat is ill", "neutral"),
    ("I went to Rome in May", "I want to go to Rome again", "neutral"),
    ("I like my job", "My boss likes golf", "neutral"),
    ("I'm not only tired but hungry", "I am hungry", "entailment"),
    ("Nobody came to my party", "Everyone came to my party", "contradiction"),
    ("We planted tomatoes", "We planted tomatoes and basil", "neutral"),
    ("I don't think this is hard", "This is hard", "contradiction"),
    ("我讨厌开会", "我喜欢开会", "contradiction"),
    ("我妻子是医生", "我妻子是老师", "contradiction"),
    ("他搬到深圳了", "他住在广州", "contradiction"),
    ("我不会游泳", "我会游泳", "contradiction"),
    ("我买了三本书", "我买了五本书", "contradiction"),
    ("我取消了健身房会员", "我是健身房会员", "contradiction"),
    ("我每天早上喝一杯黑咖啡", "我喝咖啡", "entailment"),
    ("我没有车", "我没有车", "entailment"),
    ("我在学钢琴", "我在学法语", "neutral"),
    ("孩子发烧了", "孩子上学了", "neutral"),
    ("我喜欢看电影", "我喜欢看科幻电影", "neutral"),
    ("妈妈做了手术", "我很担心妈妈", "neutral"),
    ("我不吃牛肉", "我不吃牛肉和羊肉", "neutral"),
]

UNSURE = [("会议改成周五", "会议是周三"), ("我们周五见", "我们周三见"), ("I could not be happier", "I am happy")]


@pytest.mark.parametrize(("premise", "hypothesis", "label"), PAIRS)
def test_a_plain_pair_is_judged_as_a_reader_would(premise: str, hypothesis: str, label: str) -> None:
    """Denial, opposites, numbers and single values contradict; what is said already is entailed; all else is open."""
    (verdict,) = RuleEntailment().judge([(premise, hypothesis)])
    assert verdict.label == label


@pytest.mark.parametrize(("premise", "hypothesis"), UNSURE)
def test_an_unsure_pair_is_not_taken_for_the_same(premise: str, hypothesis: str) -> None:
    """Where the rules cannot tell, they never say the opposite of what a reader would."""
    (verdict,) = RuleEntailment().judge([(premise, hypothesis)])
    assert verdict.label in ("neutral", "entailment" if "happy" in hypothesis else "contradiction")


@pytest.mark.parametrize(("premise", "hypothesis", "label"), [pair for pair in PAIRS if pair[2] == "contradiction"])
def test_contradiction_goes_both_ways(premise: str, hypothesis: str, label: str) -> None:
    """If one statement contradicts another, the other contradicts it."""
    (verdict,) = RuleEntailment().judge([(hypothesis, premise)])
    assert verdict.label == label


@given(st.lists(st.tuples(st.text(), st.text()), max_size=3))
def test_any_two_texts_have_a_verdict(pairs: list[tuple[str, str]]) -> None:
    """No text raises, and the three likelihoods are none below 0 and add up to 1."""
    for verdict in RuleEntailment().judge(pairs):
        parts = (verdict.entailment, verdict.neutral, verdict.contradiction)
        assert min(parts) >= 0
        assert sum(parts) == pytest.approx(1)


@given(st.text(alphabet="abc 不没三3[]什么喜欢 not never I my is one .", max_size=60))
def test_a_statement_never_contradicts_itself(text: str) -> None:
    """The same text twice is no contradiction."""
    (verdict,) = RuleEntailment().judge([(text, text)])
    assert verdict.contradiction == 0


def test_a_negation_reaches_to_the_end_of_its_clause() -> None:
    """What stands before a negation or after the clause's end is not denied."""
    assert read_statement("I like tea, not coffee; cake is fine").words == {
        "like": 1,
        "tea": 1,
        "coffe": -1,
        "cake": 1,
        "fine": 1,
    }
    assert read_statement("我喜欢茶，不喜欢酒").words["茶"] == 1


def test_a_denied_word_that_is_affirmed_too_counts_as_last_said() -> None:
    """In one statement a word has one polarity: the last."""
    assert read_statement("I do not smoke, well, I smoke").words["smoke"] == 1
