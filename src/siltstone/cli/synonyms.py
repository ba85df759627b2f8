"""siltstone synonyms: the words that stand for each other in a query."""

from __future__ import annotations

from typing import Annotated

import typer

from siltstone.cli import exits
from siltstone.cli.command import Run, Work, command
from siltstone.cli.documents import document

app = typer.Typer(name="synonyms", help="Words that stand for each other in a query.", no_args_is_help=True)

Word = Annotated[str, typer.Argument(metavar="WORD", help="A word or a short phrase.")]
Words = Annotated[list[str], typer.Argument(metavar="SYNONYM...", help="Words that say the same.")]
Some = Annotated[list[str] | None, typer.Argument(metavar="[SYNONYM...]", help="Only these; else all of the word.")]


def set_(run: Run, word: Word, words: Words) -> None:
    """Give a word its synonyms, in place of those that it had.

    A query for one of them finds the others too, after what holds the word itself.
    """
    with run.memory() as memory:
        found = memory.upkeep.set_synonyms(word, words, user_id=run.user)
    _show(run, word, found)


def list_(run: Run) -> int:
    """List the table. Exits with 1 where it is empty."""
    with run.memory() as memory:
        found = memory.upkeep.synonyms(user_id=run.user)
    if run.screen.json:
        run.screen.document({"synonyms": found})
    else:
        run.screen.table(("word", "synonyms"), [[word, ", ".join(words)] for word, words in found.items()])
    return exits.OK if found else exits.NOTHING_FOUND


def remove(run: Run, word: Word, words: Some = None) -> None:
    """Take synonyms away from a word, or all of them."""
    with run.memory() as memory:
        found = memory.upkeep.remove_synonyms(word, words or (), user_id=run.user)
    _show(run, word, found)


def discover(run: Run) -> int:
    """Suggest pairs of words, with the evidence; nothing is changed.

    `accept` takes one over. Exits with 1 where nothing is suggested.
    """
    with run.memory() as memory:
        found = memory.upkeep.discover_synonyms(user_id=run.user)
    if run.screen.json:
        run.screen.document({"suggestions": document(found)})
    else:
        rows = [
            [item.word, item.other, item.kind, f"{item.jaccard:.2f}", f"{item.likeness:.2f}", str(item.together)]
            for item in found
        ]
        run.screen.table(("word", "other", "evidence", "jaccard", "likeness", "together"), rows)
    return exits.OK if found else exits.NOTHING_FOUND


def accept(run: Run, word: Word, words: Words) -> None:
    """Add suggested synonyms to a word."""
    with run.memory() as memory:
        found = memory.upkeep.accept_synonyms(word, words, user_id=run.user)
    _show(run, word, found)


def words_(run: Run) -> int:
    """List the Chinese words that the user's own memories show to be words.

    Exits with 1 where there is none.
    """
    with run.memory() as memory:
        found = memory.upkeep.dictionary(user_id=run.user)
    if run.screen.json:
        run.screen.document({"words": dict(found)})
    else:
        run.screen.table(("word", "count"), [[word, str(count)] for word, count in found])
    return exits.OK if found else exits.NOTHING_FOUND


def _show(run: Run, word: str, words: tuple[str, ...]) -> None:
    if run.screen.json:
        run.screen.document({"word": word, "synonyms": list(words)})
    else:
        run.screen.line(f"{word}: {', '.join(words) or 'no synonyms'}")


COMMANDS: dict[str, Work] = {
    "set": set_,
    "list": list_,
    "remove": remove,
    "discover": discover,
    "accept": accept,
    "words": words_,
}
for name, work in COMMANDS.items():
    app.command(name)(command(work))
