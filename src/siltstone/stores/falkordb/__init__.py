"""The store on a FalkorDB server: journals in streams, and beside them one graph a user to look at and to query."""

from siltstone.stores.falkordb.store import FalkorDBStore

__all__ = ["FalkorDBStore"]
