"""The weights of the floor, fitted anew: what a memory's grounds for an answer say of whether it has one.

    python bench/retrieval/calibration.py --data locomo10.json [--sets locomo,en,zh,zh>en] [--size 0.5] [--floors 0.2,0.3]
                                          [--setting NAME=VALUE ...] [--json OUT]

Each question is asked of its own conversation and of the next one (`full`), of the session that has its first gold turn
and of one of the other conversation's (`session`), and of memories of one, three and eight turns around that turn, which
are also asked a question of another conversation (`t1`, `t3`, `t8`); those with a speaker's name also without it
(`full-`, `session-`, `t3-`). `Recall.trace["grounds"]` of the tuning halves go into a logistic regression with L2, in
which each kind of memory and each answer weighs the same, and ln(1 + rows) has the coefficient −`--size`. Printed: weights,
constant, and for each floor the share of wrong askings that pass and of right answers that are lost, for each kind of memory.
With MiniLM it takes some 25 minutes: 35,000 texts are embedded and 33,000 questions asked.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bilingual
import locomo_data
import numpy as np
from locomo import remember
from locomo_data import Question, Sample, Turn, tuning

from siltstone import Memory

NAMES = ("covered", "names", "meaning", "sense")
SIZES = (1, 3, 8)
L2, STEPS = 1e-3, 60
MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One question asked of one memory: its kind, the grounds (None: nothing was found), whether a gold turn is a hit."""

    kind: str
    tuned: bool
    right: bool
    found: bool
    grounds: dict[str, float] | None
    rows: int


def bare(question: Question, sample: Sample) -> Question:
    """The question with the speakers of its conversation as "I" and "my"."""
    text = question.text
    for name in {turn.speaker for turn in sample.turns}:
        text = re.sub(rf"\b{re.escape(name)}['’]s", "my", text)
        text = re.sub(rf"\b{re.escape(name)}\b", "I", text)
    return replace(question, text=text)


class Memories:
    """The memories that are asked, each a user of one store; filled when first named. `known`: memory id → turn id."""

    def __init__(self, memory: Memory, samples: Sequence[Sample]) -> None:
        self.memory, self.known, self._made = memory, dict[str, str](), set[str]()
        for sample in samples:
            self.known |= remember(memory, sample, False)

    def of(self, sample: Sample, turns: Sequence[Turn], name: str) -> str:
        """The user whose memory is these turns of one session."""
        user = f"{sample.id}/{name}"
        if user not in self._made:
            self._made.add(user)
            part = replace(
                sample, id=user, turns=tuple(turns), dates={turns[0].session: sample.dates[turns[0].session]}
            )
            self.known |= remember(self.memory, part, False)
        return user

    def session(self, sample: Sample, number: int) -> str:
        """The user whose memory is one session."""
        return self.of(sample, [turn for turn in sample.turns if turn.session == number], f"s{number}")

    def near(self, sample: Sample, question: Question, count: int) -> str:
        """The user whose memory is so many turns, the first gold one among them, of its session."""
        places = {turn.id: place for place, turn in enumerate(sample.turns)}
        gold = min(places[key] for key in question.gold if key in places)
        start = max(0, gold - random.Random(zlib.crc32(question.key.encode()) + count).randrange(count))
        turns = [turn for turn in sample.turns[start : start + count] if turn.session == sample.turns[gold].session]
        return self.of(sample, turns, f"t{count}/{start}")


def plan(memories: Memories, samples: Sequence[Sample]) -> Iterator[tuple[str, Sample, str, Question, bool]]:
    """(kind of memory, the question's sample, user, question, whether it is the question's own memory)."""
    for place, sample in enumerate(samples):
        other = samples[(place + 1) % len(samples)]
        ids = {turn.id: turn.session for turn in sample.turns}
        for question in sample.questions:
            own = [ids[key] for key in sorted(question.gold) if key in ids]
            if not own:
                continue
            chance = random.Random(zlib.crc32(question.key.encode()))
            strange = chance.choice([item for item in other.questions if item.gold])
            wrong = memories.session(other, chance.choice(list(other.dates)))
            asked = [("", question, strange)]
            plain = bare(question, sample)
            asked += [("-", plain, bare(strange, other))] if plain.text != question.text else []
            for mark, mine, theirs in asked:
                yield f"full{mark}", sample, sample.id, mine, True
                yield f"full{mark}", sample, other.id, mine, False
                yield f"session{mark}", sample, memories.session(sample, own[0]), mine, True
                yield f"session{mark}", sample, wrong, mine, False
                for count in SIZES if not mark else (3,):
                    user = memories.near(sample, question, count)
                    yield f"t{count}{mark}", sample, user, mine, True
                    yield f"t{count}{mark}", sample, user, theirs, False


def ask(samples: Sequence[Sample], settings: dict[str, Any]) -> list[Asking]:
    """Every asking of one set, with the floor switched off."""
    samples = sorted(samples, key=lambda sample: sample.id)
    names, asked = [sample.id for sample in samples], []
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(f"sqlite:///{folder}/bench.db", **settings | {"recall__floor": 0.0}) as memory,
    ):
        memories = Memories(memory, samples)
        for kind, sample, user, question, right in plan(memories, samples):
            recall = memory.retrieve(question.text, user_id=user)
            hits = {memories.known[hit.id] for hit in recall.hits}
            asked.append(
                Asking(
                    kind=kind,
                    tuned=tuning(sample.id, names),
                    right=right,
                    found=right and not question.gold.isdisjoint(hits),
                    grounds=dict(recall.trace["grounds"]) if recall.hits else None,
                    rows=recall.trace["rows"],
                )
            )
    return asked


def table(asked: Sequence[Asking], names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The grounds, shape (askings, names), 0 where nothing was found, and ln(1 + rows)."""
    values = np.array([[(item.grounds or {}).get(name, 0.0) for name in names] for item in asked])
    return values, np.log1p(np.minimum([item.rows for item in asked], MOST_ROWS))


def fit(sets: Sequence[Sequence[Asking]], names: Sequence[str], size: float) -> tuple[np.ndarray, float]:
    """Weights and constant: Newton's method on the weighted log-likelihood of the tuning halves."""
    chosen = [[item for item in asked if item.tuned] for asked in sets]
    parts = [table(asked, names) for asked in chosen]
    values = np.concatenate([part[0] for part in parts])
    offset = -size * np.concatenate([part[1] for part in parts])
    right = np.array([item.right for asked in chosen for item in asked], float)
    weight = np.concatenate([shares(asked) for asked in chosen])
    weight *= len(weight) / weight.sum()
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    rows = np.c_[(values - mean) / spread, np.ones(len(values))]
    found = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(rows @ found + offset, -30, 30)))
        curve = (rows * (weight * likely * (1 - likely) + 1e-6)[:, None]).T @ rows / len(rows) + L2 * np.eye(len(found))
        slope = rows.T @ (weight * (likely - right)) / len(rows) + L2 * found
        found -= np.clip(np.linalg.solve(curve, slope), -2, 2)
    return found[:-1] / spread, float(found[-1] - (found[:-1] * mean / spread).sum())


def shares(asked: Sequence[Asking]) -> np.ndarray:
    """A weight for each asking, so that each kind of memory and each answer weighs the same."""
    counts = Counter((item.kind, item.right) for item in asked)
    return np.array([1 / counts[item.kind, item.right] for item in asked])


def passes(asked: Sequence[Asking], logits: np.ndarray, floor: float) -> dict[str, dict[str, tuple[float, float]]]:
    """kind → half → (share of wrong askings that pass, share of right askings whose answer is lost)."""
    answered = np.array([item.grounds is not None for item in asked]) & (1 / (1 + np.exp(-logits)) >= floor)
    result: dict[str, dict[str, tuple[float, float]]] = {}
    for kind in dict.fromkeys(item.kind for item in asked):
        for half in ("tuning", "held"):
            here = [n for n, item in enumerate(asked) if item.kind == kind and item.tuned == (half == "tuning")]
            wrong = [answered[n] for n in here if not asked[n].right]
            lost = [asked[n].found and not answered[n] for n in here if asked[n].right]
            result.setdefault(kind, {})[half] = float(np.mean(wrong or [0])), float(np.mean(lost or [0]))
    return result


def crossing(name: str) -> list[Sample]:
    """The bilingual set in one language, or asked in one and told in the other ("zh>en")."""
    asked, _, told = name.partition(">")
    return bilingual.load(bilingual.DATA, told=told or asked, asked=asked)


def main() -> int:
    """Ask, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", default="locomo,en")
    parser.add_argument("--size", type=float, default=0.5)
    parser.add_argument("--floors", default="0.2,0.25,0.3,0.35")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    settings: dict[str, Any] = dict(item.split("=", 1) for item in args.setting)
    names = args.sets.split(",")
    loaded = {name: locomo_data.load(args.data) if name == "locomo" else crossing(name) for name in names}
    sets = {name: ask(samples, settings) for name, samples in loaded.items()}
    used = [name for name in NAMES if any(name in (item.grounds or {}) for asked in sets.values() for item in asked)]
    weights, base = fit(list(sets.values()), used, args.size)
    result: dict[str, Any] = {
        "weights": dict(zip(used, weights.round(2).tolist(), strict=True)),
        "base": round(base, 2),
    }
    print(f"{result}, size {args.size}; wrong askings that pass / right answers lost, in percent")
    for floor in map(float, args.floors.split(",")):
        for name, asked in sets.items():
            values, rows = table(asked, used)
            shown = passes(asked, values @ weights + base - args.size * rows, floor)
            result[f"{name} at {floor}"] = shown
            for half in ("tuning", "held"):
                cells = [f"{kind} {100 * v[half][0]:.0f}/{100 * v[half][1]:.1f}" for kind, v in shown.items()]
                print(f"{floor:.2f} {name:<8}{half:<8}{'  '.join(cells)}")
    if args.json:
        args.json.write_text(json.dumps(result | {"settings": args.setting}, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
