"""Every notebook runs on the public API, has a conclusion, leaves no file, and is stored without outputs."""

import ast
import base64
import importlib
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# In a process of its own: the client's event loop is not this one's.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def test_there_are_notebooks():
    """There is one for each story, and the README gives their number."""
    count = ("twelve", "thirteen", "fourteen")[len(NOTEBOOKS) - 12]
    assert f"{count} designers' stories in Jupyter" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    """It runs without errors or warnings, shows tables and pictures, and leaves no file."""
    done = tmp_path / "done.ipynb"
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    result = subprocess.run(
        [sys.executable, "-c", EXECUTE, str(path), str(done)],
        cwd=here, env={**os.environ, "TMPDIR": str(temporary)}, capture_output=True, text=True, timeout=400,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-3000:]
    assert [*here.rglob("*"), *temporary.rglob("*")] == []
    outputs = [out for cell in nbformat.read(done, as_version=4).cells for out in cell.get("outputs", [])]
    assert not [out for out in outputs if out.get("name") == "stderr"], outputs
    shown = [out.get("data", {}) for out in outputs]
    pages = [data.get("text/html", "") for data in shown]
    assert any("<table" in html for html in pages)
    assert any("<img" in html for html in pages) or any("image/png" in data for data in shown)


def test_a_page_of_the_site_has_the_outputs(tmp_path, monkeypatch):
    """Text, code, a frame, a picture and printed lines, in this order; the picture is a file next to the page."""
    tool = importlib.import_module("tools.notebooks.__main__")
    monkeypatch.setattr(tool, "OUT", tmp_path)
    new = nbformat.v4
    shown = [
        new.new_output("execute_result", {"text/html": "<table></table>", "text/plain": "frame"}),
        new.new_output("display_data", {"image/png": base64.b64encode(b"picture").decode(), "text/plain": "figure"}),
        new.new_output("stream", text="printed\n"),
    ]
    cells = [new.new_markdown_cell("# Title"), new.new_code_cell("show()", outputs=shown)]
    written = list(tool.write_cells(new.new_notebook(cells=cells), "01-first"))
    assert written == [
        "# Title",
        "```python\nshow()\n```",
        '```{raw} html\n<div class="shown"><table></table></div>\n```',
        "![](01-first-1.png)",
        "```text\nprinted\n```",
    ]
    assert (tmp_path / "01-first-1.png").read_bytes() == b"picture"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_needs_no_internals(path):
    """A designer may use `balance` itself and packages that everyone has."""
    code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    imported = set()
    for node in ast.walk(ast.parse("\n".join(code))):
        if isinstance(node, ast.Import):
            imported.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert "balance" in imported
    everyones = {"numpy", "pandas", "matplotlib", "matplotlib.pyplot", "pathlib", "tempfile"}
    assert imported <= {"balance", "balance.envs"} | everyones


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_concludes(path):
    """The last cell states the result for the designer."""
    last = nbformat.read(path, as_version=4).cells[-1]
    assert last.cell_type == "markdown"
    assert last.source.startswith("## What we conclude\n")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path):
    """Git stores the story; figures are drawn again."""
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].cell_type == "markdown"
    assert notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
