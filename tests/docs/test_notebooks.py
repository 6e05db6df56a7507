"""Every notebook runs from clean; none is kept with outputs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
# In a process of its own: the client's event loop is not this one's.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def test_there_are_notebooks():
    """One for each story."""
    assert len(NOTEBOOKS) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    """Without an error or a warning; tables and pictures come out."""
    done = tmp_path / "done.ipynb"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", EXECUTE, str(path), str(done)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=400,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-3000:]
    outputs = [
        out for cell in nbformat.read(done, as_version=4).cells for out in cell.get("outputs", [])
    ]
    assert not [out for out in outputs if out.get("name") == "stderr"], outputs
    assert any("text/html" in out.get("data", {}) for out in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path):
    """What is in git is the story; figures come anew."""
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].cell_type == "markdown"
    assert notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
