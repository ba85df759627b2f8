"""A file of LoCoMo's shape with two short conversations of our own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path


def write(folder: Path, evidence: Sequence[str] = ("D1:2",)) -> Path:
    """Write it; `evidence` is that of the first question."""
    path = folder / "small.json"
    path.write_text(json.dumps([_first(evidence), _second()]), "utf-8")
    return path


def _turn(speaker: str, name: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": name, "text": text, **more}


def _first(evidence: Sequence[str]) -> dict:
    return {
        "sample_id": "small-1",
        "conversation": {
            "speaker_a": "Ottilie",
            "speaker_b": "Bram",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                _turn("Ottilie", "D1:1", "I signed up for pottery on Tuesdays."),
                _turn("Bram", "D1:2", "Look at this kiln!", blip_caption="a kiln with an open door", query="forbidden"),
            ],
            "session_2_date_time": "10:04 am on 19 May, 2023",
            "session_2": [
                _turn("Bram", "D2:1", "My heron sculpture cracked."),
                _turn("Ottilie", "D2:2", "Mine survived the glaze."),
                _turn("Bram", "D2:3", "Then lend me your glaze recipe."),
            ],
            "session_3_date_time": "9:00 am on 1 June, 2023",
        },
        "qa": [
            {"question": "Who showed a kiln?", "answer": "Bram", "evidence": list(evidence), "category": 4},
            {"question": "Would Bram like the sea?", "answer": "yes", "evidence": [], "category": 3},
            {"question": "What broke?", "answer": "a sculpture", "evidence": ["D2:1", "D2:2"], "category": 1},
        ],
    }


def _second() -> dict:
    return {
        "sample_id": "small-2",
        "conversation": {
            "speaker_a": "Noor",
            "speaker_b": "Ivo",
            "session_1_date_time": "8:00 pm on 2 March, 2024",
            "session_1": [
                _turn("Noor", "D1:1", "The ferry to the island leaves at six."),
                _turn("Ivo", "D1:2", "I packed the lantern and the tent."),
            ],
        },
        "qa": [{"question": "Did Ivo pack a violin?", "evidence": ["D1:2"], "category": 5}],
    }
