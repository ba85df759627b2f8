"""Rules of the entailment endpoint."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from models.scripted import ScriptedServer, Step
from siltstone.domain.verdicts import Verdict
from siltstone.errors import InvalidInput, ModelAnswerInvalid
from siltstone.models.entailment import EndpointEntailment

NUMBERED = {"LABEL_0": "contradiction", "LABEL_1": "entailment", "LABEL_2": "neutral"}


def labelled(entailment: Any, neutral: Any, contradiction: Any) -> list[dict[str, Any]]:
    scores = {"entailment": entailment, "neutral": neutral, "contradiction": contradiction}
    return [{"label": label, "score": score} for label, score in scores.items()]


def test_pairs_are_judged_in_order(server: ScriptedServer) -> None:
    """Each pair gets its verdict, read by label name whatever the order of the labels, in batches of 32."""

    def by_length(body: Any) -> Any:
        return [labelled(0.1 * len(first), 0.0, 1 - 0.1 * len(first))[::-1] for first, _ in body["inputs"]]

    server.default = by_length
    verdicts = EndpointEntailment(server.url).judge([("x" * (n % 10), "y") for n in range(40)])
    assert [round(verdict.entailment, 3) for verdict in verdicts[:3]] == [0, 0.1, 0.2]
    assert (len(verdicts), [len(seen.body["inputs"]) for seen in server.seen]) == (40, [32, 8])
    assert EndpointEntailment(server.url).judge([]) == []


def test_a_single_pair_may_come_unwrapped(server: ScriptedServer) -> None:
    """One pair's answer counts with or without the outer list; label names in any case."""
    labels = [{**item, "label": item["label"].upper()} for item in labelled(0.7, 0.2, 0.1)]
    server.steps = [Step(body=labels), Step(body=[labels])]
    judge = EndpointEntailment(f"{server.url}/predict")
    assert judge.judge([("a", "b")]) == judge.judge([("a", "b")])
    assert {seen.path for seen in server.seen} == {"/predict"}


def test_numbered_labels_need_a_mapping(server: ScriptedServer) -> None:
    """LABEL_0 and its like are refused, since models differ in their order, until a mapping says what they mean."""
    scores = [{"label": label, "score": score} for label, score in zip(NUMBERED, (0.1, 0.7, 0.2), strict=True)]
    server.steps = [Step(body=[scores]), Step(body=[scores])]
    with pytest.raises(ModelAnswerInvalid, match="label_0"):
        EndpointEntailment(server.url).judge([("a", "b")])
    (verdict,) = EndpointEntailment(server.url, labels=NUMBERED).judge([("a", "b")])
    assert verdict == Verdict(entailment=0.7, neutral=0.2, contradiction=0.1)


def test_a_mapping_names_all_three() -> None:
    """A mapping that leaves out a meaning or names another is refused."""
    for wrong in ({"LABEL_0": "entailment"}, {**NUMBERED, "LABEL_2": "maybe"}):
        with pytest.raises(InvalidInput):
            EndpointEntailment("http://localhost:1", labels=wrong)


@pytest.mark.parametrize(
    "body",
    [
        [],
        None,
        {"error": "x"},
        [[]],
        [None],
        [["entailment"]],
        [labelled(0.5, 0.5, 0.0)[:2]],
        [labelled(0.9, 0.9, 0.9)],
        [labelled(-0.1, 0.6, 0.5)],
        [labelled("0.5", 0.5, 0.0)],
        [labelled(True, False, False)],
        [labelled(float("nan"), 0.5, 0.5)],
        [labelled(1.0, 0.0, 0.0), labelled(1.0, 0.0, 0.0)],
    ],
)
def test_a_wrong_answer_is_never_taken(server: ScriptedServer, body: Any) -> None:
    """Missing labels, wrong counts and scores that are no probabilities raise ModelAnswerInvalid."""
    server.steps = [Step(body=body)]
    with pytest.raises(ModelAnswerInvalid):
        EndpointEntailment(server.url).judge([("a", "b")])


def test_a_tie_is_neutral() -> None:
    """The label is the likeliest of the three; where two are equally likely it is neutral."""
    assert Verdict(entailment=0.6, neutral=0.3, contradiction=0.1).label == "entailment"
    assert Verdict(entailment=0.1, neutral=0.3, contradiction=0.6).label == "contradiction"
    assert Verdict(entailment=0.45, neutral=0.1, contradiction=0.45).label == "neutral"
    assert Verdict(entailment=0.4, neutral=0.4, contradiction=0.2).label == "neutral"


def test_the_shared_stub_is_understood(stub_module: ModuleType) -> None:
    """Against the project's stub, the same statement is entailed and its negation contradicts."""
    with stub_module.Stub() as stub:
        judge = EndpointEntailment(stub.url, model="stub")
        labels = [
            v.label for v in judge.judge([("she likes tea", "she likes tea"), ("she likes tea", "she never likes tea")])
        ]
        judge.close()
    assert labels == ["entailment", "contradiction"]
