"""The write path: what a caller gives becomes events. One stage = one file = one function over values.

`intake` is the first stage: strings and messages of any known form become the texts to keep. `STAGES` names the stages
that turn a kept turn into beliefs; none is built yet, so a turn is kept and indexed as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from siltstone.domain.events import Draft, Event
from siltstone.ports.stores import View

Stage = Callable[[Sequence[Event], View], Sequence[Draft]]

STAGES: tuple[Stage, ...] = ()
