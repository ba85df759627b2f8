"""Vector stores of others in the form that a context takes. Each wraps what its package made; none loads a package."""

from siltstone.context.adapters.chroma import ChromaVectors
from siltstone.context.adapters.faiss import FaissVectors

__all__ = ["ChromaVectors", "FaissVectors"]
