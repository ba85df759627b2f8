"""The same conversations in Chinese and in English: ours beside plain BM25, through the public API only.

    python bench/retrieval/bilingual.py [--data conversations.jsonl] [--lang zh|en|both] [--cross] [--json OUT]
                                        [--setting NAME=VALUE ...]

`--cross` adds the crossings: asked in one language, searched in the other. The JSON holds, for each run (`zh`, `en`,
`zh>en`, `en>zh`), `ours` and `bm25` → `all`, each category, `tuning`, `held` → any@k, fraction@k, all@k, mrr, n; and
`facts`. The BM25 row of Chinese text takes single characters and pairs of neighbours as its words.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import metrics
from bm25 import BM25
from locomo import DEPTH, Ranker, rank_ours
from locomo_data import Question, Sample, Turn, tuning
from report import peak_memory_mb, spread, table

import siltstone
from siltstone import Memory

DATA = Path(__file__).parent / "data" / "bilingual" / "conversations.jsonl"
CATEGORIES = ("single", "multi", "temporal", "paraphrase", "identifier", "adversarial-near")
TARGET, GAP = 0.85, 0.05
CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
Groups = dict[str, dict[str, float]]


def load(path: Path, *, told: str = "zh", asked: str = "zh") -> list[Sample]:
    """The conversations with their turns in the language `told` and their questions in `asked` ("zh" or "en")."""
    lines = path.read_text("utf-8").splitlines()
    return [_sample(json.loads(line), told, asked) for line in lines if line.strip()]


def _sample(item: Mapping[str, Any], told: str, asked: str) -> Sample:
    names = dict(zip(item["speakers"], item["speakers" if told == "zh" else "speakers_en"], strict=True))
    questions = tuple(
        Question(
            key=f"{item['id']}/{place}",
            text=question[asked],
            category=CATEGORIES.index(question["category"]),
            gold=frozenset(question["gold"]),
        )
        for place, question in enumerate(item["questions"])
    )
    turns = tuple(
        turn for number, session in enumerate(item["sessions"], 1) for turn in _turns(session, number, told, names)
    )
    dates = {number: session["date"] for number, session in enumerate(item["sessions"], 1)}
    return Sample(id=item["id"], turns=turns, dates=dates, questions=questions)


def _turns(session: Mapping[str, Any], number: int, told: str, names: Mapping[str, str]) -> list[Turn]:
    start = datetime.fromisoformat(session["date"])
    return [
        Turn(
            id=turn["id"],
            session=number,
            speaker=names[turn["speaker"]],
            text=turn[told],
            caption="",
            at=start + timedelta(seconds=place),
        )
        for place, turn in enumerate(session["turns"])
    ]


def spelled(text: str) -> str:
    """The text with each Chinese character, and each pair of neighbours, spelt as a word that BM25's tokens read."""
    return CHINESE.sub(lambda run: f" {' '.join(_spelt(run.group()))} ", text)


def _spelt(run: str) -> list[str]:
    codes = [str(ord(character)) for character in run]
    return [f"c{code}" for code in codes] + [f"p{a}x{b}" for a, b in itertools.pairwise(codes)]


def rank_bm25(sample: Sample) -> Ranker:
    """A ranker of plain BM25 over turns ("Speaker: text"), Chinese by characters and pairs."""
    index = BM25([spelled(f"{turn.speaker}: {turn.text}") for turn in sample.turns])
    return lambda question: [sample.turns[place].id for place in index.rank(spelled(question.text), DEPTH)]


def evaluate(samples: Sequence[Sample], rankings: Mapping[str, Sequence[str]]) -> Groups:
    """The means over all questions, each category and each half; a question without a ranking is a miss."""
    groups: dict[str, list[dict[str, float]]] = {"all": [], **{name: [] for name in CATEGORIES}}
    names = [sample.id for sample in samples]
    for sample in samples:
        half = "tuning" if tuning(sample.id, names) else "held"
        for question in sample.questions:
            row = metrics.score(rankings.get(question.key, []), set(question.gold))
            for group in ("all", CATEGORIES[question.category], half):
                groups.setdefault(group, []).append(row)
    return {group: metrics.mean(rows) for group, rows in groups.items() if rows}


def measure(samples: Sequence[Sample], settings: Mapping[str, str]) -> dict[str, Any]:
    """Ours and BM25's means, and facts about the run, one user a conversation."""
    clock: dict[str, Any] = {"build": 0.0, "queries": []}
    ours: dict[str, list[str]] = {}
    plain: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, Memory.open(f"sqlite:///{folder}/bench.db", **settings) as memory:
        for sample in samples:
            rankers = (rank_ours(memory, sample, False, clock), rank_bm25(sample))
            for question in sample.questions:
                ours[question.key], plain[question.key] = (rank(question) for rank in rankers)
        embedder = memory.embedder.fingerprint if memory.embedder else "none"
    facts = {
        "turns": sum(len(sample.turns) for sample in samples),
        "turns_per_s": sum(len(sample.turns) for sample in samples) / clock["build"],
        "query_ms": spread(clock["queries"]),
        "peak_memory_mb": peak_memory_mb(),
        "unanswered": sum(not ranking for ranking in ours.values()),
        "embedder": embedder,
    }
    return {"ours": evaluate(samples, ours), "bm25": evaluate(samples, plain), "facts": facts}


def verdict(results: Mapping[str, Any]) -> dict[str, Any]:
    """What the targets are about: Chinese any@10, its distance to English, and whether both suffice."""
    chinese, english = (results[lang]["ours"]["all"]["any@10"] for lang in ("zh", "en"))
    gap = english - chinese
    return {"zh any@10": chinese, "en minus zh": gap, "reached": chinese >= TARGET and gap <= GAP}


def main() -> int:
    """Run, print, write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--lang", choices=("zh", "en", "both"), default="both")
    parser.add_argument("--cross", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    settings = dict(item.split("=", 1) for item in args.setting)
    pairs = [(lang, lang) for lang in (("zh", "en") if args.lang == "both" else (args.lang,))]
    pairs += [("zh", "en"), ("en", "zh")] if args.cross else []
    results: dict[str, Any] = {}
    for asked, told in pairs:
        name = told if asked == told else f"{asked}>{told}"
        results[name] = measure(load(args.data, told=told, asked=asked), settings)
        table(f"{name}: plain BM25", results[name]["bm25"])
        table(f"{name}: siltstone {siltstone.__version__}", results[name]["ours"])
        print(json.dumps(results[name]["facts"]))
    if {"zh", "en"} <= results.keys():
        results["verdict"] = verdict(results)
        print("\n" + json.dumps(results["verdict"]))
    results["data_sha256"] = hashlib.sha256(args.data.read_bytes()).hexdigest()
    results |= {"settings": settings, "version": siltstone.__version__}
    if args.json:
        args.json.write_text(json.dumps(results, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
