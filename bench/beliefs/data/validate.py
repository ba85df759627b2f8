"""Check every invariant of the two labelled sets in this folder and print their counts.

Run `python bench/beliefs/data/validate.py`; the exit status is 0 when all invariants hold, 1 otherwise.
The invariants are those of GUIDE.md.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LANGUAGES = ("en", "zh", "mixed")
KINDS = frozenset(
    {
        "life_event",
        "identity",
        "preference",
        "hedge",
        "retraction",
        "sarcasm",
        "negation",
        "task",
        "command",
        "question",
        "greeting",
        "filler",
        "daily_fact",
        "reaction",
        "multi",
        "long_personal",
        "paste",
    }
)
SILENT_KINDS = frozenset({"command", "greeting", "filler"})
BANDS = ("0.0-0.2", "0.2-0.4", "0.4-0.6", "0.6-0.8", "0.8-1.0")
VALENCES = frozenset({"pos", "neg", "neu"})
VIVID_FROM = 60
PASTE_WORDS, PASTE_HAN = 100, 150
FEWEST_UTTERANCES, FEWEST_TOPICS, STATEMENTS_A_TOPIC = 440, 64, 6
VIVID_SHARE = (0.30, 0.40)

Row = dict[str, Any]


def split_of(key: str) -> str:
    """Return "held" when the SHA-256 of `key`, read as one integer, is odd, else "tune"."""
    return "held" if int(hashlib.sha256(key.encode("utf-8")).hexdigest(), 16) % 2 else "tune"


def band_of(hundredths: int) -> str:
    """Return the band of an intensity given in hundredths; a bound belongs to the band above it, 100 to the last."""
    return BANDS[min(hundredths // 20, len(BANDS) - 1)]


def rows_of(path: Path) -> list[Row]:
    """Return the JSON objects of a JSON Lines file, in order; a malformed line raises `json.JSONDecodeError`."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def repeated(values: Iterable[str]) -> list[str]:
    """Return each value that occurs more than once."""
    return [value for value, count in Counter(values).items() if count > 1]


def segment_faults(text: str, segment: Row, after: int) -> Iterator[str]:
    """Yield what is wrong with one segment of `text`, which must begin at offset `after` or later."""
    start, end, hundredths = segment["start"], segment["end"], round(segment["intensity"] * 100)
    if not after <= start < end <= len(text):
        yield f"span {start}..{end} is empty, overlaps its neighbour or leaves the text"
    if text[start:end] != segment["text"]:
        yield f"text {segment['text']!r} is not the span {start}..{end}"
    if segment["text"] != segment["text"].strip(" \t\n.,;:!?。，；：！？…~～"):
        yield f"text {segment['text']!r} is not trimmed"
    if not 0 <= hundredths <= 100 or abs(hundredths / 100 - segment["intensity"]) > 1e-9:
        yield f"intensity {segment['intensity']} is not 0-1 with two decimals"
    if segment["band"] != band_of(hundredths) or segment["vivid"] != (hundredths >= VIVID_FROM):
        yield f"band or vivid does not fit intensity {segment['intensity']}"
    if segment["valence"] not in VALENCES:
        yield f"valence {segment['valence']!r} is unknown"
    if segment.get("retracted", True) is not True:
        yield "retracted is either true or absent"


def paste_faults(row: Row) -> Iterator[str]:
    """Yield what is wrong with the length or the last segment of a paste."""
    words, han = len(row["text"].split()), len(re.findall(r"[\u4e00-\u9fff]", row["text"]))
    if words < PASTE_WORDS and han < PASTE_HAN:
        yield f"a paste of {words} words and {han} Chinese characters is too short"
    if not row["segments"] or row["segments"][-1]["intensity"] != 0.05 or row["segments"][-1]["valence"] != "neu":
        yield "the body of a paste is one neutral segment of intensity 0.05"


def utterance_faults(row: Row) -> Iterator[str]:
    """Yield what is wrong with one line of the gate set."""
    if row["split"] != split_of(row["id"]):
        yield "split does not follow from id"
    if row["lang"] not in LANGUAGES or row["kind"] not in KINDS or not row["text"].strip():
        yield "lang or kind is unknown, or text is empty"
    if row["kind"] in SILENT_KINDS and row["segments"]:
        yield f"kind {row['kind']} has no segments"
    if "prior" in row and not row["prior"].strip():
        yield "prior is empty"
    after = 0
    for segment in row["segments"]:
        yield from segment_faults(row["text"], segment, after)
        after = segment["end"]
    if row["kind"] == "paste":
        yield from paste_faults(row)


def gate_faults(rows: list[Row]) -> Iterator[str]:
    """Yield every fault of the gate set, each with the id of its line."""
    for row in rows:
        yield from (f"{row['id']}: {fault}" for fault in utterance_faults(row))
    yield from (f"id {key!r} is used twice" for key in repeated(row["id"] for row in rows))
    yield from (f"text {text!r} occurs twice" for text in repeated(row["text"] for row in rows))
    if len(rows) < FEWEST_UTTERANCES:
        yield f"{len(rows)} utterances, at least {FEWEST_UTTERANCES} are promised"
    segments = [segment for row in rows for segment in row["segments"]]
    share = sum(segment["vivid"] for segment in segments) / len(segments)
    if not VIVID_SHARE[0] <= share <= VIVID_SHARE[1]:
        yield f"{share:.0%} of the segments are vivid, about 35 % are promised"


def statement_faults(topic: str, statements: list[Row]) -> Iterator[str]:
    """Yield what is wrong with the statements of one topic."""
    times = [datetime.fromisoformat(statement["occurred_at"]) for statement in statements]
    if times != sorted(set(times)) or any(time.tzinfo is None for time in times):
        yield "occurred_at must rise and carry a zone"
    for index, statement in enumerate(statements):
        relation = statement.get("relation")
        if statement["id"] != f"{topic}-{index}" or not statement["text"].strip():
            yield f"statement {index} has another id or no text"
        if relation and (relation["kind"] not in {"elaborates", "contradicts"} or not 0 <= relation["to"] < index):
            yield f"statement {index} relates to a later one or in an unknown way"


def topic_faults(rows: list[Row]) -> Iterator[str]:
    """Yield every fault of the topic set, each with the name of its topic."""
    near = {row["topic"]: set(row["near"]) for row in rows}
    for row in rows:
        name = row["topic"]
        yield from (f"{name}: {fault}" for fault in statement_faults(name, row["statements"]))
        if row["split"] != split_of(name) or row["lang"] not in LANGUAGES:
            yield f"{name}: split does not follow from topic, or lang is unknown"
        if len(row["statements"]) != STATEMENTS_A_TOPIC:
            yield f"{name}: {len(row['statements'])} statements, {STATEMENTS_A_TOPIC} are promised"
        if not near[name] or any(name not in near.get(other, set()) or name == other for other in near[name]):
            yield f"{name}: near is empty, names an unknown topic or is not mutual"
    yield from (f"topic {name!r} occurs twice" for name in repeated(row["topic"] for row in rows))
    texts = (statement["text"] for row in rows for statement in row["statements"])
    yield from (f"statement {text!r} occurs twice" for text in repeated(texts))
    if len(rows) < FEWEST_TOPICS:
        yield f"{len(rows)} topics, at least {FEWEST_TOPICS} are promised"


def counted(values: Iterable[str]) -> str:
    """Return the count of each value as one line, sorted by value."""
    return ", ".join(f"{value} {count}" for value, count in sorted(Counter(values).items()))


def gate_counts(rows: list[Row]) -> Iterator[str]:
    """Yield the lines that describe the gate set: whole, then each split."""
    yield f"kinds: {counted(row['kind'] for row in rows)}"
    for split in ("all", "tune", "held"):
        chosen = [row for row in rows if split in ("all", row["split"])]
        segments = [segment for row in chosen for segment in row["segments"]]
        vivid = sum(segment["vivid"] for segment in segments)
        yield f"gate {split}: {len(chosen)} utterances ({counted(row['lang'] for row in chosen)})"
        silent = sum(not row["segments"] for row in chosen)
        yield f"  without segments {silent}, with prior {sum('prior' in row for row in chosen)}"
        yield f"  {len(segments)} segments, vivid {vivid} ({vivid / len(segments):.1%})"
        yield f"  retracted {sum('retracted' in segment for segment in segments)}"
        yield f"  bands: {counted(segment['band'] for segment in segments)}"
        yield f"  valence: {counted(segment['valence'] for segment in segments)}"


def topic_counts(rows: list[Row]) -> Iterator[str]:
    """Yield the lines that describe the topic set: whole, then each split."""
    for split in ("all", "tune", "held"):
        chosen = [row for row in rows if split in ("all", row["split"])]
        statements = [statement for row in chosen for statement in row["statements"]]
        relations = (statement["relation"]["kind"] for statement in statements if "relation" in statement)
        yield f"topics {split}: {len(chosen)} ({counted(row['lang'] for row in chosen)}), {len(statements)} statements"
        yield f"  relations: {counted(relations)}"


def main() -> int:
    """Print the counts and each fault; return 0 when there is no fault, else 1."""
    gate, topics = rows_of(HERE / "gate" / "utterances.jsonl"), rows_of(HERE / "topics" / "topics.jsonl")
    print("\n".join([*gate_counts(gate), *topic_counts(topics)]))
    faults = [*gate_faults(gate), *topic_faults(topics)]
    print("\n".join(faults) if faults else "all invariants hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
