"""What the plugin adds to a turn of a real Bub: time, and tokens, beside the same Bub without it in the same run.

    python bench/hosts/bub.py --bub PATH/TO/PYTHON --stubs FOLDER [--turns N] [--long N] [--json FILE]

`--bub` is the Python of the Bub environment (`.ci/host-bub` prints it), `--stubs` the folder of `openai_stub.py`. Turns
alternate between the modes, so that a busy machine is as busy for each: without the plugin, with it, and with it and a
model that takes three seconds to read. First turns are those of fresh processes. The long run has 200 turns, in each of
which the model reads five facts.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DRIVER = ROOT / "tests" / "hosts" / "bub" / "driver.py"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from hosts.bub.conftest import Bub, block_of, nothing_read, reads  # noqa: E402
from siltstone.text.tokencount import estimate_tokens  # noqa: E402

SLOW = 3.0
QUESTIONS = ("What did person {n} say about the roof?", "Who works on task {n}?", "Thanks, please go on with step {n}.")


@contextmanager
def process(python: str, folder: Path) -> Iterator[Any]:
    """A fresh process with a Bub in it; how to have it do a step."""
    environment = {**os.environ, "HOME": str(folder), "BUB_HOME": str(folder / "none")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling the sources anew each time is nobody's first turn
    with (folder / "stderr.txt").open("a") as errors:
        command = [python, str(DRIVER)]
        running = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert running.stdin is not None and running.stdout is not None

        def step(do: str, **given: Any) -> Any:
            assert running.stdin is not None and running.stdout is not None
            print(json.dumps({"do": do, **given}), file=running.stdin, flush=True)
            answer = json.loads(running.stdout.readline())
            if "error" in answer:
                raise RuntimeError(answer["error"])
            return answer["ok"]

        yield step
        running.stdin.close()
        running.wait(30)


def opened(step: Any, stub: Any, folder: Path, name: str, *, plugin: bool) -> Bub:
    """A Bub of that name with a home of its own, running."""
    host = Bub(step=step, stub=stub, home=folder / name, workspace=folder / f"{name}-ws")
    host.open(plugin=plugin)
    return host


def steady(python: str, stubs: Any, folder: Path, turns: int, delay: float) -> dict[str, list[float]]:
    """Seconds of each turn without the plugin and with it, in turns; a model that reads takes `delay` seconds.

    The first two turns of each are left out. Where reading does not take its time, it is waited for between turns, so
    that its work does not count as the other mode's.
    """
    taken: dict[str, list[float]] = {"without": [], "with": []}
    with stubs(rules=[nothing_read(delay=delay)]) as stub, process(python, folder) as a, process(python, folder) as b:
        hosts = {
            "without": opened(a, stub, folder, f"without-{delay}", plugin=False),
            "with": opened(b, stub, folder, f"with-{delay}", plugin=True),
        }
        for n in range(turns + 2):
            for name, host in hosts.items():
                text = QUESTIONS[n % 3].format(n=n) + f" Person {n} mended the roof with task {n}."
                seconds = host.say(text, session=f"s{n // 10}", settle=False)["seconds"]
                if name == "with" and not delay:
                    host.settle()
                if n >= 2:
                    taken[name].append(seconds)
    return taken


def first(python: str, stubs: Any, folder: Path, rounds: int) -> dict[str, list[float]]:
    """Seconds of the first turn of a fresh process, by mode; with the plugin there is a memory to recall from."""
    taken: dict[str, list[float]] = {"without": [], "with": []}
    with stubs(rules=[nothing_read()]) as stub:
        for n in range(rounds + 1):
            for name in taken:
                with process(python, folder) as step:
                    host = opened(step, stub, folder, f"first-{name}", plugin=name == "with")
                    seconds = host.say("What did Alice do about the roof? Alice mended it.", settle=False)["seconds"]
                    host.close()
                if n:  # the first round makes the memory
                    taken[name].append(seconds)
    return taken


def long_run(python: str, stubs: Any, folder: Path, turns: int) -> dict[str, Any]:
    """Tokens of the block in each turn, five facts a turn having been read before."""
    with stubs() as stub, process(python, folder) as step:
        host = opened(step, stub, folder, "long", plugin=True)
        for n in range(turns):
            things = [{"id": f"t{k}", "type": "task", "name": f"task {n}-{k} of the roof terrace"} for k in range(5)]
            edges = [{"from": "alice", "to": f"t{k}", "type": "works_on"} for k in range(5)]
            alice = {"id": "alice", "type": "person", "name": "Alice"}
            stub.rules = [reads({"entities": [alice, *things], "relations": edges})]
            host.say(f"What does Alice do next? She took on five tasks of the roof terrace, batch {n}.", f"s{n // 20}")
        blocks = [block_of(body) for body in host.asked]
        tokens = [estimate_tokens(block) for block in blocks]
        return {
            "turns": turns,
            "facts": host.python("answer = plugin.engine.memory().graph.stats(user_id=plugin.user)['edge_count']"),
            "tokens_largest": max(tokens, default=0),
            "tokens_last": tokens[-1] if tokens else 0,
            "characters_largest": max(map(len, blocks), default=0),
            "log": host.log,
        }


def added(taken: dict[str, list[float]]) -> dict[str, float]:
    """Milliseconds that a turn takes more than Bub alone: at the median, and at the 95th percentile."""
    base, mode = sorted(taken["without"]), sorted(taken["with"])
    at = int(0.95 * (len(base) - 1))
    pairs = {"median": (statistics.median(base), statistics.median(mode)), "p95": (base[at], mode[at])}
    return {kind: round(1000 * (after - before), 1) for kind, (before, after) in pairs.items()}


def main() -> None:
    """Run all of it and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bub", required=True, help="the Python of the Bub environment")
    parser.add_argument("--stubs", required=True, type=Path, help="the folder of openai_stub.py")
    for flag, usual in {"--turns": 40, "--rounds": 3, "--long": 200}.items():
        parser.add_argument(flag, type=int, default=usual)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    spec = importlib.util.spec_from_file_location("openai_stub", args.stubs / "openai_stub.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        load = os.getloadavg()[0]
        turns = steady(args.bub, module.Stub, folder, args.turns, 0)
        slow = steady(args.bub, module.Stub, folder, args.turns, SLOW)
        firsts = first(args.bub, module.Stub, folder, args.rounds)
        report = {
            "load_before": load,
            "turn_ms_without": round(1000 * statistics.median(turns["without"]), 1),
            "added_ms": added(turns),
            "added_ms_slow_model": added(slow),
            "first_turn_ms": {name: round(1000 * statistics.median(taken)) for name, taken in firsts.items()},
            "long_run": long_run(args.bub, module.Stub, folder, args.long),
        }
    print(json.dumps(report, indent=2))
    if args.json:
        args.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
