"""The user's table of synonyms: what is told, accepted, found and taken away. Decisions, as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from siltstone.domain.events import SYNONYMS_CHANGED, Draft
from siltstone.domain.records import Record
from siltstone.domain.upkeep_fold import SYNONYMS
from siltstone.errors import InvalidInput
from siltstone.ports.stores import Decide, View
from siltstone.retrieval.indexes import indexed
from siltstone.retrieval.synonyms import word_key
from siltstone.text import checks
from siltstone.text.tokens import query_terms
from siltstone.upkeep import discovery
from siltstone.upkeep.report import Action, Suggestion
from siltstone.upkeep.work import Work

NAME = "synonyms"
TOLD, ACCEPTED, FOUND = "told", "accepted", "found"
MOST_WORDS = 64


def checked_words(word: str, words: str | Sequence[str]) -> tuple[str, list[str]]:
    """The word and its synonyms in the form in which they are kept. Raises InvalidInput where one cannot be looked for."""
    given = [words] if isinstance(words, str) else list(words)
    key, others = _key(word), list(dict.fromkeys(map(_key, given)))
    others = [item for item in others if item != key]
    if len(others) > MOST_WORDS:
        raise InvalidInput(f"{word!r} has {len(others)} synonyms; give at most {MOST_WORDS}")
    return key, others


def _key(word: object) -> str:
    named = checks.name("a synonym", word)
    if named is None or not query_terms(named):
        raise InvalidInput(f"the synonym {word!r} holds no word; give a word or a short phrase")
    return word_key(named)


def table(records: Iterable[Record]) -> dict[str, tuple[str, ...]]:
    """The table as it is: each word with its synonyms, in order of the words."""
    found = {record.id: tuple(record.body["words"]) for record in records if record.kind == SYNONYMS and record.live}
    return dict(sorted(found.items()))


def replaced(draft: Draft, word: str, words: Sequence[str], source: str) -> Decide:
    """The word has these synonyms and no others; nothing where it has them already."""

    def decide(view: View) -> Sequence[Draft]:
        return _changed(draft, view, word, list(words), source)

    return decide


def extended(draft: Draft, word: str, words: Sequence[str], source: str) -> Decide:
    """The word has these synonyms too."""

    def decide(view: View) -> Sequence[Draft]:
        have = _words(view, word)
        return _changed(draft, view, word, list(dict.fromkeys([*have, *words])), source)

    return decide


def removed(draft: Draft, word: str, words: Sequence[str]) -> Decide:
    """The word loses these synonyms; all of them where none is named."""

    def decide(view: View) -> Sequence[Draft]:
        have = _words(view, word)
        if not have:
            raise InvalidInput(f"{word!r} has no synonyms; list them with: siltstone synonyms list")
        return _changed(draft, view, word, [item for item in have if words and item not in words], TOLD)

    return decide


def _words(view: View, word: str) -> list[str]:
    record = view.get(SYNONYMS, word)
    return list(record.body["words"]) if record is not None and record.live else []


def _changed(draft: Draft, view: View, word: str, words: list[str], source: str) -> Sequence[Draft]:
    if words == _words(view, word):
        return ()
    payload = {"word": word, "words": words, "source": source}
    return (Draft(id=draft.id, kind=SYNONYMS_CHANGED, at=draft.at, payload=payload),)


def suggested(work: Work) -> list[Suggestion]:
    """The pairs with evidence that the table does not have yet."""
    records = list(work.partition.records())
    texts = {record.id: str(record.body["text"]) for record in records if record.live and "text" in record.body}
    return discovery.suggestions(indexed(work.partition), texts, table(records), work.settings.synonyms)


def discover(work: Work) -> list[Action]:
    """Suggest; with `synonyms.automatic` accept those with the surest evidence: together, and alike apart."""
    done = []
    for item in suggested(work):
        sure = item.kind == discovery.TOGETHER and item.likeness >= discovery.SURE
        accepted = work.settings.synonyms.automatic and sure
        if accepted and not work.dry_run:
            word, others = checked_words(item.word, item.other)
            work.partition.commit(extended(work.draft(SYNONYMS_CHANGED, {}), word, others, FOUND))
        reason = "accepted" if accepted else "suggested: siltstone synonyms accept"
        done.append(Action(ids=(), reason=reason, text=_said(item)))
    return done


def _said(item: Suggestion) -> str:
    return f"{item.word} ~ {item.other} ({item.kind} {item.jaccard:.2f}, likeness {item.likeness:.2f})"


def by_word(found: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Rows for a table on a screen."""
    return [[word, ", ".join(words)] for word, words in found.items()]
