"""FAISS, Chroma, NetworkX and the exact token counter, in the environment that `.ci/vectors` makes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = "SILTSTONE_TEST_VECTORS"
RUN = ("test_vector_stores.py", "test_graph.py", "test_retrieval.py")
NEEDED = "faiss, chromadb, networkx, quicktok"


@pytest.mark.slow
def test_it_works_with_the_packages_of_others() -> None:
    """With the packages there, every test that needs them runs and passes, and none is skipped."""
    named = os.environ.get(VARIABLE)
    python = Path(named) if named else ROOT / ".venv-vectors" / "bin" / "python"
    if named and not python.exists():
        pytest.fail(f"{VARIABLE} names {named!r}, which is no interpreter")
    if not python.exists():
        pytest.skip(
            f"optional package not installed: run .ci/vectors, or set {VARIABLE} to an interpreter with {NEEDED}"
        )
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}
    files = [str(ROOT / "tests" / "context" / name) for name in RUN]
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    ran = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "skipped" not in ran.stdout.splitlines()[-1], ran.stdout[-3000:]
