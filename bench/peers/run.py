"""Siltstone beside its peers: the same turns, questions and scorer, each system in an environment of its own.

    python bench/peers/run.py --data locomo10.json [--conversations N] [--only NAME,NAME] [--work DIR]
                              [--json OUT] [--plot OUT.png] [--rankings DIR] [--resume]

`--conversations` takes N, those of the held half first (2 run in minutes; default: all ten). Environments
are made under `--work` on first use (with `python -m venv` and pip) and kept. A system that cannot be installed or fails
is reported with its error's last line, never left out, and `--json` is written after each system. `--resume` takes what
an earlier run in the same `--work` measured, where the data, the conversations, the system's requirements and all sources
(ours and the bench's) are the same, and measures the rest. Quality is LoCoMo's at turn level; `open_s` is loading, `build_s`
adding (ready-made vectors where the system takes them), query times include embedding the question.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
for place in (HERE.parent.parent / "src", HERE.parent / "retrieval", HERE):
    sys.path.insert(0, str(place))

import locomo  # noqa: E402
import locomo_data  # noqa: E402
import shared  # noqa: E402
from report import spread  # noqa: E402
from systems import MINILM, NOT_RUN, SYSTEMS, System  # noqa: E402

LIMIT_S = 3600
COLUMNS = ("any@1", "any@10", "fraction@10", "fraction@25", "mrr")
QUIET = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
}


class Failed(Exception):
    """A system that does not run here; its text says why."""


def environment(folder: Path, requirements: tuple[str, ...]) -> Path:
    """The interpreter of an environment with the requirements, made on first use."""
    python, done = folder / "bin" / "python", folder / "requirements.txt"
    wanted = "\n".join(requirements)
    if not done.exists() or done.read_text("utf-8") != wanted:
        call([sys.executable, "-m", "venv", str(folder)])
        call([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements])
        done.write_text(wanted, "utf-8")
    return python


def call(command: list[str], **extra: str) -> None:
    """Runs a command. Raises Failed with the last line of what it complained about."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT_S, env=os.environ | QUIET | extra, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Failed(f"not done after {LIMIT_S} s") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        killed = f"ended by signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        raise Failed(f"{killed}: {lines[-1]}" if lines else killed)


def vectors(args: argparse.Namespace) -> tuple[Path, dict]:
    """The file of the shared embedder's vectors, and what making them cost."""
    file = args.work / "vectors.npy"
    python = environment(args.work / "env-vectors", MINILM)
    began = time.perf_counter()
    call([str(python), str(HERE / "embed.py"), str(args.data), str(args.conversations), str(file)])
    return file, {"embed_s": time.perf_counter() - began}


def stamp(system: System, args: argparse.Namespace) -> str:
    """What a system's figures depend on: the data, the requirements, and the sources of ours and of this bench."""
    sources = sorted(file for place in (HERE, HERE.parent.parent / "src") for file in place.rglob("*.py"))
    parts = [locomo_data.SHA256, str(args.conversations), *system.requirements, system.option]
    parts += [hashlib.sha256(file.read_bytes()).hexdigest() for file in sources]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def measure(system: System, args: argparse.Namespace, file: Path) -> dict:
    """What the system's own process reports, or reported to a run that `--resume` goes on with."""
    name = system.name.replace(" ", "-").replace(",", "")
    done, mark = args.work / f"{name}.stamp", stamp(system, args)
    out = args.work / f"{name}.json"
    if args.resume and done.exists() and done.read_text("utf-8") == mark:
        return json.loads(out.read_text("utf-8"))
    done.unlink(missing_ok=True)
    python = environment(args.work / f"env-{name}", tuple(system.requirements))
    folder = args.work / f"data-{name}-{os.getpid()}"
    command = [str(python), str(HERE / "ask.py"), "--adapter", system.adapter, "--data", str(args.data)]
    command += ["--vectors", str(file), "--folder", str(folder), "--out", str(out), "--package", system.package]
    call([*command, "--option", system.option, "--conversations", str(args.conversations)], HOME=str(folder))
    done.write_text(mark, "utf-8")
    return json.loads(out.read_text("utf-8"))


def row(system: System, args: argparse.Namespace, file: Path) -> dict:
    """One system's figures, or why there are none."""
    try:
        found = measure(system, args, file)
    except Failed as error:
        return {"system": system.name, "failed": str(error)}
    samples = shared.conversations(args.data, args.conversations)
    groups = locomo.evaluate(samples, found["answers"], "turn")
    if args.rankings:
        head = {"format": "ranking/1", "dataset": "locomo10", "sha256": locomo_data.SHA256, "unit": "turn"}
        head |= {"captions": False, "system": f"{system.name} {found['version']}", "answers": found["answers"]}
        (args.rankings / f"{system.name.replace(' ', '-').replace(',', '')}.json").write_text(json.dumps(head), "utf-8")
    costs = {name: found[name] for name in ("open_s", "build_s", "embedded_here_s", "peak_memory_mb", "bytes_on_disk")}
    times = {f"query_ms_{name}": value for name, value in spread(found["query_ms"]).items()}
    facts = {"system": system.name, "version": found["version"], "settings": system.settings}
    return facts | costs | times | {"quality": groups}


def show(rows: list[dict]) -> None:
    """The table."""
    print(f"\n{'':<20}{'version':<14}" + "".join(f"{name:>13}" for name in COLUMNS), end="")
    print(f"{'build s':>10}{'p50 ms':>9}{'p95 ms':>9}{'MiB':>7}{'disk MB':>9}")
    for found in rows:
        if "failed" in found:
            print(f"{found['system']:<20}does not run here: {found['failed']}")
            continue
        quality = found["quality"]["all"]
        print(f"{found['system']:<20}{found['version']:<14}", end="")
        print("".join(f"{100 * quality[name]:>13.1f}" for name in COLUMNS), end="")
        print(f"{found['build_s']:>10.1f}{found['query_ms_p50']:>9.1f}{found['query_ms_p95']:>9.1f}", end="")
        print(f"{found['peak_memory_mb']:>7.0f}{found['bytes_on_disk'] / 1e6:>9.1f}")
    for name, why in NOT_RUN.items():
        print(f"{name:<20}not run: {why}")


def plot(rows: list[dict], path: Path) -> None:
    """Cost against quality: the median query time, and the time to build, against any@10."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.8), sharey=True)
    ran = [found for found in rows if "failed" not in found]
    for axis, name, label in zip(
        axes,
        ("query_ms_p50", "build_s"),
        ("median query, ms, question embedded", "build, s, vectors ready-made"),
        strict=True,
    ):
        placed: list[float] = []
        for found in ran:
            quality, ours = 100 * found["quality"]["all"]["any@10"], found["system"].startswith("siltstone")
            axis.plot(found[name], quality, "o", color="tab:red" if ours else "tab:blue")
            lift = 4 + 11 * sum(abs(quality - other) < 1.5 for other in placed)
            placed.append(quality)
            axis.annotate(
                found["system"], (found[name], quality), textcoords="offset points", xytext=(6, lift), fontsize=8
            )
        axis.set_xscale("log")
        axis.set_xlabel(label)
        axis.grid(alpha=0.3)
        axis.margins(x=0.25, y=0.15)
    axes[0].set_ylabel("any@10, %")
    figure.suptitle("LoCoMo, turn level: cost against quality")
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def keep(rows: list[dict], facts: dict, args: argparse.Namespace) -> None:
    """Write what is measured so far, so that an interrupted run has lost nothing."""
    if args.json:
        found = {"rows": rows, "facts": facts, "conversations": args.conversations}
        args.json.write_text(json.dumps(found, indent=1), "utf-8")


def main() -> int:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--conversations", type=int, default=0)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--work", type=Path, default=Path("peers-work"))
    for name in ("--json", "--plot", "--rankings"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    args.data, args.work = args.data.resolve(), args.work.resolve()
    for folder in (args.work, args.rankings):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
    file, facts = vectors(args)
    rows: list[dict] = []
    for system in SYSTEMS:
        if not args.only or system.adapter in args.only:
            rows.append(row(system, args, file))
            keep(rows, facts, args)
    show(rows)
    print(json.dumps(facts | {"conversations": args.conversations or "all"}))
    if args.plot:
        plot(rows, args.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
