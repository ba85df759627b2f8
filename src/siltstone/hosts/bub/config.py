"""The plugin's section in Bub's configuration: `memory:` in `config.yml`, or variables that begin with `BUB_MEMORY_`."""

from __future__ import annotations

from typing import Literal

import bub
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from siltstone.hosts.bub.options import Options


@bub.config(name="memory")
class MemorySettings(bub.Settings):
    """All of them have a default that works: nothing has to be set."""

    model_config = SettingsConfigDict(env_prefix="BUB_MEMORY_", extra="ignore")

    enabled: bool = Field(True, description="Whether the plugin does anything at all.")
    extraction: Literal["model", "rules", "off"] = Field(
        "model", description="Who reads entities and relations: Bub's model, rules alone, or nobody."
    )
    model: str = Field("", description="provider:model to read with, where it is not to be the session's own.")
    extractor: str = Field("", description="package.module:object that reads in the model's place.")
    formatter: str = Field("", description="package.module:function that makes the text of the block.")
    tokens: int = Field(800, ge=0, description="Tokens that the block in front of a message may have.")
    share: float = Field(0.1, ge=0, le=1, description="Share of the context that the block may have.")
    window: int = Field(128_000, gt=0, description="Tokens of the model's context.")
    memories: int = Field(8, ge=1, le=50, description="Remembered texts that a block shows at most.")
    recall_seconds: float = Field(
        0.5, ge=0, description="Time that a block may take; after it the turn goes on without."
    )
    first_seconds: float = Field(3.0, ge=0, description="The same for the first block of a process.")
    drain_seconds: float = Field(1.5, ge=0, description="How long the end of a process waits for reading under way.")
    model_seconds: float = Field(60.0, gt=0, description="Time limit of one reading by the model.")
    calls: int = Field(4, ge=1, description="Calls of the model that one turn may cause for reading.")


def options() -> Options:
    """The options that Bub's configuration asks for. Raises what pydantic raises where it cannot be used."""
    found = bub.ensure_config(MemorySettings)
    return Options(**found.model_dump())
