"""Three memory providers of Hermes in one run: Keepsake 1.1.1, Hermes' own holographic, and ours on SQLite and on Redis.

    bench/hosts/keepsake.py [--facts shared/data/fact-sets] [--entries 2000] [--json OUT] [--only NAME ...]

Each runs in the same environment (`.ci/host-hermes keepsake` makes it), through the host's own loader and the hooks that
the host calls: `on_memory_write` to store, `prefetch` to recall. The sets are the fact sets, where `--facts` names their
folder, and data/harder.jsonl; the times are of `--entries` synthetic notes and 200 questions about them. Redis runs from
the files that `.ci/servers` fetches; for Keepsake it writes to disk once a second. Some of Keepsake's queries crash the
search module: the server is then started again, the question counts as empty, and the crash is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from servers import free_port, running  # noqa: E402 - found by the line above
from siltstone.hosts.hermes.install import install  # noqa: E402

DATA = Path(__file__).parent / "data" / "harder.jsonl"
SCRIPT = Path(__file__).with_name("contestant.py")
MARK = "measured: "
ASKED = 200
NAMES = ("keepsake", "holographic", "siltstone", "siltstone-redis")
PEOPLE = "Ada Ben Cleo Dan Eva Finn Gus Hana Ivo Jana Kim Leo Mia Ned Olga Pia Quin Rosa Sven Tess".split()
THINGS = "boat bike desk lamp shed van garden server camera piano clock tent canoe drill stove fridge".split()
STATES = "repaired sold painted rented cleaned moved insured borrowed measured replaced".split()
PLACES = "Oslo Rome Lima Cork Bern Riga Graz Nice Faro Brno Ghent Turku Malmo Porto Leeds Izmir".split()
Sets = list[tuple[str, list[str], list[tuple[str, str, str | None]]]]


def harder() -> tuple[list[str], list[tuple[str, str, str | None]]]:
    """The facts and questions of the harder set."""
    lines = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    facts = {line["fact"]: line["text"] for line in lines if "fact" in line}
    questions = [(line["kind"], line["ask"], facts.get(line["gold"])) for line in lines if "kind" in line]
    return list(facts.values()), questions


def fact_set(path: Path) -> tuple[list[str], list[tuple[str, str, str | None]]]:
    """The facts of one template set in their order, and every question of every phrasing."""
    read = json.loads(path.read_text("utf-8"))
    facts = {fact["id"]: fact for fact in read["facts"]}
    questions = [
        (name, template.format(subject=fact["subject"], attribute=fact["attribute"]), fact["text"])
        for name, template in read["phrasings"].items()
        for fact in read["facts"]
    ]
    return [facts[key]["text"] for key in read["insert_order"]], questions


def notes(count: int) -> tuple[list[str], list[str]]:
    """Synthetic notes that all differ, and a question about each of the first."""
    chance = random.Random(7)
    told, questions = [], []
    for number in range(count):
        who, what, state, where = (chance.choice(words) for words in (PEOPLE, THINGS, STATES, PLACES))
        told.append(f"{who} had the {what} number {number} {state} in {where}.")
        questions.append(f"Where did {who} have the {what} number {number} {state}?")
    return told, questions[:ASKED]


def measured(python: Path, name: str, folder: Path, told: Mapping[str, Any]) -> dict[str, Any]:
    """What came of one provider."""
    template = folder / f"{name}-template"
    template.mkdir()
    (template / "config.yaml").write_text("memory: {}\n", "utf-8")
    with _server(name) as port:
        if name.startswith("siltstone"):
            install(template, python=python)
            address = {"url": f"redis://127.0.0.1:{port}/0"} if name == "siltstone-redis" else {}
            (template / "siltstone.json").write_text(json.dumps(address), "utf-8")
        about = {
            "provider": name.partition("-")[0],
            "home": str(folder / name),
            "template": str(template),
            "redis_port": port,
        }
        environ = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "1"}
        environ |= {"KEEPSAKE_REDIS_PORT": str(port)} if name == "keepsake" else {}
        ran = subprocess.run(
            [str(python), "-P", str(SCRIPT)],
            input=json.dumps({**about, **told}),
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
    lines = [line for line in ran.stdout.splitlines() if line.startswith(MARK)]
    if not lines:
        sys.exit(f"{name} failed:\n{(ran.stdout + ran.stderr)[-3000:]}")
    answer: dict[str, Any] = json.loads(lines[-1].removeprefix(MARK))
    return answer


@contextmanager
def _server(name: str) -> Iterator[int | None]:
    """A Redis of its own for a provider that needs one; its port. One that crashes is started again."""
    if name not in ("keepsake", "siltstone-redis"):
        yield None
        return
    port, done = free_port(), threading.Event()
    with running(*(() if name == "siltstone-redis" else ("--appendfsync", "everysec")), port=port) as server:
        watch = threading.Thread(target=_kept_alive, args=(server, done))
        watch.start()
        try:
            yield port
        finally:
            done.set()
            watch.join()


def _kept_alive(server: Any, done: threading.Event) -> None:
    while not done.wait(0.05):
        if server.process.poll() is not None:
            server.start()


def table(results: Mapping[str, Mapping[str, Any]], name: str) -> Iterator[str]:
    """The lines of one set: a kind a line, right answers of each provider, and the empty ones in brackets."""
    kinds = next(iter(results.values()))[name]["kinds"]
    yield f"{name + ': right (empty)':<28}" + "".join(f"{who:>20}" for who in results)
    for kind, row in kinds.items():
        cells = [results[who][name]["kinds"][kind] for who in results]
        yield f"  {kind:<20}{row['questions']:>5} " + "".join(f"{c['right']:>13} ({c['empty']:>3})" for c in cells)
    if any(results[who][name]["crashes"] for who in results):
        yield f"  {'crashes of the server':<26}" + "".join(f"{results[who][name]['crashes']:>20}" for who in results)
    yield f"  {'recall p50, ms':<26}" + "".join(f"{results[who][name]['p50_ms']:>20.2f}" for who in results)


def times(results: Mapping[str, Mapping[str, Any]], entries: int) -> Iterator[str]:
    """The lines of the times."""
    yield f"{f'{entries} notes':<28}" + "".join(f"{who:>20}" for who in results)
    yield f"  {'first store, ms':<26}" + "".join(f"{results[who]['times']['first_ms']:>20.2f}" for who in results)
    for act in ("store", "recall"):
        for figure in ("p50_ms", "p95_ms", "commands", "reads"):
            cells = [results[who]["times"][act][figure] for who in results]
            yield f"  {act + ' ' + figure:<26}" + "".join(f"{cell:>20.2f}" for cell in cells)
    yield f"  {'answered':<26}" + "".join(f"{results[who]['times']['answered']:>20.3f}" for who in results)


def main(given: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, help="folder of the fact sets en.json and zh.json")
    parser.add_argument("--entries", type=int, default=2000)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args(given)
    python = Path(
        subprocess.run(
            [str(ROOT / ".ci/host-hermes"), "keepsake"], check=True, capture_output=True, text=True
        ).stdout.strip()
    )
    sets: Sets = [("harder", *harder())]
    sets += [(name, *fact_set(args.facts / f"{name}.json")) for name in ("en", "zh") if args.facts]
    texts, questions = notes(args.entries)
    told = {"sets": sets, "texts": texts, "questions": questions}
    with tempfile.TemporaryDirectory() as folder:
        results = {name: measured(python, name, Path(folder), told) for name in args.only}
    for name, *_ in sets:
        print("\n".join(table(results, name)), end="\n\n")
    print("\n".join(times(results, args.entries)))
    if args.json:
        args.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
