"""How often the server is asked: a recall once, a write once or twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from embedders import WordEmbedder
from servers import RunningServer
from siltstone import Memory
from siltstone.stores.redis import RedisStore
