"""How well a turn is decomposed and weighed without a model, against the labelled utterances.

    python bench/beliefs/gate.py [--half tune|held]

Prints, for the decomposer and for a baseline (each sentence is a segment of intensity 0.5, neutral), by language:
vivid F1, Spearman's rank correlation of intensity, valence accuracy, F1 of segment boundaries. How pairs are matched is
said in data/GUIDE.md: a predicted span is right when its intersection over union with a labelled one, both stripped of
punctuation and joining words, is at least 0.75. Intensity and valence count on matched pairs. For vivid F1 a labelled
segment without a partner counts as predicted not vivid, and a vivid prediction without a partner as a false alarm.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from siltstone.domain.beliefs import Segment
from siltstone.formation.decompose import decompose

DATA = Path(__file__).parent / "data" / "gate" / "utterances.jsonl"
VIVID, OVERLAP = 0.6, 0.75
LANGUAGES = ("all", "en", "zh", "mixed")
JOINING = r"(?:and|but|also|btw|by the way|oh and|so|plus|then|不过|另外|然后|就是|对了|顺便说一下|而且|但是?|还有)"
HEAD = re.compile(rf"^(?:[\s\W]+|{JOINING}(?![A-Za-z]))+", re.IGNORECASE)
TAIL = re.compile(r"[\s.,;:!?。，；：！？…~]+$")

Row = dict[str, Any]
Decomposer = Callable[[Row], Sequence[Segment]]


class Pair(NamedTuple):
    """A labelled segment, or None for a surplus prediction, and its prediction, or None where it was missed."""

    label: Row | None
    guess: Segment | None


class Figures(NamedTuple):
    """The four measures, and on how many labelled segments they stand."""

    vivid: float
    spearman: float
    valence: float
    boundaries: float
    segments: int


def ours(row: Row) -> Sequence[Segment]:
    """The package's own decomposition."""
    return decompose(row["text"], prior=row.get("prior"))


def baseline(row: Row) -> Sequence[Segment]:
    """Each sentence is a segment of middling intensity."""
    found = re.finditer(r"[^.!?。！？；;\n]+[.!?。！？；;]*", row["text"])
    spans = [(part.start(), part.end()) for part in found if part[0].strip()]
    return [Segment(text=row["text"][a:b], start=a, end=b, intensity=0.5, valence="neu") for a, b in spans]


def pairs(row: Row, guesses: Sequence[Segment]) -> Iterator[Pair]:
    """Each labelled segment with its best free prediction, then the predictions left over."""
    free = list(guesses)
    for label in row["segments"]:
        best = max(free, key=lambda guess: _overlap(row["text"], label, guess), default=None)
        if best is not None and _overlap(row["text"], label, best) >= OVERLAP:
            free.remove(best)
            yield Pair(label, best)
        else:
            yield Pair(label, None)
    yield from (Pair(None, guess) for guess in free)


def measure(found: Sequence[Pair]) -> Figures:
    """The figures over all pairs of some rows."""
    both = [(pair.label, pair.guess) for pair in found if pair.label is not None and pair.guess is not None]
    labelled = sum(pair.label is not None for pair in found)
    guessed = sum(pair.guess is not None for pair in found)
    right = sum(label["vivid"] and guess.intensity >= VIVID for label, guess in both)
    meant = sum(bool(pair.label and pair.label["vivid"]) for pair in found)
    said = sum(bool(pair.guess and pair.guess.intensity >= VIVID) for pair in found)
    return Figures(
        vivid=_f1(right, said, meant),
        spearman=spearman([label["intensity"] for label, _ in both], [guess.intensity for _, guess in both]),
        valence=sum(label["valence"] == guess.valence for label, guess in both) / max(1, len(both)),
        boundaries=_f1(len(both), guessed, labelled),
        segments=labelled,
    )


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation of the ranks, ties at their mean rank; 0.0 where one side is constant."""
    a, b = _ranks(first), _ranks(second)
    middle = (len(a) + 1) / 2
    cross = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    spread = sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)
    return cross / spread**0.5 if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    at = 0
    while at < len(order):
        same = [i for i in order[at:] if values[i] == values[order[at]]]
        for i in same:
            ranks[i] = at + (len(same) + 1) / 2
        at += len(same)
    return ranks


def _f1(right: int, said: int, meant: int) -> float:
    return 2 * right / (said + meant) if said + meant else 0.0


def _overlap(text: str, label: Row, guess: Segment) -> float:
    (a, b), (c, d) = _core(text, label["start"], label["end"]), _core(text, guess.start, guess.end)
    return max(0, min(b, d) - max(a, c)) / max(1, max(b, d) - min(a, c))


def _core(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space, punctuation and joining words at its ends."""
    head = HEAD.match(text[start:end])
    start += head.end() if head and head.end() < end - start else 0
    tail = TAIL.search(text[start:end])
    return start, start + tail.start() if tail else end


def report(rows: Sequence[Row], way: Decomposer) -> dict[str, Figures]:
    """The figures of one decomposer by language."""
    groups = {lang: [row for row in rows if lang in ("all", row["lang"])] for lang in LANGUAGES}
    return {lang: measure([p for row in group for p in pairs(row, way(row))]) for lang, group in groups.items()}


def main() -> None:
    """Print the table of one half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=("tune", "held"), default="tune")
    half = parser.parse_args().half
    with DATA.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["split"] == half]
    print(f"{half}: {len(rows)} utterances")
    print(f"{'':10}{'':8}{'vivid F1':>10}{'Spearman':>10}{'valence':>10}{'bounds F1':>10}{'segments':>10}")
    for name, way in (("rules", ours), ("baseline", baseline)):
        for lang, figures in report(rows, way).items():
            cells = "".join(f"{value:10.3f}" for value in figures[:-1])
            print(f"{name:10}{lang:8}{cells}{figures.segments:10}")


if __name__ == "__main__":
    main()
