"""The FalkorDB store and the store in memory take the same random steps, crashes among them."""

from __future__ import annotations
