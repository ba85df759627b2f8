"""What the host's dashboard shows of the settings. Needs nothing but the host's schema, and that only when it is asked."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "CONFIG_SCHEMA":
        return _schema()
    raise AttributeError(name)


def _schema() -> Any:
    from plugins.memory.config_schema import ProviderConfigSchema

    return ProviderConfigSchema(name="siltstone", label="Siltstone", fields=(*_whose(), *_recall(), *_keeping()))


def _switch(key: str, label: str, default: bool, description: str, **more: Any) -> Any:
    from plugins.memory.config_schema import KIND_BOOL, ProviderField

    text = str(default).lower()
    return ProviderField(key=key, label=label, kind=KIND_BOOL, default=text, description=description, **more)


def _number(key: str, label: str, default: int, description: str) -> Any:
    from plugins.memory.config_schema import KIND_NUMBER, ProviderField

    return ProviderField(key=key, label=label, kind=KIND_NUMBER, default=str(default), description=description)


def _text(key: str, label: str, description: str, **more: Any) -> Any:
    from plugins.memory.config_schema import ProviderField

    return ProviderField(key=key, label=label, description=description, **more)


def _whose() -> tuple[Any, ...]:
    place = "Empty for a file in this home, or redis://[:password@]host:port/db."
    return (
        _text("url", "Store", place, placeholder="a file in the home", inline=True),
        _text("user_id", "User", "One person for all platforms; empty: the platform's user."),
        _text("agent_id", "Agent", "The name this agent writes under; empty: the profile."),
        _switch("is_primary", "Primary agent", True, "Whether this agent recalls what the user's other agents wrote."),
    )


def _recall() -> tuple[Any, ...]:
    from plugins.memory.config_schema import KIND_SELECT, ProviderField, ProviderFieldOption

    languages = (("auto", "As the message"), ("en", "English"), ("zh", "中文"))
    options = tuple(ProviderFieldOption(value=value, label=label) for value, label in languages)
    about: dict[str, Any] = {"kind": KIND_SELECT, "default": "auto", "options": options}
    repeat = "Recall what stands in MEMORY.md and USER.md too, though the prompt holds it."
    return (
        _switch("recall", "Recall", True, "Whether memories are put into prompts.", inline=True),
        _number("max_hits", "Memories", 5, "Memories in one prompt at most."),
        _number("token_budget", "Tokens", 500, "Tokens they may take."),
        ProviderField(key="language", label="Language", description="Language of the heading above them.", **about),
        _switch("repeat_files", "Repeat the files", True, repeat),
    )


def _keeping() -> tuple[Any, ...]:
    return (
        _switch("archive", "Archive", False, "Keep every turn of the conversation too, secrets masked."),
        _switch("maintain", "Upkeep", True, "Do the upkeep that is due when a session ends."),
    )
