"""The store on a Redis server, with a word index of its search module where it has one."""

from siltstone.stores.redis.store import RedisStore

__all__ = ["RedisStore"]
