"""Rules of a question about a speaker, put as that speaker would say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from siltstone import Memory
from siltstone.retrieval.corpus import Corpus
from siltstone.retrieval.query import read
from siltstone.retrieval.search import request
from siltstone.retrieval.voice import voiced
from siltstone.text import checks

ANA = "ana"
SPEAKERS = ("Ada", "Ben Okri", "Will", "James", "Élodie", "Zoe Okri")


def corpus_of(memory: Memory, speakers: Sequence[str] = SPEAKERS) -> Corpus:
    """The index of a conversation in which each of the speakers said something."""
    memory.add([{"speaker": name, "content": "The recital was lovely"} for name in speakers], user_id=ANA)
    corpus = Corpus()
    corpus.refresh(memory.store.partition(ANA))
    return corpus


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What has Ada painted?", "What has I painted?"),
        ("What are Ada's hobbies?", "What are my hobbies?"),
        ("What are Ada’s hobbies?", "What are my hobbies?"),
        ("Who are James' friends?", "Who are my friends?"),
        ("What did Ada do when she lost her dog?", "What did I do when I lost my dog?"),
        ("What did Ben Okri write?", "What did I write?"),
        ("Wann hat Élodie gemalt?", "Wann hat I gemalt?"),
        ("What did Ada tell Ben about his play?", "What did I tell you about his play?"),
        ("What does Ben think of Ada's play?", "What does I think of your play?"),
        ("What do Ada and Ben have in common?", "What do we have in common?"),
        ("How do Ada and Ben Okri describe their trip?", "How do we describe our trip?"),
        ("Where did Ada, Ben and James meet?", "Where did we meet?"),
        ("What is Ada and James's plan?", "What is our plan?"),
        ("Will Ada come?", "Will I come?"),
        ("When did Will marry?", "When did I marry?"),
    ],
)
def test_names_of_speakers_become_pronouns(memory: Memory, asked: str, said: str) -> None:
    """The first speaker named is "I", another "you", those joined by "and" are "we"; pronouns follow a speaker alone."""
    assert voiced(asked, corpus_of(memory)) == said


@pytest.mark.parametrize(
    "text",
    [
        "where was the recital?",
        "What did Dora paint?",
        "what did ada paint?",
        "Adamant people, Adas and Adam",
        "Who is Okri?",
        "她喜欢什么？",
        "'s 's ’",
        "she said he lost her dog",
    ],
)
def test_what_names_no_speaker_stays_as_it_is(memory: Memory, text: str) -> None:
    """Strangers, words in lower case, longer words and a name that two speakers share are left alone."""
    assert voiced(text, corpus_of(memory)) == text


def test_without_speakers_nothing_changes(memory: Memory) -> None:
    """A memory of notes has nobody to speak for."""
    memory.add("Ada paints", user_id=ANA)
    corpus = Corpus()
    corpus.refresh(memory.store.partition(ANA))
    assert voiced("What does Ada paint?", corpus) == "What does Ada paint?"


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("What did Ada paint?", "Ada"),
        ("what did ada paint?", "Ada"),
        ("What does James think of Ada's play?", "James"),
        ("What do Ada and James have?", None),
        ("What do both James, Ada like?", None),
        ("where was the recital?", None),
    ],
)
def test_a_question_is_about_the_first_of_those_it_names(memory: Memory, asked: str, about: str | None) -> None:
    """It is about the only speaker named, or the first of several unless they are named together."""
    corpus = corpus_of(memory, ("Ada", "James"))
    query = request(
        asked, top_k=5, wanted=checks.narrowed({}, user_id=ANA), recent_session=None, now=memory._clock.now()
    )
    found = read(query, corpus).about
    assert (None if found < 0 else corpus.speakers.names[found]) == about


def test_of_two_who_are_named_the_first_ones_words_come_first(memory: Memory) -> None:
    """Of two equal turns that one counts more whose speaker the question is about."""
    for name in ("Ben", "Ada"):
        memory.add([{"speaker": name, "content": "The recital was on the pier"}], user_id=ANA, session_id=name)
    first = [memory.retrieve(f"What did {a} tell {b} of the recital?", user_id=ANA).hits[0].speaker for a, b in PAIRS]
    assert first == ["Ada", "Ben"]


PAIRS = (("Ada", "Ben"), ("Ben", "Ada"))


class Listening:
    """An embedder that keeps what it was asked."""

    fingerprint, dimension, inline = "listening/2/1", 2, True
    languages: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same vector for each."""
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same vector, and the text is kept."""
        self.asked.append(text)
        return np.array([1, 0], np.float32)


def test_the_embedder_hears_the_speaker(memory: Memory) -> None:
    """From the second recall on a question is embedded once, as its speaker would put it; a new speaker is known at once."""
    ear = Listening()
    with Memory(replace(memory.parts, embedder=ear, second=None)) as heard:
        heard.add({"speaker": "Ada", "content": "I paint barns"}, user_id=ANA)
        heard.retrieve("What has Ada painted?", user_id=ANA)
        assert ear.asked[-1] == "What has I painted?"
        ear.asked.clear()
        heard.retrieve("What has Ada painted?", user_id=ANA)
        assert ear.asked == ["What has I painted?"]
        heard.add({"speaker": "Ben", "content": "I paint ships"}, user_id=ANA)
        heard.retrieve("What has Ben painted?", user_id=ANA)
        assert ear.asked[-1] == "What has I painted?"
