"""LoCoMo retrieval: ours beside plain BM25, through the public API only, one user per conversation.

    python bench/retrieval/locomo.py --data locomo10.json [--json OUT] [--unit turn|session] [--captions]
                                     [--ranking OUT] [--score RANKING] [--against RANKING]
                                     [--setting NAME=VALUE ...]

A ranking file whose name ends in `.gz` is packed. bench/retrieval/rankings/ has those of the release.

The JSON holds `ours` and `bm25` → `all`, `1-4`, `1` … `5`, `tuning`, `held` → any@k, fraction@k, all@k, mrr, n.
`--score` scores a ranking file of the exchange format without running the engine. `--against` adds what this run gains
over another ranking file, by a paired bootstrap over questions.
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import metrics
from bm25 import BM25
from locomo_data import CATEGORIES, SHA256, Question, Sample, load, tuning
from report import peak_memory_mb, spread, table

import siltstone
from siltstone import Memory

DEPTH, SESSION_DEPTH = 50, 1000
"""Hits asked for; conversations are judged by all of their turns that were found."""
NAMES = {str(number): name for number, name in CATEGORIES.items()}
Ranker = Callable[[Question], list[str]]


def turn_text(turn, captions: bool) -> str:
    """What may be indexed of a turn: its text, and in the captions row the caption."""
    return f"{turn.text} {turn.caption}".strip() if captions and turn.caption else turn.text


def remember(memory: Memory, sample: Sample, captions: bool, *, reindex: bool = True) -> dict[str, str]:
    """Add a conversation through the public API, a session a call; answers memory id → turn id.

    With `reindex`, what a model makes in the background is made at once.
    """
    known = {}
    for session in sample.dates:
        turns = [turn for turn in sample.turns if turn.session == session]
        messages = [
            {"speaker": turn.speaker, "content": turn_text(turn, captions), "occurred_at": turn.at} for turn in turns
        ]
        kept = [n for n, message in enumerate(messages) if message["content"].strip()]
        receipt = memory.add([messages[n] for n in kept], user_id=sample.id, session_id=f"session_{session}")
        known |= {memory_id: turns[n].id for n, memory_id in zip(kept, receipt.ids, strict=True)}
    if reindex and memory.embedder is not None:
        memory.reindex(user_id=sample.id)
    return known


def rank_ours(memory: Memory, sample: Sample, captions: bool, clock: dict, unit: str = "turn") -> Ranker:
    """A ranker that asks the engine for turns, or for the conversations that its hits come from."""
    began = time.perf_counter()
    known = remember(memory, sample, captions)
    clock["build"] += time.perf_counter() - began

    depth = SESSION_DEPTH if unit == "session" else DEPTH

    def rank(question: Question) -> list[str]:
        began = time.perf_counter()
        recall = memory.retrieve(question.text, user_id=sample.id, top_k=depth)
        clock["queries"].append(1000 * (time.perf_counter() - began))
        if unit == "session":
            return [f"D{session.removeprefix('session_')}" for session in recall.sessions]
        return [known[hit.id] for hit in recall.hits]

    return rank


def rank_bm25(sample: Sample, captions: bool, unit: str) -> Ranker:
    """A ranker of the calibration row: turns, or whole sessions (date and all turns)."""
    texts = {turn.id: f"{turn.speaker}: {turn_text(turn, captions)}" for turn in sample.turns}
    if unit == "session":
        texts = {
            f"D{number}": "\n".join([date, *(texts[turn.id] for turn in sample.turns if turn.session == number)])
            for number, date in sample.dates.items()
        }
    names, index = list(texts), BM25(list(texts.values()))
    return lambda question: [names[place] for place in index.rank(question.text, DEPTH)]


def rolled_up(ranking: Sequence[str]) -> list[str]:
    """Sessions in the order of their best turn; session ids stay."""
    return list(dict.fromkeys(unit.partition(":")[0] for unit in ranking))


def gains(samples: list[Sample], ours: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, tuple]:
    """(difference, lower, upper bound of its 95 % interval) of this run over another one, at turn level, in percent."""
    names = [sample.id for sample in samples]
    found = {}
    for half in ("all", "tuning", "held"):
        asked = [
            question
            for sample in samples
            if half == "all" or tuning(sample.id, names) == (half == "tuning")
            for question in sample.questions
        ]
        for key in ("any@10", "fraction@10", "fraction@25"):
            pair = [
                [metrics.score(run.get(question.key, []), set(question.gold))[key] for question in asked]
                for run in (ours, other)
            ]
            found[f"{half} {key}"] = tuple(round(100 * value, 2) for value in metrics.bootstrap(*pair))
    return found


def evaluate(samples: list[Sample], rankings: dict[str, list[str]], unit: str) -> dict[str, dict[str, float]]:
    """The means over all questions and each group; a question without a ranking is a miss."""
    groups: dict[str, list[dict[str, float]]] = {}
    names = [sample.id for sample in samples]
    for sample in samples:
        half = "tuning" if tuning(sample.id, names) else "held"
        for question in sample.questions:
            gold, ranking = set(question.gold), rankings.get(question.key, [])
            if unit == "session":
                gold, ranking = set(rolled_up(sorted(gold))), rolled_up(ranking)
            row = metrics.score(ranking, gold)
            for group in ("all", str(question.category), half, *(["1-4"] if question.category < 5 else [])):
                groups.setdefault(group, []).append(row)
    return {group: metrics.mean(groups[group]) for group in sorted(groups)}


def measure(samples: list[Sample], args: argparse.Namespace, folder: Path) -> tuple[dict, dict, dict]:
    """(rankings of ours, rankings of BM25, facts about the run)."""
    clock: dict = {"build": 0.0, "queries": []}
    settings = dict(item.split("=", 1) for item in args.setting)
    ours: dict[str, list[str]] = {}
    plain: dict[str, list[str]] = {}
    with Memory.open(f"sqlite:///{folder}/bench.db", **settings) as memory:
        for sample in samples:
            ours_of = rank_ours(memory, sample, args.captions, clock, args.unit)
            rankers = (ours_of, rank_bm25(sample, args.captions, args.unit))
            for question in sample.questions:
                ours[question.key], plain[question.key] = (rank(question) for rank in rankers)
        embedder = " + ".join(model.fingerprint for model in (memory.embedder, memory.parts.second) if model) or "none"
    query_ms = spread(clock["queries"])
    facts = {
        "turns_per_s": sum(len(sample.turns) for sample in samples) / clock["build"],
        "query_ms_p50": query_ms["p50"],
        "query_ms_p95": query_ms["p95"],
        "peak_memory_mb": peak_memory_mb(),
        "bytes_on_disk": sum(file.stat().st_size for file in folder.iterdir()),
        "unanswered": sum(not ranking for ranking in ours.values()),
        "embedder": embedder,
        "settings": settings,
    }
    return ours, plain, facts


def exchange(rankings: dict[str, list[str]], args: argparse.Namespace) -> dict:
    """The ranking file that others can score."""
    answers = {key: rolled_up(ranking) for key, ranking in rankings.items()} if args.unit == "session" else rankings
    head = {"format": "ranking/1", "dataset": "locomo10", "sha256": SHA256, "unit": args.unit}
    return head | {"captions": args.captions, "system": f"siltstone {siltstone.__version__}", "answers": answers}


def read_ranking(path: Path) -> dict:
    """A ranking file, packed or not."""
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def write_ranking(path: Path, ranking: dict) -> None:
    """Write a ranking file; a packed one has the same bytes for the same ranking."""
    data = json.dumps(ranking).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def main() -> int:
    """Run, print, write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--unit", choices=("turn", "session"), default="turn")
    parser.add_argument("--captions", action="store_true")
    parser.add_argument("--ranking", type=Path)
    parser.add_argument("--score", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    samples = load(args.data)
    if args.score:
        given = read_ranking(args.score)
        scored = evaluate(samples, given.get("answers", given), args.unit)
        table(f"{given.get('system', 'ranking file')} ({args.unit} level)", scored, names=NAMES)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        ours, plain, facts = measure(samples, args, Path(folder))
    result = {"ours": evaluate(samples, ours, args.unit), "bm25": evaluate(samples, plain, args.unit)}
    for title, groups in (("plain BM25", result["bm25"]), (f"siltstone {siltstone.__version__}", result["ours"])):
        table(f"{title} ({args.unit} level)", groups, names=NAMES)
    facts |= {"data_sha256": SHA256, "captions": args.captions, "unit": args.unit, "version": siltstone.__version__}
    facts |= {"python": platform.python_version()}
    if args.against:
        other = read_ranking(args.against)
        facts["gains"] = gains(samples, ours, other.get("answers", other))
    print("\n" + json.dumps(facts, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result | {"facts": facts}, indent=1), "utf-8")
    if args.ranking:
        write_ranking(args.ranking, exchange(ours, args))
    return 0


if __name__ == "__main__":
    sys.exit(main())
