"""An index of a partition for a piece of work beside recall: read anew, without vectors."""

from __future__ import annotations

from siltstone.ports.stores import Partition
from siltstone.retrieval.corpus import Corpus


def indexed(partition: Partition) -> Corpus:
    """The user's rows as they are now."""
    corpus = Corpus(())
    corpus.refresh(partition)
    return corpus
