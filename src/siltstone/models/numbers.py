"""Checks on single numbers that a server answered. JSON's true and false count as none."""

from __future__ import annotations

import math
from typing import TypeGuard


def is_number(value: object) -> TypeGuard[float]:
    """True for a finite int or float."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_score(value: object) -> TypeGuard[float]:
    """True for a number from 0 to 1."""
    return is_number(value) and 0 <= value <= 1
