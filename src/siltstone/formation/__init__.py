"""The write path: what a caller gives is kept, and what is kept becomes beliefs. One stage = one file.

`intake` turns strings and messages of any known form into the texts to keep. `pipeline` takes each kept turn through
`STAGES`: models are asked outside the commit, and what the stages decide is one commit a turn.
"""

from __future__ import annotations

STAGES = ("decompose", "gate", "pool", "promote", "chain", "snapshot")
"""The stages that a kept turn passes, in order; each is a module here."""
