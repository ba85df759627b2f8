"""The default store: one SQLite file, by the standard library's `sqlite3` alone."""

from siltstone.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore"]
