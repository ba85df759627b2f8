"""The conversation under way: its id, its turns, and which memories it has been shown, so that none is shown twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

KEPT = 64
"""Conversations whose shown memories are remembered in one process."""
TURN_LIMIT = 200


class Conversation:
    """Where a provider stands. Hooks come from several threads."""

    def __init__(self, session_id: str = "") -> None:
        self._lock = threading.Lock()
        self._shown: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._taken: list[str] = []
        self.session_id, self.turn = session_id, 0

    def shown(self, session_id: str = "") -> dict[str, str]:
        """The memories that this conversation has been shown: id as printed → whole id; a copy."""
        with self._lock:
            return dict(self._shown.get(session_id or self.session_id, {}))

    @property
    def turn_name(self) -> str:
        """What names the turn under way, so that what is said of a memory in it counts once."""
        return f"{self.session_id or 'session'}#{self.turn}"[-TURN_LIMIT:]

    def show(self, pairs: Iterable[tuple[str, str]], session_id: str = "", *, taken: bool = False) -> None:
        """These were shown now; `taken` into the prompt."""
        with self._lock:
            name, shown = session_id or self.session_id, dict(pairs)
            self._taken += shown.values() if taken else ()
            self._shown.setdefault(name, {}).update(shown)
            self._shown.move_to_end(name)
            while len(self._shown) > KEPT:
                self._shown.popitem(last=False)

    def taken(self) -> Sequence[str]:
        """The memories that were put into prompts since this was asked last."""
        with self._lock:
            taken, self._taken = self._taken, []
            return taken

    def unsaid(self, memory_id: str) -> None:
        """This memory may be shown again: it has changed."""
        with self._lock:
            for shown in self._shown.values():
                for printed in [key for key, whole in shown.items() if whole == memory_id]:
                    del shown[printed]

    def switch(self, session_id: str, *, parent: str = "", afresh: bool, branch: bool = False) -> None:
        """Go on in another conversation, or in the same one from an earlier point.

        `afresh`: what was shown is no longer in the transcript. A branch has its parent's transcript so far.
        """
        with self._lock:
            inherited = dict(self._shown.get(parent or self.session_id, {})) if branch else None
            self.session_id = session_id or self.session_id
            if afresh:
                self._shown.pop(self.session_id, None)
            elif inherited is not None:
                self._shown[self.session_id] = inherited
            self.turn = 0 if afresh or inherited is not None else self.turn
