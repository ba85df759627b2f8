"""Recall and speed as one user's memory grows: target conversations among ever more turns of other conversations.

    python bench/retrieval/scale.py --data locomo10.json [--rows 10000,100000] [--questions 200] [--copies]
                                    [--plot OUT.png] [--json OUT] [--setting NAME=VALUE ...]

The targets are the held half's conversations, each once; the distractors are the tuning half's turns in sessions of
their own, over and over until the size is reached. From the second time round each turn is spliced from the beginning of
one turn and the end of another, so that no text stands twice, each copy has words of its own to embed, and one near miss
does not fill the whole answer; `--copies` repeats them unchanged instead. The user grows from one size to the next.
Questions are a sample of the targets' (fixed seed) and name nobody's conversation. `build_s` is the time in `add` since
the beginning, `first_ms` the first query after growing, `peak_memory_mb` includes the embedder and excludes BM25.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import locomo_data
import metrics
from bm25 import BM25
from locomo_data import Question, Sample, Turn, tuning
from report import peak_memory_mb, spread

import siltstone
from siltstone import Memory

USER, SEED, DEPTH = "scale", 7, 50
STRIDE = 37
"""How far on in the turns the second half of a spliced one is taken from, times the round."""
Session = tuple[str, tuple[tuple[str, Turn], ...]]
"""Its name, and (unit, turn) in order; the unit of a distractor is ""."""


def targets(samples: Sequence[Sample]) -> list[Session]:
    """The sessions of the held half; units are "<sample>/<turn id>"."""
    names = [sample.id for sample in samples]
    return [
        (f"{sample.id}-{number}", tuple((f"{sample.id}/{turn.id}", turn) for turn in turns))
        for sample in samples
        if not tuning(sample.id, names)
        for number, turns in _sessions(sample)
    ]


def distractors(samples: Sequence[Sample], spliced: bool) -> Iterator[Session]:
    """Sessions of the tuning half without end, each time round under another name, and spliced where asked for."""
    names = [sample.id for sample in samples]
    chosen = [sample for sample in samples if tuning(sample.id, names)]
    texts = [turn.text for sample in chosen for turn in sample.turns]
    for turned in itertools.count():
        place = 0
        for sample in chosen:
            for number, turns in _sessions(sample):
                kept = []
                for turn in turns:
                    other = texts[(place + STRIDE * turned) % len(texts)]
                    kept.append(("", replace(turn, text=splice(turn.text, other)) if spliced and turned else turn))
                    place += 1
                yield f"{sample.id}-{number}-{turned}", tuple(kept)


def _sessions(sample: Sample) -> Iterator[tuple[int, list[Turn]]]:
    for number, turns in itertools.groupby(sample.turns, key=lambda turn: turn.session):
        yield number, list(turns)


def splice(first: str, second: str) -> str:
    """The first half of one text's words with the second half of another's."""
    head, tail = first.split(), second.split()
    return " ".join(head[: (len(head) + 1) // 2] + tail[len(tail) // 2 :])


def questions(samples: Sequence[Sample], count: int) -> list[tuple[Question, set[str]]]:
    """A sample of the held half's questions, each with its gold units; the same for the same count."""
    names = [sample.id for sample in samples]
    asked = [
        (question, {f"{sample.id}/{turn}" for turn in question.gold})
        for sample in samples
        if not tuning(sample.id, names)
        for question in sample.questions
    ]
    return random.Random(SEED).sample(asked, min(count, len(asked)))


class Growing:
    """One user that grows session by session, and the units of what it holds."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.build = memory, 0.0
        self.units: dict[str, str] = {}
        self.texts: list[tuple[str, str]] = []

    def add(self, session: Session, room: int) -> None:
        """Add a session, or as many of its turns as there is room for."""
        name, turns = session
        kept = [(unit, turn) for unit, turn in turns if turn.text.strip()][:room]
        if not kept:
            return
        messages = [{"speaker": turn.speaker, "content": turn.text, "occurred_at": turn.at} for _, turn in kept]
        began = time.perf_counter()
        receipt = self.memory.add(messages, user_id=USER, session_id=name)
        self.build += time.perf_counter() - began
        self.units |= {memory_id: unit for memory_id, (unit, _) in zip(receipt.ids, kept, strict=True)}
        self.texts += [(unit, f"{turn.speaker}: {turn.text}") for unit, turn in kept]

    def grow(self, sessions: Iterator[Session], rows: int) -> None:
        """Add distractors up to `rows` turns."""
        while len(self.texts) < rows:
            self.add(next(sessions), rows - len(self.texts))


def ask_ours(grown: Growing, asked: Sequence[tuple[Question, set[str]]]) -> dict[str, float]:
    """Quality and times of the engine at its present size."""
    scores, times = [], []
    began = time.perf_counter()
    grown.memory.retrieve(asked[0][0].text, user_id=USER)
    first = time.perf_counter() - began
    for question, gold in asked:
        began = time.perf_counter()
        hits = grown.memory.retrieve(question.text, user_id=USER, top_k=DEPTH).hits
        times.append(1000 * (time.perf_counter() - began))
        scores.append(metrics.score([grown.units[hit.id] or hit.id for hit in hits], gold))
    quick = {f"query_ms_{name}": value for name, value in spread(times).items()}
    extra = {"first_ms": 1000 * first, "build_s": grown.build, "peak_memory_mb": peak_memory_mb()}
    return metrics.mean(scores) | quick | extra


def ask_bm25(texts: Sequence[tuple[str, str]], asked: Sequence[tuple[Question, set[str]]]) -> dict[str, float]:
    """The same of plain BM25 over the same turns."""
    began = time.perf_counter()
    index = BM25([text for _, text in texts])
    built = time.perf_counter() - began
    scores, times = [], []
    for question, gold in asked:
        began = time.perf_counter()
        places = index.rank(question.text, DEPTH)
        times.append(1000 * (time.perf_counter() - began))
        scores.append(metrics.score([texts[place][0] or str(place) for place in places], gold))
    quick = {f"query_ms_{name}": value for name, value in spread(times).items()}
    return metrics.mean(scores) | quick | {"build_s": built}


def measure(samples: Sequence[Sample], args: argparse.Namespace) -> dict[str, Any]:
    """Rows → `ours` and `bm25`, the user growing from size to size. Targets stand amid the smallest size's turns."""
    settings = dict(item.split("=", 1) for item in args.setting)
    asked, wanted = questions(samples, args.questions), targets(samples)
    own = sum(len(turns) for _, turns in wanted)
    if args.rows[0] < own:
        raise SystemExit(f"--rows {args.rows[0]} is too few for {own} turns of the targets; give at least {own}")
    result: dict[str, Any] = {}
    others = distractors(samples, not args.copies)
    with tempfile.TemporaryDirectory() as folder, Memory.open(f"sqlite:///{folder}/bench.db", **settings) as memory:
        grown = Growing(memory)
        grown.grow(others, (args.rows[0] - own) // 2)
        for session in wanted:
            grown.add(session, own)
        for rows in args.rows:
            grown.grow(others, rows)
            row = {"ours": ask_ours(grown, asked), "bm25": ask_bm25(grown.texts, asked)}
            disk = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
            result[str(rows)] = row | {"disk_mb": disk}
            show(rows, result[str(rows)])
    return result


def show(rows: int, row: Mapping[str, Any]) -> None:
    """Print one size."""
    for system in ("bm25", "ours"):
        got = row[system]
        quality = "  ".join(f"{key} {100 * got[key]:.1f}" for key in ("any@1", "any@10", "fraction@10", "fraction@25"))
        speed = f"p50 {got['query_ms_p50']:.1f} ms  p95 {got['query_ms_p95']:.1f} ms  build {got['build_s']:.1f} s"
        print(f"{rows:>8,} turns  {system:<5} {quality}  {speed}", flush=True)
    first, peak = row["ours"]["first_ms"], row["ours"]["peak_memory_mb"]
    print(f"{'':>15}first query {first:.0f} ms, peak memory {peak:.0f} MiB, disk {row['disk_mb']:.0f} MB")


def plot(result: Mapping[str, Any], path: Path) -> None:
    """Draw cost (median milliseconds a query, logarithmic) against quality, a line a system, a point a size."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(11, 4), sharex=True)
    for panel, metric in zip(panels, ("any@10", "fraction@10"), strict=True):
        for system, colour in (("bm25", "#9aa5b1"), ("ours", "#2f6f4e")):
            costs = [result[rows][system]["query_ms_p50"] for rows in result]
            heights = [100 * result[rows][system][metric] for rows in result]
            panel.plot(costs, heights, marker="o", label=system, color=colour)
            for rows, cost, height in zip(result, costs, heights, strict=True):
                panel.annotate(f"{int(rows):,}", (cost, height), xytext=(5, 5), textcoords="offset points", fontsize=8)
        panel.set_xscale("log")
        panel.set_xlabel("milliseconds a query (median)")
        panel.set_ylabel(f"{metric}, percent")
        panel.grid(alpha=0.3)
    panels[0].legend()
    figure.suptitle("LoCoMo questions in one user's memory, by its number of turns")
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def main() -> int:
    """Run, print, draw and write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=lambda text: sorted(map(int, text.split(","))), default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--copies", action="store_true")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    result = measure(locomo_data.load(args.data), args)
    if args.plot:
        plot(result, args.plot)
    facts = {"data_sha256": locomo_data.SHA256, "version": siltstone.__version__, "settings": args.setting}
    facts |= {"questions": args.questions, "seed": SEED, "distractors": "copies" if args.copies else "spliced"}
    if args.json:
        args.json.write_text(json.dumps({"rows": result, "facts": facts}, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
