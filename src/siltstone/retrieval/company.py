"""Company: which entities each entry names, by what was read out of it, and which entries name an entity."""

from __future__ import annotations

from collections.abc import Iterator

from siltstone.domain.records import Record
from siltstone.text.normal import fold, is_cjk

LONGEST = 4
"""Words that the name of an entity in a query may have."""
LONGEST_CJK = 8
SCANNED = 2000


class Company:
    """The names of each entry's entities, aliases included, folded; and for each name the entries that have it."""

    def __init__(self) -> None:
        self.names: dict[str, tuple[str, ...]] = {}
        self.holders: dict[str, set[str]] = {}

    def take(self, record: Record) -> None:
        """Enter what was read out of an entry, in place of what was known of it."""
        self.drop(record.id)
        if record.live:
            entities = record.body.get("entities", ())
            names = (key(str(entity["name"])) for entity in entities)
            self.names[record.id] = tuple(dict.fromkeys(filter(None, names)))
            for name in self.names[record.id]:
                self.holders.setdefault(name, set()).add(record.id)

    def drop(self, entry_id: str) -> None:
        """Forget what was read out of an entry."""
        for name in self.names.pop(entry_id, ()):
            self.holders[name].discard(entry_id)

    def named(self, text: str) -> list[str]:
        """The entities that a text names as whole words, each once; longer ones hide those within them."""
        found: list[str] = []
        folded = fold(text[:SCANNED])
        for name in (*_phrases(folded), *_chinese(folded)):
            if self.holders.get(name) and not any(_within(name, other) for other in found):
                found.append(name)
        return list(dict.fromkeys(found))


def key(name: str) -> str:
    """The form in which names are compared."""
    return "_".join(fold(name).split())


def _phrases(folded: str) -> Iterator[str]:
    words = [word.strip(".,;:!?()[]{}'\"").removesuffix("'s") for word in folded.split()]
    for size in range(LONGEST, 0, -1):
        for at in range(len(words) - size + 1):
            yield "_".join(words[at : at + size])


def _chinese(folded: str) -> Iterator[str]:
    runs = "".join(char if is_cjk(char) else " " for char in folded).split() if not folded.isascii() else []
    for size in range(LONGEST_CJK, 1, -1):
        for run in runs:
            for at in range(len(run) - size + 1):
                yield run[at : at + size]


def _within(name: str, other: str) -> bool:
    return name != other and (f"_{name}_" in f"_{other}_" or (is_cjk(name[0]) and name in other))
