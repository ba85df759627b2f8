"""Voice: a question about a speaker, put as that speaker would say it, before the embedders are asked.

Who speaks of himself names nobody, and who is named is spoken to: "What does Ada paint?" is close to whatever greets
Ada, "What do I paint?" to what Ada says that she paints. docs/decisions/0005 has what it gives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from siltstone.retrieval.corpus import Corpus
from siltstone.text.normal import fold

READ = 2000
"""Characters of a question in which names are looked for."""
EVERYBODY = -1
VERBS = frozenset({"will", "may"})
"""Names that begin a question as a verb."""
WORD = re.compile(r"[^\W\d_][\w-]*")
OWNING = re.compile(r"['’]s\b|(?<=s)['’](?!\w)")
AND = re.compile(r"\s*(?:,|,?\s*\band\b|&)\s*", re.IGNORECASE)
TOGETHER = re.compile(r"\b(?:both|in common|together)\b", re.IGNORECASE)
PRONOUN = re.compile(r"\b(?:he|she|him|his|her|himself|herself)\b")
THEY = re.compile(r"\b(?:they|them|their|themselves)\b")
OURS = {"they": "we", "them": "us", "their": "our", "themselves": "ourselves"}
OWN = {"he": "I", "she": "I", "him": "me", "his": "my", "her": "my", "himself": "myself", "herself": "myself"}


class Mention(NamedTuple):
    """A speaker's name in a text: the speaker's code, where it stands, whether it says what is whose ("Ada's")."""

    speaker: int
    start: int
    end: int
    owning: bool


def mentions(text: str, corpus: Corpus) -> list[Mention]:
    """The capitalised names of the corpus' speakers in the text, in order.

    A word that several speakers have counts only after another word of the name.
    """
    found: list[Mention] = []
    for word in WORD.finditer(text[:READ]):
        if not word[0][0].isupper():
            continue
        folded = fold(word[0])
        speakers = corpus.called(folded)
        owning = OWNING.match(text, word.end())
        start, end = word.start(), owning.end() if owning else word.end()
        if found and found[-1].speaker in speakers and text[found[-1].end : start].isspace():
            last = found.pop()
            found.append(Mention(last.speaker, last.start, end, owning is not None))
        elif len(speakers) == 1 and (text[:start].strip() or folded not in VERBS):
            found.append(Mention(speakers[0], start, end, owning is not None))
    return found


def about(text: str, named: Sequence[int], corpus: Corpus) -> int:
    """The speaker whom the text is about: the only one of those `named`, or the first of them; -1 for none, or several."""
    if len(named) < 2:
        return named[0] if named else EVERYBODY
    found = [mention for mention in mentions(text, corpus) if mention.speaker in named]
    others = [mention for mention in found if mention.speaker != found[0].speaker]
    if not others or TOGETHER.search(text) or re.search(r"\band\b|&", text[found[0].end : others[0].start]):
        return EVERYBODY
    return found[0].speaker


def voiced(text: str, corpus: Corpus) -> str:
    """The text with its first speaker as "I", any other as "you", those whom it joins as "we"; as it is without one."""
    found = _joined(text, mentions(text, corpus))
    speakers = {mention.speaker for mention in found}
    said, at = [], 0
    for mention in found:
        said += [text[at : mention.start], _word(mention, found[0].speaker)]
        at = mention.end
    whole = "".join([*said, text[at:]])
    alone = len(speakers) == 1 and EVERYBODY not in speakers
    if speakers == {EVERYBODY}:
        return THEY.sub(lambda match: OURS[match[0]], whole)
    return PRONOUN.sub(lambda match: OWN[match[0]], whole) if alone else whole


def _joined(text: str, found: list[Mention]) -> list[Mention]:
    """The mentions with each "Ada and Ben" as one of everybody."""
    joined = found[:1]
    for last, mention in pairwise(found):
        if last.speaker != mention.speaker and AND.fullmatch(text, last.end, mention.start):
            start = joined.pop().start
            mention = Mention(EVERYBODY, start, mention.end, mention.owning)
        joined.append(mention)
    return joined


def _word(mention: Mention, first: int) -> str:
    if mention.speaker == EVERYBODY:
        return "our" if mention.owning else "we"
    if mention.speaker == first:
        return "my" if mention.owning else "I"
    return "your" if mention.owning else "you"
