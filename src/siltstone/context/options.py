"""What the classes and calls of the context API may be told, and the one place that checks it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypedDict

from siltstone.context.counting import Counter, counter, quarter
from siltstone.domain.options import Moment, checked
from siltstone.errors import InvalidInput
from siltstone.text import checks

if TYPE_CHECKING:
    from siltstone.memory import Memory
    from siltstone.settings import ContextSettings

USER = "default"
MOST_HOPS = 20
_DAYS = re.compile(r"(\d+)_days?")


class Options(TypedDict, total=False):
    """How a context is built. Each has one meaning in all classes; None takes the setting of `context.*`.

    `token_limit`, `short_term_limit`: what the short-term buffer may hold. `hybrid_alpha`: 0 pure vector, 1 pure graph.
    `use_graph_expansion` (also `graph_expansion`), `max_expansion_hops`: whether and how far the graph is walked.
    `retention_days`, `max_memories`: off unless set (also `retention_policy="30_days"`, `max_memory_size`). `memory`: an
    opened Memory; `url`: of the store to open; `user_id`: whose memory a call means that names nobody. `token_counter`:
    "quarter", "estimate", "exact" or a function. `extractor`: reads entities out of a text, in place of the rules.
    """

    token_limit: int | None
    short_term_limit: int | None
    hybrid_alpha: float | None
    use_graph_expansion: bool
    graph_expansion: bool
    max_expansion_hops: int | None
    retention_days: float | None
    max_memories: int | None
    retention_policy: str | None
    max_memory_size: int | None
    memory: Memory | None
    url: str | None
    user_id: str
    token_counter: str | Counter | None
    extractor: Any


class Scoped(TypedDict, total=False):
    """How a reading or forgetting call is narrowed. All conditions hold together.

    `start_date` and `end_date` are both inclusive; `type` is the memory's metadata `type`; `metadata` holds exact values.
    """

    user_id: str | None
    conversation_id: str | None
    type: str | None
    start_date: Moment | None
    end_date: Moment | None
    metadata: Mapping[str, Any] | None


class Asked(Scoped, total=False):
    """How a retrieval is narrowed and scored. `expand_graph` and `use_graph_expansion` say `use_graph`.

    `min_score` (also `min_relevance_score`) is a floor on [0, 1] under the final score. `token_budget`: what the results
    may hold together; None takes the token limit.
    """

    use_graph: bool | None
    expand_graph: bool | None
    use_graph_expansion: bool | None
    min_score: float
    min_relevance_score: float
    max_hops: int | None
    hybrid_alpha: float | None
    token_budget: int | None
    include_entities: bool
    include_relationships: bool


class Described(TypedDict, total=False):
    """What may be told about a text.

    `extract_entities` (also `auto_extract`) reads entities and relationships out of it. `learn` also forms beliefs from
    it.
    """

    user_id: str | None
    conversation_id: str | None
    timestamp: Moment | None
    entities: Any
    relationships: Any
    extract_entities: bool
    extract_relationships: bool
    auto_extract: bool
    learn: bool


class Storing(Described, total=False):
    """The same for a text to store. `memory_id`: the id to keep it under; a memory of that id is replaced."""

    memory_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The checked options."""

    token_limit: int = 2000
    short_term_limit: int = 10
    hybrid_alpha: float = 0.5
    use_graph: bool = True
    max_hops: int = 2
    retention: timedelta | None = None
    max_memories: int | None = None
    user_id: str = USER
    count: Counter = field(default=quarter)
    extractor: Any = None


def choices(owner: str, given: Mapping[str, Any], settings: ContextSettings) -> Choices:
    """The options with the settings for what is not given. Raises TypeError and InvalidInput."""
    checked(owner, Options, given)
    told = {key: value for key, value in given.items() if value is not None}
    expand = told.get("use_graph_expansion", told.get("graph_expansion", True))
    days = told.get("retention_days", _policy(told.get("retention_policy")))
    most = told.get("max_memories", told.get("max_memory_size"))
    return Choices(
        token_limit=whole("token_limit", told.get("token_limit", settings.token_limit)),
        short_term_limit=whole("short_term_limit", told.get("short_term_limit", settings.short_term_limit)),
        hybrid_alpha=share("hybrid_alpha", told.get("hybrid_alpha", settings.hybrid_alpha)),
        use_graph=flag("use_graph_expansion", expand),
        max_hops=whole("max_expansion_hops", told.get("max_expansion_hops", settings.max_expansion_hops), MOST_HOPS),
        retention=None if days is None else timedelta(days=_positive("retention_days", days)),
        max_memories=None if most is None else whole("max_memories", most),
        user_id=checks.user(told.get("user_id", USER)),
        count=counter(told.get("token_counter")),
        extractor=told.get("extractor"),
    )


def scope(verb: str, given: Mapping[str, Any], user_id: str, shape: type = Scoped) -> tuple[str, dict[str, Any]]:
    """Whose memory a call means, and how it is narrowed, in the words of `Memory`. Raises TypeError and InvalidInput."""
    checked(verb, shape, given)
    whose = given.get("user_id")
    narrow: dict[str, Any] = {"session_id": checks.name("conversation_id", given.get("conversation_id"))}
    described = dict(checks.mapping(given.get("metadata")))
    if given.get("type") is not None:
        described["type"] = checks.name("type", given["type"])
    narrow["metadata"] = described or None
    start, end = (checks.moment(name, given.get(name)) for name in ("start_date", "end_date"))
    narrow["since"], narrow["until"] = start, None if end is None else end + timedelta(microseconds=1)
    chosen = {key: value for key, value in narrow.items() if value is not None}
    return user_id if whose is None else checks.user(whose), chosen


def whole(name: str, value: object, most: int | None = None) -> int:
    """A whole number from 1. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1 or (most is not None and value > most):
        bound = "" if most is None else f" to {most}"
        raise InvalidInput(f"{name} cannot be {value!r}; give a whole number from 1{bound}")
    return value


def share(name: str, value: object) -> float:
    """A number on [0, 1]. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} cannot be {value!r}; give a number from 0 to 1")
    return float(value)


def flag(name: str, value: object) -> bool:
    """True or False. Raises InvalidInput."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} cannot be {value!r}; give True or False")
    return value


def _positive(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise InvalidInput(f"{name} cannot be {value!r}; give a number of days above 0, or None to keep everything")
    return float(value)


def _policy(told: object) -> float | None:
    """The days in "30_days"; None for "unlimited"."""
    if told is None or told == "unlimited":
        return None
    found = _DAYS.fullmatch(told) if isinstance(told, str) else None
    if found is None:
        raise InvalidInput(f"retention_policy cannot be {told!r}; give 'unlimited' or, for example, '30_days'")
    return float(found[1])
