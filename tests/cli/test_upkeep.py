"""The commands of upkeep: maintain, synonyms, pause and resume."""

from __future__ import annotations

from cli.started import Siltstone
from siltstone.cli import exits


def test_maintain_reports_and_undo_takes_back(siltstone: Siltstone) -> None:
    """A dry run changes nothing; a run says what it did and its id, by which it is undone."""
    older = siltstone.add("likes tea")
    newer = siltstone.add("Likes tea!")
    dry = siltstone.run("maintain", "--dry-run")
    assert dry.code == 0 and f"deduplicate (dry run)\tthe same words\t{older} → {newer}\tLikes tea!" in dry.out
    assert "nothing was changed" in dry.err and len(siltstone.run("list").out.splitlines()) == 2
    report = siltstone.run("maintain", "--json").json
    assert [step["name"] for step in report["steps"]][:2] == ["erase", "deduplicate"]
    assert report["steps"][1]["actions"][0]["ids"] == [older] and report["unfinished"] == []
    assert siltstone.run("list").out.count("tea") == 1
    undone = siltstone.run("maintain", "--undo", report["run"])
    assert undone.out == f"restored\t{older}\n" and siltstone.run("list").out.count("tea") == 2


def test_maintain_runs_what_is_due_within_its_time(siltstone: Siltstone) -> None:
    """--due runs what the schedule wants, --step only what is named, --budget begins nothing after its time."""
    siltstone.add("likes tea")
    assert siltstone.run("maintain", "--step", "forget", "--json").json["steps"][0]["name"] == "forget"
    assert "no time left for: erase" in siltstone.run("maintain", "--budget", "0").err
    assert siltstone.run("maintain", "--due", "--json").json["steps"]
    assert siltstone.run("maintain", "--due", "--json").json["steps"] == []
    wrong = siltstone.run("maintain", "--step", "forgett")
    assert wrong.code == exits.WRONG_INPUT and "did you mean 'forget'" in wrong.err


def test_synonyms_are_set_listed_accepted_and_removed(siltstone: Siltstone) -> None:
    """The table is kept for the user and widens the search."""
    siltstone.add("the release happens on Friday")
    assert siltstone.run("synonyms", "list").code == exits.NOTHING_FOUND
    assert siltstone.run("search", "deploy").code == exits.NOTHING_FOUND
    assert siltstone.run("synonyms", "set", "deploy", "release", "roll out").out == "deploy: release, roll out\n"
    assert "release happens" in siltstone.run("search", "deploy").out
    assert siltstone.run("synonyms", "accept", "deploy", "ship").out == "deploy: release, roll out, ship\n"
    assert siltstone.run("synonyms", "remove", "deploy", "ship", "--json").json["synonyms"] == ["release", "roll out"]
    assert siltstone.run("synonyms", "list").out == "deploy\trelease, roll out\n"
    assert siltstone.run("synonyms", "list", "--user", "bob").code == exits.NOTHING_FOUND
    assert siltstone.run("synonyms", "remove", "deploy").out == "deploy: no synonyms\n"
    assert siltstone.run("synonyms", "remove", "deploy").code == exits.WRONG_INPUT


def test_synonyms_are_suggested_with_their_evidence(siltstone: Siltstone) -> None:
    """discover lists pairs and changes nothing; words lists the Chinese words that recur."""
    lines = []
    for n in range(12):
        part = ("engine", "tyres", "garage", "brakes")[n % 4]
        lines.append(f"the car {part} needs repair, the automobile {part} is old")
        lines += [f"the car {part} makes noise {n}", f"the automobile {part} makes noise {n}"] * (n < 5)
    lines += ["部署脚本在仓库里", "部署失败", "新的部署流程", "今天天气很好我们去公园散步"]
    for line in lines:
        siltstone.add(line)
    found = siltstone.run("synonyms", "discover").out.splitlines()
    assert any({"car", "automobile"} == set(line.split("\t")[:2]) for line in found)
    assert siltstone.run("synonyms", "list").code == exits.NOTHING_FOUND
    assert "部署\t3" in siltstone.run("synonyms", "words").out


def test_pause_and_resume(siltstone: Siltstone) -> None:
    """A paused search is empty and says so, a paused add is an error, and resume ends both."""
    siltstone.add("likes tea")
    assert "paused until" in siltstone.run("pause", "--what", "both", "--seconds", "600").out
    paused = siltstone.run("search", "tea")
    assert (
        paused.code == exits.NOTHING_FOUND
        and "recall is paused until" in paused.err
        and "siltstone resume" in paused.err
    )
    refused = siltstone.run("add", "likes mate")
    assert refused.code == exits.WRONG_INPUT and "siltstone resume" in refused.err
    assert siltstone.run("resume", "--what", "writes").out == "paused: recall\n"
    assert siltstone.run("resume", "--json").json["paused"] == {}
    assert siltstone.run("search", "tea").code == 0 and siltstone.add("likes mate")
