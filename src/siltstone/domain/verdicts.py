"""What an entailment model says about two statements."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How likely it is that the first statement implies, leaves open or contradicts the second; they add up to 1."""

    entailment: float
    neutral: float
    contradiction: float

    @property
    def label(self) -> str:
        """The likeliest of the three: "entailment", "neutral" or "contradiction"; a tie counts as neutral."""
        best = max(self.neutral, self.entailment, self.contradiction)
        if self.neutral == best or self.entailment == self.contradiction:
            return "neutral"
        return "entailment" if self.entailment == best else "contradiction"
