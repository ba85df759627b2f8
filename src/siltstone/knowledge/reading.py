"""Reading by name: what a text names, what a word finds, and what the entities named lead to."""

from __future__ import annotations

from collections.abc import Iterable

from siltstone.domain.graph import Entity, Reached, Walked
from siltstone.knowledge.lens import Lens
from siltstone.knowledge.names import entity_type, name_key, words_of
from siltstone.knowledge.walk import reach
from siltstone.text.tokens import query_terms

MOST_WORDS = 8
MOST_CHARACTERS = 16
SCANNED = 4000


def resolve(lens: Lens, name: str, kind: str | None) -> int:
    """The root that has this id, name or alias; of several the one most spoken of; -1 where there is none."""
    identity = lens.index.identity
    found = identity.number(name)
    if found >= 0 and lens.visible(found):
        return found
    kinds = (entity_type(kind),) if kind else ("entity", "person", "organization", "version")
    numbers = {identity.root[n] for wanted in kinds for n in identity.names.get(name_key(name, wanted), ())}
    fitting = [n for n in numbers if lens.visible(n) and (kind is None or lens.index.nodes[n].type == kinds[0])]
    return max(fitting, key=lambda n: (spoken_of(lens, n), -n), default=-1)


def spoken_of(lens: Lens, root: int) -> int:
    """How often entries mention the root, plus its edges."""
    nodes = [lens.index.nodes[member] for member in lens.index.identity.members(root)]
    return sum(len(node.entries or ()) + len(node.out or ()) + len(node.into or ()) for node in nodes)


def named(lens: Lens, text: str) -> list[int]:
    """The roots that a text names by id, name or alias, as whole words, the longest first where names overlap."""
    found: dict[int, None] = {}
    text = text[:SCANNED]
    for number in _by_id(lens, text):
        found[number] = None
    words = words_of(text).split()
    start = 0
    while start < len(words):
        width, numbers = _longest(lens, words, start)
        for number in numbers:
            found[number] = None
        start += width
    return [number for number in found if lens.visible(number)]


def _by_id(lens: Lens, text: str) -> list[int]:
    """Ids that stand in the text as they are."""
    identity = lens.index.identity
    pieces = (piece.strip(".,;:!?()[]\"'`，。；：！？（）") for piece in text.split())
    return [identity.root[identity.ids[piece]] for piece in pieces if piece in identity.ids]


def _longest(lens: Lens, words: list[str], start: int) -> tuple[int, list[int]]:
    """The longest name that begins at this word: how many words it takes, and the roots that have it."""
    names, root = lens.index.identity.names, lens.index.identity.root
    for width in range(min(MOST_WORDS, len(words) - start), 0, -1):
        numbers = names.get("".join(words[start : start + width]))
        if numbers:
            return width, list(dict.fromkeys(root[number] for number in numbers))
    return 1, _within(lens, words[start])


def _within(lens: Lens, word: str) -> list[int]:
    """The names in a run of text without blanks, the longest first from left to right."""
    if word.isascii():
        return []
    names, root = lens.index.identity.names, lens.index.identity.root
    found: dict[int, None] = {}
    start = 0
    while start < len(word):
        for width in range(min(MOST_CHARACTERS, len(word) - start), 1, -1):
            piece = word[start : start + width]
            if piece in names and not _splits_word(word, start, width):
                found.update(dict.fromkeys(root[number] for number in names[piece]))
                start += width
                break
        else:
            start += 1
    return list(found)


def _splits_word(word: str, start: int, width: int) -> bool:
    """Whether the piece begins or ends within a Latin word or number."""
    before, after = word[start - 1 : start], word[start + width : start + width + 1]
    first, last = word[start], word[start + width - 1]
    return ((before + first).isascii() and len(before) == 1) or ((last + after).isascii() and len(after) == 1)


def search(lens: Lens, text: str, kind: str | None, limit: int) -> list[tuple[Entity, float]]:
    """Nodes whose name, aliases, id or content hold words of the text: the share of the words, best first.

    A node of exactly that name comes first with 1.0.
    """
    exact = resolve(lens, text, kind)
    wanted = set(query_terms(text))
    scores: dict[int, float] = {exact: 1.0} if exact >= 0 else {}
    if wanted:
        for root, terms in lens.index.words().holding(wanted).items():
            if root != exact and (kind is None or lens.index.nodes[root].type == entity_type(kind)):
                scores[root] = len(terms) / len(wanted)
    ranked = sorted(scores, key=lambda root: (-scores[root], root != exact, -spoken_of(lens, root), root))
    return [(lens.entity(root), round(scores[root], 6)) for root in ranked if lens.visible(root)][:limit]


def walked(lens: Lens, starts: Iterable[int], hops: int) -> Walked:
    """What these roots lead to: 1 for themselves, else the walk's score; an entry has that of its best entity."""
    index, first = lens.index, list(starts)
    scores = dict.fromkeys(first, 1.0)
    scores |= {root: reached.score for root, reached in reach(lens, first, hops, "both").items()}
    entries: dict[str, float] = {}
    for root, score in scores.items():
        for entry_id in lens.entries(root):
            entries[entry_id] = max(entries.get(entry_id, 0.0), score)
    return Walked(
        named=tuple(index.nodes[root].id for root in first),
        entities={index.nodes[root].id: score for root, score in scores.items()},
        entries=entries,
    )


def reached(lens: Lens, text: str) -> list[Reached]:
    """The named roots at hop 0, then what they lead to, nearest and strongest first, cut to the lens's limit."""
    starts = named(lens, text) or _holding_all(lens, text)
    found = reach(lens, starts, lens.way.hops, lens.way.direction)
    ranked = sorted(found.items(), key=lambda item: (item[1].hop, -item[1].score, item[0]))
    rows = [(root, 0, 1.0) for root in starts] + [(root, item.hop, item.score) for root, item in ranked]
    return [
        Reached(entity=lens.entity(root), hop=hop, score=score)
        for root, hop, score in rows[: lens.way.limit]
        if hop == 0 or lens.visible(root)
    ]


def _holding_all(lens: Lens, text: str) -> list[int]:
    """The roots whose names or contents hold all words of the text, oldest first."""
    wanted = set(query_terms(text))
    if not wanted:
        return []
    held = lens.index.words().holding(wanted)
    return sorted(root for root, terms in held.items() if len(terms) == len(wanted) and lens.visible(root))
