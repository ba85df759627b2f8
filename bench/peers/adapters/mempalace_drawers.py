"""MemPalace: a drawer a turn, its own hybrid search, and the shared embedder behind its OpenAI-compatible setting."""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import shared
from locomo_data import Sample


class Endpoint(BaseHTTPRequestHandler):
    """`/v1/embeddings` over the shared embedder."""

    embedder: shared.SharedEmbedder
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """One vector a text."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        texts = [asked] if isinstance(asked, str) else asked
        rows = [
            {"index": place, "embedding": vector} for place, vector in enumerate(self.embedder.texts(texts).tolist())
        ]
        body = json.dumps({"data": rows, "model": "minilm"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def serve(embedder: shared.SharedEmbedder) -> str:
    """The base address of a running endpoint."""
    handler = type("Handler", (Endpoint,), {"embedder": embedder})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


class MemPalace:
    """A wing a conversation, a room a session."""

    def __init__(self, folder: Path) -> None:
        from mempalace.palace import get_collection

        self._palace = str(folder / "palace")
        self._collection = get_collection(self._palace)

    def add(self, sample: Sample) -> None:
        """File the turns."""
        from mempalace.miner import add_drawer

        for turn in sample.turns:
            if turn.text:
                name = f"{sample.id}/{turn.id}"
                add_drawer(
                    self._collection, sample.id, f"session-{turn.session}", shared.spoken(turn), name, 0, "bench"
                )

    def search(self, conversation: str, question: str, depth: int) -> list[str]:
        """Turn ids, best first."""
        from mempalace.searcher import search_memories

        found = search_memories(question, self._palace, wing=conversation, n_results=depth)
        return [str(hit["source_file"]).rsplit("/", 1)[-1] for hit in found["results"]]


def open_system(folder: Path, vectors: Path, option: str) -> MemPalace:
    """The system, in its folder."""
    os.environ["MEMPALACE_EMBEDDING_MODEL"] = "openai-compat"
    os.environ["MEMPALACE_EMBEDDING_API_URL"] = serve(shared.SharedEmbedder(vectors))
    os.environ["MEMPALACE_EMBEDDING_API_MODEL"] = "minilm"
    return MemPalace(folder)
