"""Does the memory know whom a question names? An unknown name is the best reason to keep silent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from siltstone.retrieval.corpus import Corpus
from siltstone.text.surnames import NEVER, ORDINARY, RARER_SURNAMES, SURNAMES
from siltstone.text.tokens import terms

SCANNED = 2000
NOBODY = 0.5
"""What a question counts that names nobody: neither for an answer nor against one."""
INNER_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
PERSON = re.compile(
    rf"(?:^|(?<=[\s，。！？、；：,!?;:和与與跟给給让讓替]))[{''.join(sorted(SURNAMES | RARER_SURNAMES))}][\u4e00-\u9fff]"
)
"""A surname and the character after it, where a name may begin; with `COMMON` left out."""
COMMON = NEVER | ORDINARY
CAPITALISED = frozenset(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday christmas easter halloween thanksgiving ramadan hanukkah diwali english french german
    spanish italian portuguese dutch greek latin turkish arabic hebrew hindi russian polish chinese japanese korean
    european american british canadian mexican brazilian indian asian african australian mum mom mummy mommy dad daddy
    grandma grandpa granny nana aunt auntie uncle god internet
    """.split()
)
"""Words that English capitalises and that name nobody: a memory may speak of them in other words."""


def names_known(text: str, corpus: Corpus, *, named: bool) -> float:
    """The share of the names in a question that the corpus knows; NOBODY where it has none.

    Names are runs of capitalised words inside a sentence, each known by its last word ("Teacher Meng"), and what begins
    as a Chinese person's name does and no row holds; `named`: the question names a speaker.
    """
    known = [*_latin(text[:SCANNED], corpus), *_chinese(text[:SCANNED], corpus)]
    if named and not any(known):
        known.append(True)
    return sum(known) / len(known) if known else NOBODY


def _latin(text: str, corpus: Corpus) -> Iterator[bool]:
    """For each run of capitalised words, whether a row or a speaker's name has its last word."""
    found = (name for name in INNER_NAME.findall(text) if not CAPITALISED.issuperset(name.lower().split()))
    names = [stems[-1] for name in found if (stems := terms(name))]
    if names:
        speakers = {stem for words in corpus.speaker_words() for _, stem in words}
        yield from (name in speakers or corpus.postings.frequency(name) > 0 for name in names)


def _chinese(text: str, corpus: Corpus) -> Iterator[bool]:
    """False for each beginning of a Chinese person's name that neither a row nor a speaker's name has.

    One that a row has may be an ordinary word: it says nothing.
    """
    names = set(PERSON.findall(text)) - COMMON
    speakers = [word for words in corpus.speaker_words() for word, stem in words if not stem] if names else []
    for found in names:
        if not corpus.postings.frequency(terms(found)[1]) and not any(found in word for word in speakers):
            yield False
