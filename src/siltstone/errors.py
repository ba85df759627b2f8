"""Every error that Siltstone raises, as one tree.

    SiltstoneError
    ├── InvalidInput          (ValueError)   an argument cannot be used as it is
    │   ├── UnknownFilter                    a filter key that no memory has
    │   └── UnknownSetting                   a settings key or variable that does not exist
    ├── NotFound              (LookupError)  the named memory does not exist for this user
    ├── FormatError           (ValueError)   a file or line to import cannot be read
    ├── MemoryPaused                         writes of this user are paused for now; nothing was kept
    ├── StoreError
    │   ├── StoreUnavailable                 the store cannot be opened or reached
    │   ├── StoreBusy                        another writer held the store for longer than the wait
    │   ├── StoreCorrupt                     the journal or a projection is damaged
    │   └── SchemaTooNew                     a newer Siltstone wrote this store
    ├── ModelError
    │   ├── ModelUnavailable                 the endpoint cannot be reached, timed out or refused
    │   │   └── ModelRefused                 this very request is refused, and would be again
    │   └── ModelAnswerInvalid               the answer has the wrong form, count or dimension
    └── MissingDependency     (ImportError)  an optional package is not installed

A message has three parts: what happened, with which value, and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SiltstoneError(Exception):
    """Base of all errors that Siltstone raises on purpose."""


class InvalidInput(SiltstoneError, ValueError):
    """An argument cannot be used as it is."""


class UnknownFilter(InvalidInput):
    """A filter key that no memory has."""


class UnknownSetting(InvalidInput):
    """A settings key or environment variable that does not exist."""


class NotFound(SiltstoneError, LookupError):
    """The named memory does not exist for this user."""


class FormatError(SiltstoneError, ValueError):
    """A file or line to import cannot be read."""


class MemoryPaused(SiltstoneError):
    """Writes of this user are paused for now; nothing was kept."""


class StoreError(SiltstoneError):
    """Base of what can go wrong in a store."""


class StoreUnavailable(StoreError):
    """The store cannot be opened or reached."""


class StoreBusy(StoreError):
    """Another writer held the store for longer than the configured wait."""


class StoreCorrupt(StoreError):
    """The journal or a projection is damaged."""


class SchemaTooNew(StoreError):
    """A newer Siltstone wrote this store; this one would not understand it."""


class ModelError(SiltstoneError):
    """Base of what can go wrong with a model."""


class ModelUnavailable(ModelError):
    """The model's endpoint cannot be reached, timed out or refused the request."""


class ModelRefused(ModelUnavailable):
    """The server lives and refuses this request for good; `status` is its HTTP status."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class ModelAnswerInvalid(ModelError):
    """The model's answer has the wrong form, count or dimension."""


class MissingDependency(SiltstoneError, ImportError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"the package {package!r} is not installed; run: pip install 'siltstone[{extra}]'")
        self.package, self.extra = package, extra


def nearest(name: str, known: Iterable[str]) -> str:
    """A half-sentence that names the known spelling closest to `name`, or all of them where none is close."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}"
