"""Run as a script in a fresh interpreter: imports the package and prints, as JSON, what that did."""

from __future__ import annotations

import json
import logging
import os
import pkgutil
import sys
import threading
from importlib import import_module
from types import FrameType
from typing import Any

PACKAGE = "siltstone"
WATCHED = ("open", "os.mkdir", "os.listdir", "os.scandir", "socket.connect", "sqlite3.connect", "subprocess.Popen")
IMPORTING = ("importlib", "_frozen_importlib", "pkgutil", "zipimport")


def foreign() -> list[str]:
    """Loaded modules that are neither ours nor the standard library's."""
    known = {*sys.stdlib_module_names, PACKAGE, "__main__", "__mp_main__"}
    # An editable install and the site module may put a finder of their own there.
    return sorted(name for name in sys.modules if name.split(".")[0] not in known and not name.startswith("_"))


def import_package() -> dict[str, list[str]]:
    """What the bare import loads."""
    before = set(foreign())
    import_module(PACKAGE)
    return {"foreign": sorted(set(foreign()) - before)}


def import_names() -> dict[str, list[str]]:
    """What touching each public name loads."""
    before = set(foreign())
    package = import_module(PACKAGE)
    for name in package.__all__:
        getattr(package, name)
    return {"foreign": sorted(set(foreign()) - before)}


def import_everything() -> None:
    """Import every module of the package, but for those that speak to a host that is not in this environment."""
    package = import_module(PACKAGE)
    for found in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        if not found.name.endswith("__main__"):
            try:
                import_module(found.name)
            except ModuleNotFoundError as error:
                if not found.name.startswith(f"{PACKAGE}.hosts.") or (error.name or "").startswith(PACKAGE):
                    raise


class Watch:
    """Notes what our modules do while they are imported."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.environment: list[str] = []

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """An audit hook: a watched event that one of our modules caused itself."""
        if event in WATCHED and (module := _ours(sys._getframe(1))):
            self.opened.append(f"{module}: {event} {arguments[0]!r}")

    def watch_environment(self) -> None:
        """Note each variable that is read."""
        kind = type(os.environ)
        read = kind.__getitem__

        def noted(mapping: Any, name: str) -> str:
            if module := _ours(sys._getframe(1)):
                self.environment.append(f"{module}: {name}")
            return read(mapping, name)

        kind.__getitem__ = noted  # type: ignore[method-assign]


def _ours(frame: FrameType | None) -> str:
    """The nearest module of ours on the stack, or nothing where the import machinery is nearer."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.split(".")[0] == PACKAGE:
            return module
        if module.split(".")[0] in IMPORTING:
            return ""
        frame = frame.f_back
    return ""


def import_watched() -> dict[str, list[str]]:
    """What our modules do on import, other packages being loaded before."""
    handlers = list(logging.getLogger().handlers)
    import_everything()
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]
    threads = set(threading.enumerate())
    watch = Watch()
    sys.addaudithook(watch.audit)
    watch.watch_environment()
    import_everything()
    return {
        "environment": watch.environment,
        "handlers": [repr(handler) for handler in logging.getLogger().handlers if handler not in handlers],
        "opened": watch.opened,
        "threads": [thread.name for thread in threading.enumerate() if thread not in threads],
    }


if __name__ == "__main__":
    modes = {"package": import_package, "names": import_names, "effects": import_watched}
    print(json.dumps(modes[sys.argv[1]]()))
