"""Asks real models what formation asks them, and says whether the answers are right.

    python bench/beliefs/real_endpoints.py [--model PROVIDER=NAME ...] [--stub URL] [--stub-rules]

Without --stub, each of these is asked if it is in the environment, and named as skipped if it is not:

    completion   ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY (with ANTHROPIC_BASE_URL … for another server)
    embeddings   BUBBLE_EMBED_ENDPOINT, an OpenAI-compatible address
    entailment   BUBBLE_NLI_ENDPOINT, an address that has /predict
    reranking    BUBBLE_RERANK_ENDPOINT, an address that has /rerank

A completion costs some twenty calls of a few hundred tokens: formation's questions one by one, then a whole memory with
these settings. With --stub the whole is asked of one stand-in server at URL;
--stub-rules prints the rules that make the stand-in answer as a good model would:

    python openai_stub.py --port-file port.txt --rules "$(python bench/beliefs/real_endpoints.py --stub-rules)"

Exits with 1 where an answer is wrong or a server fails, with 0 also where everything was skipped.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from siltstone import Memory
from siltstone.errors import SiltstoneError
from siltstone.models.completion import open_completion
from siltstone.models.completion_beliefs import CompletionBeliefs
from siltstone.models.endpoint import EndpointEmbedder
from siltstone.models.entailment import EndpointEntailment
from siltstone.models.rerank import EndpointReranker

MODELS = {"anthropic": "claude-sonnet-4-6", "openai": "gpt-5-mini", "gemini": "gemini-2.5-flash"}
TEA = ["Drinks green tea before work", "Had green tea with breakfast again", "Bought another tin of green tea"]
RECORDS = ["2023-02-01 Lives in Lisbon", "2024-09-15 Moved from Lisbon to Porto"]

Check = tuple[str, Callable[[], Any], Callable[[Any], bool]]


def belief_checks(writer: CompletionBeliefs) -> Iterator[Check]:
    """What a good model answers: name, question, whether the answer is right."""
    said = "I finally adopted a labrador called Rex! The tram was late again."
    yield "two statements", lambda: writer.decompose(said), _dog_and_tram
    yield (
        "a short life event",
        lambda: writer.decompose("我离婚了"),
        lambda got: len(got) == 1 and _intensity(got[0]) >= 0.6,
    )
    yield "a greeting", lambda: writer.decompose("Hi there, how are you?"), lambda got: got == []
    yield "a summary", lambda: writer.summarize(TEA), lambda got: "tea" in got.lower() and "\n" not in got
    yield "related", lambda: writer.relate(TEA[0], TEA[1]), lambda got: got is True
    yield "not related", lambda: writer.relate(TEA[0], "Has a sister in Oslo"), lambda got: got is False
    yield "the latest wins", lambda: writer.synthesize(RECORDS), lambda got: "Porto" in got


def stub_rules() -> list[dict[str, Any]]:
    """Rules for the stand-in under which all checks pass."""
    dog = {"text": "The speaker adopted a labrador called Rex", "intensity": 0.75, "valence": "pos", "retracted": False}
    tram = {"text": "The tram was late again", "intensity": 0.1, "valence": "neg", "retracted": False}
    tea = {"text": "The speaker drinks green tea", "intensity": 0.4, "valence": "pos", "retracted": False}
    parted = {"text": "说话人离婚了", "intensity": 0.95, "valence": "neg", "retracted": False}
    return [
        {"marker": '"message": "I finally', "reply": {"segments": [dog, tram]}, "shape": "fenced"},
        {"marker": "我离婚了", "reply": {"segments": [parted]}, "shape": "think"},
        {"marker": "Hi there", "reply": {"segments": []}, "shape": "prose"},
        {"marker": '"message"', "reply": {"segments": [tea]}},
        {"marker": '"statements"', "reply": "drinks green tea in the morning"},
        {"marker": '"second": "Has a sister', "reply": "no"},
        {"marker": '"second"', "reply": "yes"},
        {"marker": '"records"', "reply": "Lives in Porto since 2024, in Lisbon before."},
    ]


def endpoint_checks(addresses: Mapping[str, str]) -> Iterator[Check]:
    """The servers that are no completion, each where its address is known."""
    if address := addresses.get("embeddings"):
        embedder = EndpointEmbedder(address, model=os.environ.get("BUBBLE_EMBED_MODEL", "default"))
        yield "embeddings", lambda: embedder.embed(TEA).shape, lambda got: got[0] == len(TEA) and got[1] > 1
    if address := addresses.get("entailment"):
        judge = EndpointEntailment(address)
        pair = ("She likes tea", "She never likes tea")
        yield "entailment", lambda: judge.judge([pair])[0], lambda got: got.label == "contradiction"
    if address := addresses.get("reranking"):
        reranker = EndpointReranker(address)
        texts = ["The kettle is red", "Her dog is called Rex"]
        yield "reranking", lambda: reranker.rerank("what is her dog called?", texts), lambda got: got[1] > got[0]


def ask(name: str, checks: Iterator[Check]) -> int:
    """Run the checks, print a line each; how many failed."""
    wrong = 0
    for title, question, is_right in checks:
        started = time.perf_counter()
        try:
            got = question()
            right = is_right(got)
        except SiltstoneError as error:
            got, right = f"{type(error).__name__}: {error}", False
        wrong += not right
        took = time.perf_counter() - started
        print(f"{'ok   ' if right else 'WRONG'} {name:<10} {title:<18} {took:6.2f} s  {str(got)[:160]}")
    return wrong


def ask_completion(provider: str, model: str, api_key: str, base_url: str) -> int:
    """All questions of formation to one provider; how many answers were wrong."""
    completion = open_completion(provider, model=model, api_key=api_key, base_url=base_url)
    try:
        return ask(provider, belief_checks(CompletionBeliefs(completion)))
    finally:
        completion.close()


def memory_checks(told: Mapping[str, Any]) -> Iterator[Check]:
    """The product as a whole with these settings: two turns and a pool of one topic are formed, summed up and replayed."""
    with Memory.open("memory://", **told) as memory:
        turns = ["I finally adopted a labrador called Rex! The tram was late again.", *TEA]
        yield (
            "turns formed",
            lambda: [memory.process(turn, user_id="ana").waiting_for for turn in turns],
            lambda got: not any("formation" in waiting for waiting in got),
        )
        yield (
            "recalled",
            lambda: [
                hit.text for hit in memory.retrieve("what is the labrador called?", user_id="ana", kinds=("episode",))
            ],
            lambda got: any("Rex" in text for text in got),
        )
        yield (
            "summaries",
            lambda: [
                memory.beliefs.snapshot(item.id, user_id="ana") for item in memory.beliefs.snapshots(user_id="ana")
            ],
            lambda got: bool(got) and all(item.summary for item in got),
        )
        yield "replay", lambda: memory.replay(user_id="ana"), lambda got: got.same


def told(provider: str, model: str, api_key: str, base_url: str, addresses: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a memory that asks all of these."""
    found = {"completion__provider": provider, "completion__model": model, "completion__api_key": api_key}
    found |= {"completion__base_url": base_url, "entailment__base_url": addresses.get("entailment", "")}
    found |= {"embedding__base_url": addresses.get("embeddings", ""), "embedding__model": "default"}
    return found | {"rerank__base_url": addresses.get("reranking", "")}


def ask_environment(models: Mapping[str, str]) -> int:
    """Everything that the environment names; how many answers were wrong."""
    wrong = 0
    variables = {"embeddings": "BUBBLE_EMBED_ENDPOINT", "entailment": "BUBBLE_NLI_ENDPOINT"}
    variables["reranking"] = "BUBBLE_RERANK_ENDPOINT"
    addresses = {kind: os.environ.get(variable, "") for kind, variable in variables.items()}
    for provider, model in models.items():
        name = provider.upper()
        if key := os.environ.get(f"{name}_API_KEY", ""):
            address = os.environ.get(f"{name}_BASE_URL", "")
            wrong += ask_completion(provider, model, key, address)
            wrong += ask("memory", memory_checks(told(provider, model, key, address, addresses)))
        else:
            print(f"skip  {provider:<10} {name}_API_KEY is not set")
    for kind, variable in variables.items():
        if not os.environ.get(variable):
            print(f"skip  {kind:<10} {variable} is not set")
    return wrong + ask("endpoint", endpoint_checks(addresses))


def ask_stub(url: str) -> int:
    """Everything of the stand-in server; how many answers were wrong."""
    kinds = ("embeddings", "entailment", "reranking")
    addresses = dict.fromkeys(kinds, url)
    wrong = ask_completion("openai", "stub-model", "", url) + ask("endpoint", endpoint_checks(addresses))
    return wrong + ask("memory", memory_checks(told("openai", "stub-model", "", url, addresses)))


def _intensity(segment: Any) -> float:
    return float(segment.intensity)


def _dog_and_tram(segments: Any) -> bool:
    dog = [segment for segment in segments if "Rex" in segment.text]
    tram = [segment for segment in segments if "tram" in segment.text.lower()]
    return bool(dog and tram) and _intensity(dog[0]) >= 0.6 > 0.4 > _intensity(tram[0])


def main() -> None:
    """Reads the arguments and asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", default=[], metavar="PROVIDER=NAME")
    parser.add_argument("--stub", metavar="URL")
    parser.add_argument("--stub-rules", action="store_true")
    arguments = parser.parse_args()
    if arguments.stub_rules:
        print(json.dumps(stub_rules(), ensure_ascii=False))
        return
    models = MODELS | dict(chosen.split("=", 1) for chosen in arguments.model)
    raise SystemExit(bool(ask_stub(arguments.stub) if arguments.stub else ask_environment(models)))


if __name__ == "__main__":
    main()
