"""Exit codes: what a script can tell from them.

| code | meaning |
|---|---|
| 0 | done |
| 1 | nothing found: a search or list without a result |
| 2 | wrong usage, or input that cannot be used |
| 3 | the named memory does not exist |
| 4 | the store failed, or a check of it did |
| 5 | a model failed, or an optional package is not installed |
| 70 | a defect of Siltstone itself |
| 130 | interrupted |
| 141 | the reader of the output went away |
"""

from __future__ import annotations

from siltstone.errors import MissingDependency, ModelError, NotFound, SiltstoneError, StoreError

OK = 0
NOTHING_FOUND = 1
WRONG_INPUT = 2
NOT_FOUND = 3
STORE_FAILED = 4
MODEL_FAILED = 5
DEFECT = 70
INTERRUPTED = 130
PIPE_CLOSED = 141


def code_for(error: SiltstoneError) -> int:
    """The exit code that tells of `error`."""
    if isinstance(error, NotFound):
        return NOT_FOUND
    if isinstance(error, StoreError):
        return STORE_FAILED
    return MODEL_FAILED if isinstance(error, ModelError | MissingDependency) else WRONG_INPUT
