"""Where the engine and the packages that it needs lie: in `lib` beside this file. Standard library only."""

from __future__ import annotations

import json
import sys
import sysconfig
from pathlib import Path
from typing import Any

LIB = Path(__file__).resolve().parent / "lib"
MEND = "run: siltstone hermes install"


def tag() -> str:
    """What names the folder of packages for this Python: they are compiled for one version and platform."""
    return f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"


def reach() -> None:
    """Make `import siltstone` find the engine in `lib`, and let its packages come after whatever the host has."""
    packages = str(LIB / tag())
    if Path(packages).is_dir() and packages not in sys.path:
        sys.path.append(packages)
    if "siltstone" not in sys.modules and (LIB / "siltstone").is_dir():
        sys.path.insert(0, str(LIB))
        try:
            __import__("siltstone")
        finally:
            sys.path.remove(str(LIB))


class Absent:
    """A provider for a plugin whose engine cannot be imported: does nothing, and says why wherever it is asked."""

    name = "siltstone"

    def __init__(self, reason: str) -> None:
        self.reason = f"the engine cannot be imported: {reason}; {MEND}"

    def is_available(self) -> bool:
        """Yes: a provider that says no is left out without a word."""
        return True

    def unavailable_reason(self) -> str:
        """Why there is no memory."""
        return self.reason

    def initialize(self, session_id: str, **told: Any) -> None:
        """Tell the person at the terminal what is wrong."""
        if callable(warn := told.get("warning_callback")):
            warn(f"siltstone: {self.reason}")

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """One tool, so that the model can say what is wrong."""
        about = "Search long-term memory. It is out of order at present: the answer says why."
        parameters = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
        return [{"name": "siltstone_search", "description": about, "parameters": parameters}]

    def handle_tool_call(self, tool_name: str, args: Any, **told: Any) -> str:
        """The reason, as JSON."""
        return json.dumps({"error": self.reason})

    def get_status_config(self, provider_config: Any) -> dict[str, str]:
        """What the host's status shows."""
        return {"problem": self.reason}

    def prefetch(self, query: str, **told: Any) -> str:
        """No memory."""
        return ""

    def __getattr__(self, hook: str) -> Any:
        texts = {"system_prompt_block", "on_pre_compress"}
        lists = {"get_config_schema", "backup_paths"}
        if hook.startswith(("on_", "queue_")) or hook in {"sync_turn", "shutdown", "save_config", *texts, *lists}:
            return lambda *given, **named: "" if hook in texts else [] if hook in lists else None
        raise AttributeError(hook)
