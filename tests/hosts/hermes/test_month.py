"""Thirty-two simulated days with one home: what is left is what people told, and almost nothing else."""

from __future__ import annotations

import random

from hosts.hermes.homes import Home, answered
from siltstone.hosts.hermes.provider import Provider

DAYS = 32
CHATTER = (
    "hi", "ok", "thanks!", "lol", "Can you make that shorter?", "Write a regex for dates.", "What's the weather like?",
    "Fix the failing test please.", "My password is hunter2, log in for me.", "继续", "好的", "帮我翻译这句话。",
    "Why is the sky blue?", "Run the linter again.", "/compress", "Sorry, that was the wrong file.",
)  # fmt: skip
BOOT = ("You are a helpful assistant of the Lindgren family.", "The family speaks English and Chinese at home.")


def _facts() -> list[str]:
    people = ("Ana", "Bo", "Cleo", "Dag", "Eve", "Finn", "小林", "老陈")
    things = ("lives in Oslo", "is allergic to nuts", "drives a grey van", "plays the cello", "works on Sundays",
              "has a dog called Biscuit", "likes green tea", "studies Japanese")  # fmt: skip
    return [f"{who} {what}." for who in people for what in things]


def _day(home: Home, day: int, facts: list[str], chance: random.Random) -> None:
    """One day: a few sessions with chatter, facts told through the host's tool, recalled text handed back, cron."""
    with home.session(f"day-{day}") as provider:
        home.write("memory", [*BOOT, *home.entries("memory")[len(BOOT) :]])
        for turn in range(1, 13):
            said = chance.choice(CHATTER)
            _turn(provider, turn, said, f"Done: {said}")
        for fact in facts:
            home.tool(provider, "add", "memory", fact)
            _turn(provider, 20, f"Please remember that {fact}", "I will.")
        block = provider.prefetch(f"Tell me about {facts[0].split()[0]}, please.")
        if block:
            _turn(provider, 21, f"x\n\n<memory-context>\n{block}\n</memory-context>", block)
            for line in block.splitlines():
                provider.on_memory_write("add", "memory", line)
            answered(provider, "siltstone_remember", text=block.splitlines()[-1])
        provider.on_pre_compress([{"role": "user", "content": block}])
        provider.on_session_end([{"role": "user", "content": said, "api_content": block}])
        provider.on_session_switch(f"day-{day}-b", parent_session_id=f"day-{day}", reset=True)
    with home.session(f"cron-{day}", platform="cron", agent_context="cron") as provider:
        _turn(provider, 1, "[cron] Summarise the news of the day.", "Nothing happened.")
        provider.on_memory_write("add", "memory", f"Cron ran on day {day}.")
        answered(provider, "siltstone_remember", text=f"Cron ran well on day {day}.")


def _turn(provider: Provider, number: int, said: str, reply: str) -> None:
    provider.on_turn_start(number, said)
    provider.prefetch(said)
    provider.sync_turn(said, reply)
    provider.queue_prefetch(said)


def test_a_month_of_use_leaves_less_than_two_percent_junk(home: Home) -> None:
    """Chatter, recalled blocks fed back, boot files restated and cron messages are not memories; every fact is."""
    chance = random.Random(32)
    facts = _facts()
    for day in range(DAYS):
        _day(home, day, facts[2 * day : 2 * day + 2], chance)
    with home.session("after") as provider:
        kept = [entry.text for entry in provider._started.ready()[0].memory.list(user_id="default", limit=1000)]  # type: ignore[union-attr]
        wanted = {*facts, *BOOT}
        assert wanted <= set(kept)
        junk = [text for text in kept if text not in wanted]
        assert len(kept) - len(wanted) == len(junk)
        assert len(junk) / len(kept) < 0.02, junk
        assert provider.health.problems() == []
