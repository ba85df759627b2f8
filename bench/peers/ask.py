"""Runs one system over the conversations: called by run.py with the interpreter of that system's environment.

python bench/peers/ask.py --adapter NAME --data FILE --vectors FILE --folder DIR --out FILE [--option TEXT]
                          [--conversations N] [--package NAME]
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from importlib import import_module, metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
for place in (HERE.parent.parent / "src", HERE.parent / "retrieval", HERE):
    sys.path.insert(0, str(place))

import shared  # noqa: E402

DEPTH = 50


def version(package: str) -> str:
    """The installed version of a package; of ours, what the sources say."""
    if package == "siltstone":
        return import_module("siltstone").__version__
    return metadata.version(package) if package else "-"


def run(args: argparse.Namespace) -> dict:
    """Build, ask, and what it cost."""
    samples = shared.conversations(args.data, args.conversations)
    args.folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    system = import_module(f"adapters.{args.adapter}").open_system(args.folder, args.vectors, args.option)
    opened = time.perf_counter() - began
    began = time.perf_counter()
    for sample in samples:
        system.add(sample)
    build = time.perf_counter() - began
    answers, times = {}, []
    for sample in samples:
        for question in sample.questions:
            began = time.perf_counter()
            found = system.search(sample.id, question.text, DEPTH)
            times.append(1000 * (time.perf_counter() - began))
            answers[question.key] = list(dict.fromkeys(found))[:DEPTH]
    disk = sum(file.stat().st_size for file in args.folder.rglob("*") if file.is_file())
    return {
        "answers": answers,
        "query_ms": times,
        "open_s": opened,
        "build_s": build,
        "embedded_here_s": getattr(system, "embedded", 0.0),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes_on_disk": disk,
        "version": version(args.package),
    }


def main() -> int:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--data", "--vectors", "--folder", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--adapter", required=True)
    parser.add_argument("--option", default="")
    parser.add_argument("--package", default="")
    parser.add_argument("--conversations", type=int, default=0)
    args = parser.parse_args()
    args.out.write_text(json.dumps(run(args)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
