"""How the plugin behaves, as values. Bub's settings (`config.py`) make them; nothing here knows Bub."""

from __future__ import annotations

from dataclasses import dataclass

MODEL, RULES, OFF = "model", "rules", "off"
LEAST_BUDGET = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`tokens` and `share` (of `window`, the context) bound the block; times are in seconds, `0` drain waits for nothing.

    `extraction` says who reads entities and relations: Bub's model ("model"; rules until it has), "rules" or nobody
    ("off"). `model` names another model for it. `extractor` and `formatter` name objects of one's own,
    as `package.module:object`. `calls` bounds the model calls that one turn may cause.
    """

    enabled: bool = True
    extraction: str = MODEL
    model: str = ""
    extractor: str = ""
    formatter: str = ""
    tokens: int = 800
    share: float = 0.1
    window: int = 128_000
    memories: int = 8
    recall_seconds: float = 0.5
    first_seconds: float = 3.0
    keep_seconds: float = 0.25
    drain_seconds: float = 1.5
    model_seconds: float = 60.0
    answer_tokens: int = 2_000
    batch: int = 12
    calls: int = 4

    def budget(self, *, narrow: bool) -> int:
        """Tokens that the block may have; half of it where the context has just overflown (`narrow`)."""
        whole = min(self.tokens, int(self.share * self.window))
        return max(min(whole, LEAST_BUDGET), whole // 2) if narrow else whole
