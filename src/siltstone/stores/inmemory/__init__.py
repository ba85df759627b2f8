"""The store that keeps everything in this process: the oracle that every other store is compared with."""

from siltstone.stores.inmemory.store import InMemoryStore

__all__ = ["InMemoryStore"]
