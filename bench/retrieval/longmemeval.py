"""LongMemEval retrieval under its three protocols: ours beside plain BM25, through the public API, a user a question.

    python bench/retrieval/longmemeval.py --data longmemeval_s_cleaned.json [--roles user|both] [--dev SPLIT]
                                          [--ranking OUT] [--score RANKING] [--json OUT] [--setting NAME=VALUE ...]

One ranking is scored under all protocols; `--roles` says which turns are indexed. Ours ranks turns, and its sessions are
ordered by their best turn; BM25 has an index of turns and one of sessions (their turns joined by a blank). The memory's
clock is set to the date on which each question is asked. `--dev` is a JSON list of ids, or an object whose `dev` is one:
those and the others get rows of their own.

P-OFF: without abstentions and without questions that no turn of the user answers, over the user's turns, ids renamed as
the authors do; sessions, turns, and turns cut to sessions: any@k, all@k, nDCG@k at 5 and 10. P-470: without abstentions,
gold is `answer_session_ids`. P-500: all questions, sessions without a turn of the user left out. The JSON holds, for
`ours` and `bm25`, `P-OFF session`, `P-OFF turn`, `P-OFF turn>session`, `P-470`, `P-500` → group → metric.

`--ranking` writes {question id: [session ids, best first]}; `--score` scores such a file (also wrapped in "answers")
without running the engine. A question that it lacks is a miss.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import longmemeval_data as lme
import metrics
from bm25 import BM25
from longmemeval_data import KNOWN, Question, Session, Turn, load
from report import peak_memory_mb, spread, table

import siltstone
from siltstone import Memory
from siltstone.testing.clock import ManualClock

CUTS = (1, 3, 5, 10, 20, 30, 50)
OFFICIAL_CUTS = (5, 10)
DEPTH = 500
"""Turns asked for, so that at least 20 sessions are among them."""
LEAST = 20
OFFICIAL_KEYS = ("any@5", "all@5", "ndcg@5", "any@10", "all@10", "ndcg@10")
SESSION_KEYS = ("any@1", "any@3", "any@5", "any@10", "any@20", "all@5", "all@10", "fraction@5", "mrr")
Place = tuple[int, int]
"""(position of a session in the haystack, position of a turn in it), from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One system's answer to one question: turns, and sessions by their position in the haystack, best first."""

    turns: tuple[Place, ...] = ()
    sessions: tuple[int, ...] = ()


def indexed(question: Question, roles: Collection[str]) -> list[tuple[Place, Turn]]:
    """The turns that are indexed, with their places."""
    return [
        ((at, place), turn)
        for at, session in enumerate(question.sessions)
        for place, turn in enumerate(session.turns)
        if turn.role in roles and turn.text.strip()
    ]


def rank_ours(memory: Memory, question: Question, roles: Collection[str], clock: dict[str, Any]) -> Ranked:
    """Remember the haystack as a user of its own, a session a call, and ask."""
    known: dict[str, Place] = {}
    began = time.perf_counter()
    for at, turns in itertools.groupby(indexed(question, roles), key=lambda pair: pair[0][0]):
        kept = list(turns)
        messages = [{"role": turn.role, "content": turn.text, "occurred_at": turn.at} for _, turn in kept]
        receipt = memory.add(messages, user_id=question.id, session_id=question.sessions[at].id)
        known |= {memory_id: place for memory_id, (place, _) in zip(receipt.ids, kept, strict=True)}
    clock["build"] += time.perf_counter() - began
    clock["turns"] += len(known)
    began = time.perf_counter()
    hits = memory.retrieve(question.text, user_id=question.id, top_k=DEPTH).hits
    clock["queries"].append(1000 * (time.perf_counter() - began))
    places = tuple(known[hit.id] for hit in hits)
    return Ranked(turns=places, sessions=tuple(dict.fromkeys(at for at, _ in places)))


def rank_bm25(question: Question, roles: Collection[str]) -> Ranked:
    """Plain BM25 over the same turns, and over whole sessions."""
    kept = indexed(question, roles)
    sessions = [" ".join(turn.text for turn in session.turns if turn.role in roles) for session in question.sessions]
    places = BM25([turn.text for _, turn in kept]).rank(question.text, DEPTH)
    return Ranked(
        turns=tuple(kept[place][0] for place in places),
        sessions=tuple(BM25(sessions).rank(question.text, len(sessions))),
    )


def score_official(ranking: Sequence[str], corpus: Sequence[str], *, widen: bool = False) -> dict[str, float]:
    """P-OFF's any@k, all@k and nDCG@k over unit ids; with `widen`, k counts distinct units."""
    gold, row = lme.gold_units(corpus), {}
    for k in OFFICIAL_CUTS:
        depth = lme.widened(ranking, k) if widen else k
        found = len(gold & set(ranking[:depth]))
        row |= {f"any@{k}": float(found > 0), f"all@{k}": float(found == len(gold))}
        row[f"ndcg@{k}"] = lme.ndcg(ranking, corpus, depth)
    return row


def official(question: Question, ranked: Ranked) -> dict[str, dict[str, float]]:
    """The P-OFF rows of one question. Assistant turns in the ranking are no units and drop out."""
    units = [lme.session_unit(session) for session in question.sessions]
    corpus = [lme.turn_unit(session, turn) for session in question.sessions for turn in session.said]
    pairs: list[tuple[Session, Turn]] = [
        (question.sessions[at], question.sessions[at].turns[place]) for at, place in ranked.turns
    ]
    turns = [lme.turn_unit(session, turn) for session, turn in pairs if turn.role == "user"]
    return {
        "P-OFF session": score_official([units[at] for at in ranked.sessions], units),
        "P-OFF turn": score_official(turns, corpus),
        "P-OFF turn>session": score_official([lme.cut(u) for u in turns], [lme.cut(u) for u in corpus], widen=True),
    }


def session_ids(question: Question, ranked: Ranked, *, silent: bool = True) -> list[str]:
    """The distinct session ids, best first; without those in which the user is silent, unless `silent`."""
    sessions = (question.sessions[at] for at in ranked.sessions)
    return list(dict.fromkeys(session.id for session in sessions if silent or session.said))


def by_session(question: Question, ranking: Sequence[str]) -> dict[str, float]:
    """any@k, fraction@k, all@k and MRR over `answer_session_ids`; a question without any is a miss."""
    return metrics.score(ranking, set(question.gold) or {""}, CUTS)


def protocols(question: Question, ranked: Ranked) -> dict[str, dict[str, float]]:
    """The rows of one question under each protocol that scores it."""
    rows = {} if not question.official else official(question, ranked)
    if not question.abstains:
        rows["P-470"] = by_session(question, session_ids(question, ranked))
    rows["P-500"] = by_session(question, session_ids(question, ranked, silent=False))
    return rows


def evaluate(questions: Sequence[Question], answers: Mapping[str, Ranked], dev: Collection[str]) -> dict[str, Any]:
    """Protocol → group (all, each type, dev and held where there is a split) → means."""
    rows: dict[str, dict[str, list[dict[str, float]]]] = {}
    for question in questions:
        groups = ["all", question.kind, *([] if not dev else ["dev" if question.id in dev else "held"])]
        for protocol, row in protocols(question, answers.get(question.id, Ranked())).items():
            for group in groups:
                rows.setdefault(protocol, {}).setdefault(group, []).append(row)
    return {
        protocol: {group: metrics.mean(groups[group]) for group in ("all", *sorted(groups.keys() - {"all"}))}
        for protocol, groups in rows.items()
    }


def show(title: str, result: Mapping[str, Any], turns: bool = True) -> None:
    """Print one system's rows under every protocol; `turns` False leaves out what a file of sessions cannot say."""
    for protocol, groups in result.items():
        if turns or "turn" not in protocol:
            keys = OFFICIAL_KEYS if protocol.startswith("P-OFF") else SESSION_KEYS
            table(f"{title}: {protocol}", groups, keys=keys)


def read_ranking(path: Path, questions: Sequence[Question]) -> dict[str, Ranked]:
    """A ranking file's sessions by their place in the haystack. Raises ValueError for a session that is not in it."""
    given = json.loads(path.read_text("utf-8"))
    given = given.get("answers", given)
    answers = {}
    for question in questions:
        places: dict[str, int] = {}
        for at, session in enumerate(question.sessions):
            places.setdefault(session.id, at)
        ranking = given.get(question.id, [])
        strange = [name for name in ranking if name not in places]
        if strange:
            raise ValueError(f"{path.name} ranks {strange[0]!r}, no session of {question.id!r}; check its data file")
        answers[question.id] = Ranked(sessions=tuple(places[name] for name in dict.fromkeys(ranking)))
    return answers


def measure(questions: Sequence[Question], args: argparse.Namespace) -> tuple[dict[str, Ranked], dict[str, Any]]:
    """Our answers, and facts about the run."""
    clock: dict[str, Any] = {"build": 0.0, "turns": 0, "queries": []}
    settings = dict(item.split("=", 1) for item in args.setting)
    asked_at, ours = ManualClock(), {}
    with tempfile.TemporaryDirectory() as folder:
        opened = Memory.open(f"sqlite:///{folder}/bench.db", **settings)
        with Memory(replace(opened.parts, clock=asked_at)) as memory:
            for question in questions:
                asked_at.set(question.at)
                ours[question.id] = rank_ours(memory, question, args.indexed, clock)
            embedder = memory.embedder.fingerprint if memory.embedder else "none"
        disk = sum(file.stat().st_size for file in Path(folder).iterdir())
    facts = {
        "turns": clock["turns"],
        "turns_per_s": clock["turns"] / max(clock["build"], 1e-9),
        "query_ms": spread(clock["queries"]),
        "peak_memory_mb": peak_memory_mb(),
        "bytes_on_disk": disk,
        "unanswered": sum(not ranked.sessions for ranked in ours.values()),
        f"fewer_than_{LEAST}_sessions": sum(len(ranked.sessions) < LEAST for ranked in ours.values()),
        "embedder": embedder,
        "settings": settings,
    }
    return ours, facts


def main() -> int:
    """Run, print, write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--roles", choices=("user", "both"), default="user")
    parser.add_argument("--dev", type=Path)
    parser.add_argument("--ranking", type=Path)
    parser.add_argument("--score", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    args.indexed = ("user",) if args.roles == "user" else ("user", "assistant")
    questions, digest = load(args.data)
    split = json.loads(args.dev.read_text("utf-8")) if args.dev else []
    dev = frozenset(split["dev"] if isinstance(split, dict) else split)
    if args.score:
        show(args.score.name, evaluate(questions, read_ranking(args.score, questions), dev), turns=False)
        return 0
    plain = {question.id: rank_bm25(question, args.indexed) for question in questions}
    ours, facts = measure(questions, args)
    facts |= {"data": KNOWN.get(digest, "not a published file"), "data_sha256": digest, "roles": args.roles}
    result = {"bm25": evaluate(questions, plain, dev), "ours": evaluate(questions, ours, dev)}
    show("plain BM25", result["bm25"])
    show(f"siltstone {siltstone.__version__}", result["ours"])
    facts |= {"version": siltstone.__version__}
    print("\n" + json.dumps(facts, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result | {"facts": facts}, indent=1), "utf-8")
    if args.ranking:
        ids = {question.id: session_ids(question, ours[question.id]) for question in questions}
        args.ranking.write_text(json.dumps(ids), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
