"""How well statements find their chain: pairwise F1 on the labelled topics, and contradictions told from elaborations.

    python bench/beliefs/chains.py [--embedding static] [--entailment URL] [--json out.json]

All statements of both halves are processed as turns of one user in order of event time, near topics among them; then
each half is scored over all pairs within a language. A statement counts to the chain or cluster that it is in: as it was
processed, and, under "consolidated", after `Memory.consolidate`, which asks no model either.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

from siltstone import Memory
from siltstone.domain.beliefs import Segment
from siltstone.formation import chain, decompose
from siltstone.formation.oracle import Oracle, Unanswered
from siltstone.formation.reading import Beliefs

TOPICS = Path(__file__).parent / "data" / "topics" / "topics.jsonl"
USER = "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One labelled statement."""

    id: str
    text: str
    at: str
    topic: str
    split: str
    lang: str


def load(halves: tuple[str, ...]) -> list[Said]:
    """The statements of these halves in order of event time."""
    rows = [json.loads(line) for line in TOPICS.read_text("utf-8").splitlines()]
    found = [
        Said(id=s["id"], text=s["text"], at=s["occurred_at"], topic=t["topic"], split=t["split"], lang=t["lang"])
        for t in rows
        if t["split"] in halves
        for s in t["statements"]
    ]
    return sorted(found, key=lambda said: (said.at, said.id))


def processed(memory: Memory, statements: list[Said]) -> dict[str, str]:
    """Statement id → the id of its turn, after all were processed."""
    return {said.id: memory.process(said.text, user_id=USER, occurred_at=said.at).id for said in statements}


def groups(memory: Memory, turns: dict[str, str]) -> dict[str, str]:
    """Statement id → the name of the chain or cluster that it is in now."""
    read = memory.beliefs.read(USER)
    home = {s.id: cluster.id for cluster in read.pool() for s in cluster.statements}
    for made in read.chains():
        home |= {s.id: made.id for s in made.reinforcing}
        home |= {s.id: made.id for episode in made.episodes for s in episode.statements}
    return {name: _home(read, home, turn) for name, turn in turns.items()}


def _home(read: Beliefs, home: dict[str, str], turn: str) -> str:
    """Where a turn's first statement is; a turn without one stands alone."""
    return next((home[s.id] for s in read.of_turn(turn) if s.id in home), turn)


def pairwise(statements: list[Said], found: dict[str, str]) -> dict[str, float]:
    """Precision, recall and F1 over all pairs of statements within a language."""
    right = Counter((s.lang, s.topic, found[s.id]) for s in statements)
    said = Counter((s.lang, found[s.id]) for s in statements)
    true = Counter((s.lang, s.topic) for s in statements)
    hits, claimed, wanted = (sum(comb(n, 2) for n in count.values()) for count in (right, said, true))
    precision, recall = hits / max(claimed, 1), hits / max(wanted, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"f1": round(f1, 3), "precision": round(precision, 3), "recall": round(recall, 3)}


def relations(memory: Memory, half: str) -> dict[str, int]:
    """How many labelled contradictions would supersede within a chain, and how many elaborations would."""
    counts: Counter[str] = Counter()
    oracle = Oracle(judge=memory.parts.judge)
    for topic in map(json.loads, TOPICS.read_text("utf-8").splitlines()):
        for item in topic["statements"] if topic["split"] == half else ():
            if "relation" in item:
                pair = (topic["statements"][item["relation"]["to"]]["text"], item["text"])
                kind = item["relation"]["kind"]
                counts[kind] += 1
                counts[f"{kind}_supersedes"] += takes_back(*pair, oracle)
    return dict(counts)


def takes_back(earlier: str, later: str, oracle: Oracle) -> bool:
    """`chain.takes_back`, with whoever has to be asked asked."""
    while True:
        try:
            return chain.takes_back(earlier, later, oracle)
        except Unanswered as missing:
            oracle.ask(missing.question)


def whole(text: str, *, speaker: str | None, prior: str | None) -> list[Segment]:
    """The text as one weak statement: what chains are worth when decomposition is left out."""
    return [Segment(text=text, start=0, end=len(text), intensity=0.3)]


def measure(settings: dict[str, Any], halves: tuple[str, ...]) -> dict[str, Any]:
    """The figures under these settings."""
    statements = load(halves)
    with Memory.open("memory://", **settings) as memory:
        turns = processed(memory, statements)
        report: dict[str, Any] = {"statements": len(statements), **scored(memory, statements, turns)}
        memory.consolidate(user_id=USER)
        report["consolidated"] = scored(memory, statements, turns)
        report["relations"] = {half: relations(memory, half) for half in halves}
    return report


def scored(memory: Memory, statements: list[Said], turns: dict[str, str]) -> dict[str, Any]:
    """How many chains there are, and the figures of each half, together and by language."""
    found = groups(memory, turns)
    report: dict[str, Any] = {"chains": len(memory.beliefs.chains(user_id=USER))}
    for half in sorted({said.split for said in statements}):
        mine = [said for said in statements if said.split == half]
        report[half] = {"all": pairwise(mine, found)}
        report[half] |= {lang: pairwise([s for s in mine if s.lang == lang], found) for lang in ("en", "zh")}
    return report


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedding", default="auto", help="the embedder: auto, static, minilm, e5, none")
    parser.add_argument(
        "--entailment", default="", metavar="URL", help="a /predict server that judges in place of rules"
    )
    parser.add_argument("--whole", action="store_true", help="take each turn as one weak statement")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    if options.whole:
        decompose.decompose = whole
    settings = {"embedding__provider": options.embedding, "entailment__base_url": options.entailment}
    report = {
        "together": measure(settings, ("tune", "held")),
        **{half: measure(settings, (half,)) for half in ("tune", "held")},
    }
    text = json.dumps(report, indent=2)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
