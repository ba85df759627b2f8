"""Does recall keep silent where there is nothing to say? Questions asked of their own and of another conversation.

    python bench/retrieval/abstention.py --data locomo10.json [--all] [--curve] [--json OUT] [--setting NAME=VALUE ...]

Each question is asked of its own conversation and of the next one in the order of ids (with `--all`, of all others), at
the product's defaults, over LoCoMo and over the bilingual conversations in each language. `wrong_answered` is the share
of askings of a wrong conversation that got any hit, `right_unanswered` that of questions that got none from their own,
`any@10` and `any@10_open` the recall with the default floor and with `recall.floor` 0, `loss` their difference. The BM25
row has no floor: it answers wherever a word is shared. `--curve` adds what other floors would do, by the confidence that
the open run's traces state, at the floors that let 0.5 % to 50 % of the tuning half's wrong askings through.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bilingual
import locomo_data
from locomo import remember
from locomo_data import Question, Sample, tuning

import siltstone
from siltstone import Memory

MOST_ANSWERED, MOST_LOST = 0.05, 0.01
SHARES = (0.5, 0.3, 0.2, 0.1, 0.07, 0.05, 0.04, 0.03, 0.02, 0.01, 0.005)
"""Shares of wrong askings let through, whose floors the curve shows."""
HAIR = 5e-4
"""Half of the last decimal of a stated confidence: lifts a floor just over it."""
K = 10
Ask = Callable[[Question, str], tuple[list[str], float]]
"""(question, conversation asked) → turn ids of at most K hits, best first, and the confidence in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One question asked of one conversation. `gold` is empty where it is not the question's own; `sure` is on [0, 1]."""

    half: str
    gold: frozenset[str]
    hits: tuple[str, ...]
    sure: float = 1.0

    @property
    def right(self) -> bool:
        """Whether the conversation asked is the question's own."""
        return bool(self.gold)

    def answered(self, floor: float = 0.0) -> bool:
        """Whether there is any hit, if nothing is returned below that confidence."""
        return bool(self.hits) and self.sure >= floor

    def found(self, floor: float = 0.0) -> bool:
        """Whether a gold turn is among the hits then."""
        return self.answered(floor) and not self.gold.isdisjoint(self.hits)


def pairs(samples: Sequence[Sample], everywhere: bool) -> Iterator[tuple[Sample, Question, str]]:
    """(a question's sample, the question, the conversation to ask): its own, then the next in id order or all others."""
    names = sorted(sample.id for sample in samples)
    for sample in samples:
        place = names.index(sample.id)
        others = [*names[place + 1 :], *names[:place]]
        for question in sample.questions:
            for name in (sample.id, *(others if everywhere else others[:1])):
                yield sample, question, name


def askings(samples: Sequence[Sample], ask: Ask, everywhere: bool) -> list[Asking]:
    """Every asking with its hits."""
    names = [sample.id for sample in samples]
    done = []
    for sample, question, name in pairs(samples, everywhere):
        hits, sure = ask(question, name)
        half = "tuning" if tuning(sample.id, names) else "held"
        gold = question.gold if name == sample.id else frozenset()
        done.append(Asking(half=half, gold=gold, hits=tuple(hits), sure=sure))
    return done


def asker(memory: Memory, known: Mapping[str, str]) -> Ask:
    """An asker of the engine at its defaults."""

    def ask(question: Question, name: str) -> tuple[list[str], float]:
        recall = memory.retrieve(question.text, user_id=name)
        return [known[hit.id] for hit in recall.hits], recall.trace.get("confidence", 0.0)

    return ask


def plain_asker(samples: Sequence[Sample]) -> Ask:
    """An asker of plain BM25, which is always sure."""
    rankers = {sample.id: bilingual.rank_bm25(sample) for sample in samples}
    return lambda question, name: (rankers[name](question)[:K], 1.0)


def shares(asked: Sequence[Asking], floor: float = 0.0) -> dict[str, float]:
    """`wrong_answered`, `right_unanswered` and any@10 of some askings, were nothing returned below `floor`."""
    right, wrong = [a for a in asked if a.right], [a for a in asked if not a.right]
    return {
        "n": len(right),
        "n_wrong": len(wrong),
        "wrong_answered": sum(a.answered(floor) for a in wrong) / max(len(wrong), 1),
        "right_unanswered": sum(not a.answered(floor) for a in right) / max(len(right), 1),
        "any@10": sum(a.found(floor) for a in right) / max(len(right), 1),
    }


def of_half(asked: Sequence[Asking], half: str) -> list[Asking]:
    """The askings of one half, or of both for "all"."""
    return [a for a in asked if half in ("all", a.half)]


def summary(floored: Sequence[Asking], opened: Sequence[Asking], plain: Sequence[Asking]) -> dict[str, Any]:
    """Ours with the default floor beside the open run, and BM25, for all questions and each half."""
    result: dict[str, Any] = {"ours": {}, "bm25": {}}
    for half in ("all", "tuning", "held"):
        row = shares(of_half(floored, half))
        top = shares(of_half(opened, half))["any@10"]
        result["ours"][half] = row | {"any@10_open": top, "loss": top - row["any@10"]}
        result["bm25"][half] = shares(of_half(plain, half))
    ours = result["ours"]["all"]
    return result | {"reached": ours["wrong_answered"] <= MOST_ANSWERED and ours["loss"] < MOST_LOST}


def curve(opened: Sequence[Asking]) -> list[dict[str, Any]]:
    """What each floor of `SHARES` does in each half; the floor is read off the tuning half's wrong askings alone."""
    wrong = [a for a in of_half(opened, "tuning") if not a.right]
    sure = sorted((a.sure if a.hits else 0.0 for a in wrong), reverse=True)
    points = []
    for share in SHARES:
        floor = sure[min(int(share * len(sure)), len(sure) - 1)] + HAIR
        point: dict[str, Any] = {"floor": floor}
        for half in ("tuning", "held"):
            asked = of_half(opened, half)
            row = shares(asked, floor)
            point[half] = row | {"loss": shares(asked)["any@10"] - row["any@10"]}
        points.append(point)
    return points


def measure(samples: Sequence[Sample], args: argparse.Namespace) -> dict[str, Any]:
    """Remember every conversation once, ask everything with the default floor, without one, and of BM25."""
    settings = dict(item.split("=", 1) for item in args.setting)
    with tempfile.TemporaryDirectory() as folder:
        url, known = f"sqlite:///{folder}/bench.db", {}
        with Memory.open(url, **settings) as memory:
            for sample in samples:
                known |= remember(memory, sample, False)
            floored = askings(samples, asker(memory, known), args.all)
        with Memory.open(url, **settings | {"recall__floor": 0.0}) as memory:
            opened = askings(samples, asker(memory, known), args.all)
    result = summary(floored, opened, askings(samples, plain_asker(samples), args.all))
    return result | ({"curve": curve(opened)} if args.curve else {})


def show(name: str, result: Mapping[str, Any]) -> None:
    """Print one set's rows, in percent, and its curve."""
    keys = ("wrong_answered", "right_unanswered", "any@10", "any@10_open", "loss")
    print(f"\n{name}\n{'':<14}{'n':>6}{'n_wrong':>9}" + "".join(f"{key:>18}" for key in keys))
    for system in ("ours", "bm25"):
        for half, row in result[system].items():
            cells = "".join(f"{100 * row[key]:>18.1f}" if key in row else f"{'':>18}" for key in keys)
            print(f"{system + ' ' + half:<14}{row['n']:>6}{row['n_wrong']:>9}{cells}")
    print(f"at most {MOST_ANSWERED:.0%} answered and less than {MOST_LOST:.0%} lost: {result['reached']}")
    show_curve(result.get("curve", ()))


def show_curve(points: Sequence[Mapping[str, Any]]) -> None:
    """Print what each floor does, the two halves beside each other, in percent."""
    keys = ("wrong_answered", "right_unanswered", "loss")
    if points:
        print(f"{'floor':>8}" + "".join(f"{f'{half} {key}':>24}" for key in keys for half in ("tuning", "held")))
    for point in points:
        cells = "".join(f"{100 * point[half][key]:>24.1f}" for key in keys for half in ("tuning", "held"))
        print(f"{point['floor']:>8.4f}{cells}")


def main() -> int:
    """Run, print, write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    sets = {"locomo": locomo_data.load(args.data)}
    sets |= {f"bilingual {lang}": bilingual.load(bilingual.DATA, told=lang, asked=lang) for lang in ("zh", "en")}
    results: dict[str, Any] = {}
    for name, samples in sets.items():
        results[name] = measure(samples, args)
        show(name, results[name])
    results |= {"data_sha256": locomo_data.SHA256, "version": siltstone.__version__, "settings": args.setting}
    if args.json:
        args.json.write_text(json.dumps(results, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
