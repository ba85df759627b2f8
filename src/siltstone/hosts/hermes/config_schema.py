"""What the host's dashboard shows of the settings. May import nothing but the host's schema."""

from __future__ import annotations

from plugins.memory.config_schema import (
    KIND_BOOL,
    KIND_NUMBER,
    KIND_SELECT,
    ProviderConfigSchema,
    ProviderField,
    ProviderFieldOption,
)

CONFIG_SCHEMA = ProviderConfigSchema(
    name="siltstone",
    label="Siltstone",
    fields=(
        ProviderField(
            key="url",
            label="Store",
            placeholder="a file in the home",
            description="Empty for a file in this home, or redis://[:password@]host:port/db.",
            inline=True,
        ),
        ProviderField(
            key="user_id", label="User", description="One person for all platforms; empty: the platform's user."
        ),
        ProviderField(
            key="agent_id", label="Agent", description="The name this agent writes under; empty: the profile."
        ),
        ProviderField(
            key="is_primary",
            label="Primary agent",
            kind=KIND_BOOL,
            default="true",
            description="Whether this agent recalls what the user's other agents wrote.",
        ),
        ProviderField(
            key="recall",
            label="Recall",
            kind=KIND_BOOL,
            default="true",
            description="Whether memories are put into prompts.",
            inline=True,
        ),
        ProviderField(
            key="max_hits",
            label="Memories",
            kind=KIND_NUMBER,
            default="5",
            description="Memories in one prompt at most.",
        ),
        ProviderField(
            key="token_budget", label="Tokens", kind=KIND_NUMBER, default="500", description="Tokens they may take."
        ),
        ProviderField(
            key="language",
            label="Language",
            kind=KIND_SELECT,
            default="auto",
            options=(
                ProviderFieldOption(value="auto", label="As the message"),
                ProviderFieldOption(value="en", label="English"),
                ProviderFieldOption(value="zh", label="中文"),
            ),
            description="Language of the heading above them.",
        ),
        ProviderField(
            key="repeat_files",
            label="Repeat the files",
            kind=KIND_BOOL,
            default="true",
            description="Recall what stands in MEMORY.md and USER.md too, though the prompt holds it.",
        ),
        ProviderField(
            key="archive",
            label="Archive",
            kind=KIND_BOOL,
            default="false",
            description="Keep every turn of the conversation too, secrets masked.",
        ),
        ProviderField(
            key="maintain",
            label="Upkeep",
            kind=KIND_BOOL,
            default="true",
            description="Do the upkeep that is due when a session ends.",
        ),
    ),
)
