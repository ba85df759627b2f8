"""The command `siltstone`: one file a command; `app` puts them together, `command` runs them."""

from siltstone.cli.app import app, main

__all__ = ["app", "main"]
