"""Makes the shared embedder's vectors of all turns: embed.py DATA CONVERSATIONS FILE."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for place in (HERE.parent.parent / "src", HERE.parent / "retrieval", HERE):
    sys.path.insert(0, str(place))

import shared  # noqa: E402

if __name__ == "__main__":
    data, count, file = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    texts = [shared.spoken(turn) for sample in shared.conversations(data, count) for turn in sample.turns]
    print(shared.SharedEmbedder(file).fill(texts, file), "vectors made")
