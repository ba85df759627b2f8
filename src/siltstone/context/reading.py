"""What AgentMemory reads: one item, pages, counts, conversations, everything for export. Filters come before pages."""

from __future__ import annotations

import builtins
from collections import deque
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from siltstone.context import items
from siltstone.context.items import MemoryItem
from siltstone.context.options import USER, Choices, Scoped, scope, whole
from siltstone.domain.values import Entry
from siltstone.errors import InvalidInput
from siltstone.text import checks

if TYPE_CHECKING:
    from siltstone.memory import Memory

PAGE = 10_000


class MemoryReading:
    """The reading verbs over `engine`, the Memory that keeps the items."""

    engine: Memory
    choices: Choices = Choices(user_id=USER)

    def get(self, memory_id: str, *, user_id: str | None = None) -> dict[str, Any] | None:
        """The memory of that id, or None."""
        found = self.entry(memory_id, self.user(user_id))
        return None if found is None else items.as_dict(items.item(found, self.user(user_id)))

    get_memory = get

    def exists(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Whether there is a memory of that id."""
        return self.entry(memory_id, self.user(user_id)) is not None

    def list(self, *, limit: int = 100, offset: int = 0, **scoped: Unpack[Scoped]) -> builtins.list[dict[str, Any]]:
        """The memories that the filters let through, oldest first; filtered, then paged."""
        whose, narrow = scope("list", scoped, self.choices.user_id)
        last = whole("limit", limit) + _offset(offset)
        page = self.entries(whose, narrow, last)[offset:]
        return [items.as_dict(items.item(found, whose)) for found in page]

    def count(self, **scoped: Unpack[Scoped]) -> int:
        """How many memories the filters let through."""
        whose, narrow = scope("count", scoped, self.choices.user_id)
        return len(self.entries(whose, narrow))

    def get_by_user(self, user_id: str, limit: int = 100) -> builtins.list[dict[str, Any]]:
        """`list(user_id=…)`."""
        return self.list(user_id=user_id, limit=limit)

    def get_by_conversation(self, conversation_id: str, limit: int = 100) -> builtins.list[dict[str, Any]]:
        """`list(conversation_id=…)`."""
        return self.list(conversation_id=conversation_id, limit=limit)

    def get_by_type(self, type: str, limit: int = 100) -> builtins.list[dict[str, Any]]:
        """`list(type=…)`."""
        return self.list(type=type, limit=limit)

    def get_recent(self, limit: int = 10, *, user_id: str | None = None) -> builtins.list[dict[str, Any]]:
        """The newest memories, newest first."""
        whose = self.user(user_id)
        newest = sorted(self.entries(whose, {}), key=_moment)[-whole("limit", limit) :]
        return [items.as_dict(items.item(found, whose)) for found in reversed(newest)]

    def get_conversation_history(
        self,
        conversation_id: str | None = None,
        max_items: int = 100,
        *,
        user_id: str | None = None,
        reverse: bool = False,
    ) -> builtins.list[dict[str, Any]]:
        """The newest `max_items` of a conversation in the order in which they were said (None: of all)."""
        whose, narrow = scope("get_conversation_history", {"conversation_id": conversation_id}, self.user(user_id))
        said = sorted(self.entries(whose, narrow), key=_moment)[-whole("max_items", max_items) :]
        found = [items.as_dict(items.item(entry, whose)) for entry in said]
        return found[::-1] if reverse else found

    def list_conversations(self, limit: int = 50, *, user_id: str | None = None) -> builtins.list[dict[str, Any]]:
        """The conversations with how much was said in each, the last one spoken in first."""
        whose = self.user(user_id)
        found: dict[str, dict[str, Any]] = {}
        for entry in sorted(self.entries(whose, {}), key=_moment):
            if entry.session_id is not None:
                told = found.setdefault(entry.session_id, {"conversation_id": entry.session_id, "count": 0})
                told |= {"count": told["count"] + 1, "last_at": entry.occurred_at}
        return sorted(found.values(), key=lambda told: told["last_at"], reverse=True)[: whole("limit", limit)]

    @property
    def memory_items(self) -> Mapping[str, MemoryItem]:
        """All items of the context's own user, by id, oldest first; a copy."""
        whose = self.choices.user_id
        return {found.id: items.item(found, whose) for found in self.entries(whose, {})}

    @property
    def memory_index(self) -> deque[str]:
        """The ids of the context's own user, oldest first; a copy."""
        return deque(found.id for found in self.entries(self.choices.user_id, {}))

    def user(self, user_id: str | None) -> str:
        """The user that a call means. Raises InvalidInput for a blank one."""
        return self.choices.user_id if user_id is None else checks.user(user_id)

    def entry(self, memory_id: str, user_id: str) -> Entry | None:
        """The entry of that id that was not forgotten."""
        found = self.engine.get(memory_id, user_id=user_id)
        return None if found is None or found.forgotten_at is not None else found

    def entries(self, user_id: str, narrow: Mapping[str, Any], most: int | None = None) -> builtins.list[Entry]:
        """At most `most` entries in order of arrival."""
        found: builtins.list[Entry] = []
        for page in self._pages(user_id, narrow):
            found += page
            if most is not None and len(found) >= most:
                return found[:most]
        return found

    def _pages(self, user_id: str, narrow: Mapping[str, Any]) -> Iterator[builtins.list[Entry]]:
        after: str | None = None
        while page := self.engine.list(user_id=user_id, limit=PAGE, after=after, **dict(narrow)):
            yield page
            if len(page) < PAGE:
                return
            after = page[-1].id


def _moment(entry: Entry) -> tuple[float, int]:
    return entry.occurred_at.timestamp(), entry.seq


def _offset(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(f"offset cannot be {value!r}; give a whole number from 0")
    return value
