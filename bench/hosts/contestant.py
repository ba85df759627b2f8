"""One memory provider of Hermes, asked and timed. Runs inside the host's environment; `keepsake.py` starts it.

Reads one line of JSON from standard input: the provider's name, its home, the sets, and what to time. Prints one line of
JSON after MARK. The standard library and the host only.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

MARK = "measured: "


class Contestant:
    """A provider on an empty store."""

    def __init__(self, name: str, home: str, template: str, redis_port: int | None) -> None:
        self.port = redis_port
        shutil.copytree(template, home, copy_function=os.link)
        os.environ["HERMES_HOME"] = home
        self._wipe()
        self.provider = _load(name)
        self.provider.initialize("bench", hermes_home=home, platform="cli", agent_context="primary")

    def store(self, text: str) -> None:
        """Keep one text through the product's normal path of writing."""
        self.provider.on_memory_write("add", "memory", text)

    def ask(self, question: str) -> str:
        """What is put before the model; nothing is carried over from the question before."""
        if hasattr(self.provider, "on_session_switch"):
            self.provider.on_session_switch("bench", parent_session_id="bench", reset=True, reason="new_session")
        answer: str = self.provider.prefetch(question) or ""
        return answer

    def counted(self) -> dict[str, int]:
        """What a server of its own has received: commands, and reads from the connection, which are round trips."""
        if self.port is None:
            return {"commands": 0, "reads": 0}
        about = _redis(self.port).info("stats")
        return {"commands": about["total_commands_processed"], "reads": about["total_reads_processed"]}

    def crashed(self) -> bool:
        """Whether its server has just gone away; waits until it is back."""
        if self.port is None or _answers(self.port):
            return False
        while not _answers(self.port):
            time.sleep(0.05)
        return True

    def close(self) -> None:
        """Give the store back."""
        self.provider.shutdown()

    def _wipe(self) -> None:
        if self.port is not None:
            _redis(self.port).flushall()


def _load(name: str) -> Any:
    if name == "keepsake":
        provider = importlib.import_module("keepsake").KeepsakeProvider
        return provider(agent_id="bench", is_primary=True)
    return importlib.import_module("plugins.memory").load_memory_provider(name)


def _redis(port: int) -> Any:
    return importlib.import_module("redis").Redis(host="127.0.0.1", port=port)


def _answers(port: int) -> bool:
    try:
        return bool(_redis(port).ping())
    except importlib.import_module("redis").RedisError:
        return False


def asked(contestant: Contestant, facts: Sequence[str], questions: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Per kind of question: how many, right at once, anywhere, empty; and the median time. A question is
    (kind, text, the fact that answers it or None).
    """
    for text in facts:
        contestant.store(text)
    kinds: dict[str, dict[str, int]] = {}
    times, crashes = [], 0
    for kind, question, gold in questions:
        began = time.perf_counter()
        found = contestant.ask(question)
        times.append(time.perf_counter() - began)
        crashes += contestant.crashed()
        lines = [line for line in found.splitlines() if any(text in line for text in facts)]
        row = kinds.setdefault(kind, {"questions": 0, "right": 0, "in_five": 0, "empty": 0})
        row["questions"] += 1
        row["empty"] += not lines
        row["right"] += (not lines) if gold is None else bool(lines) and gold in lines[0]
        row["in_five"] += gold is not None and any(gold in line for line in lines[:5])
    return {"kinds": kinds, "crashes": crashes, "p50_ms": 1000 * statistics.median(times)}


def timed(contestant: Contestant, texts: Sequence[str], questions: Sequence[str]) -> dict[str, Any]:
    """Times of storing and recalling, and what each sent to a server; `first` is the first text, with all loading."""
    first = _times(contestant, contestant.store, ["The bench has begun."])
    contestant.ask("Has the bench begun?")
    stored = _times(contestant, contestant.store, texts)
    recalled = _times(contestant, contestant.ask, questions)
    answered = sum(text in contestant.ask(question) for question, text in zip(questions, texts, strict=False))
    return {"first_ms": first["p50_ms"], "store": stored, "recall": recalled, "answered": answered / len(questions)}


def _times(contestant: Contestant, work: Callable[[str], Any], items: Sequence[str]) -> dict[str, float]:
    before, spent = contestant.counted(), []
    for item in items:
        began = time.perf_counter()
        work(item)
        spent.append(1000 * (time.perf_counter() - began))
    after = contestant.counted()
    spent.sort()
    sent = {name: (after[name] - before[name]) / len(items) for name in after}
    return {"p50_ms": statistics.median(spent), "p95_ms": spent[int(0.95 * len(spent))], **sent}


def main() -> None:
    """Do what the line asks."""
    told = json.loads(sys.stdin.readline())
    answer: dict[str, Any] = {}
    for name, facts, questions in told["sets"]:
        contestant = Contestant(told["provider"], f"{told['home']}-{name}", told["template"], told["redis_port"])
        answer[name] = asked(contestant, facts, questions)
        contestant.close()
    contestant = Contestant(told["provider"], f"{told['home']}-timed", told["template"], told["redis_port"])
    answer["times"] = timed(contestant, told["texts"], told["questions"])
    contestant.close()
    print("\n" + MARK + json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
