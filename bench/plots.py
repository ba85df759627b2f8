"""Draw what the benchmarks measured.

    python bench/plots.py --locomo locomo.json --latency latency.json --out FOLDER

Writes recall.png (any@k and fraction@k by category, ours beside BM25) and latency.png (milliseconds, beside the limits).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

GROUPS = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial", "all": "all"}
LIMITS = {"add_ms": "bare_insert_ms", "retrieve_ms": "bare_numpy_scan_ms"}


def recall(result: dict, out: Path) -> None:
    """Bars for each category, a panel for each metric."""
    figure, panels = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    for panel, metric in zip(panels, ("any@10", "fraction@10"), strict=True):
        for shift, (system, colour) in enumerate((("bm25", "#9aa5b1"), ("ours", "#2f6f4e"))):
            heights = [100 * result[system][group][metric] for group in GROUPS]
            panel.bar([n + 0.4 * shift for n in range(len(GROUPS))], heights, 0.38, label=system, color=colour)
        panel.set_xticks([n + 0.2 for n in range(len(GROUPS))], GROUPS.values(), rotation=20)
        panel.set_title(f"LoCoMo, {result['facts']['unit']} level, {metric}")
        panel.grid(axis="y", alpha=0.3)
    panels[0].set_ylabel("percent")
    panels[0].set_ylim(0, 100)
    panels[0].legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(out / "recall.png", dpi=130)


def latency(result: dict, out: Path) -> None:
    """Median and 95th percentile of each verb, beside the bare operation of the same run."""
    names = [name for pair in LIMITS.items() for name in pair]
    figure, panel = plt.subplots(figsize=(7, 4))
    for shift, (part, colour) in enumerate((("p50", "#2f6f4e"), ("p95", "#b7d3c4"))):
        panel.bar(
            [n + 0.4 * shift for n in range(len(names))],
            [result[name][part] for name in names],
            0.38,
            label=part,
            color=colour,
        )
    panel.set_xticks([n + 0.2 for n in range(len(names))], [name.removesuffix("_ms") for name in names])
    panel.set_ylabel("milliseconds")
    panel.set_title(f"{result['entries']:,} entries of one user, {result['users']} users")
    panel.grid(axis="y", alpha=0.3)
    panel.legend()
    figure.tight_layout()
    figure.savefig(out / "latency.png", dpi=130)


def main() -> int:
    """Draw both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--latency", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    recall(json.loads(args.locomo.read_text("utf-8")), args.out)
    latency(json.loads(args.latency.read_text("utf-8")), args.out)
    print(f"drew {args.out / 'recall.png'} and {args.out / 'latency.png'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
