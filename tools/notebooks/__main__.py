"""Run the notebooks, which are stored without outputs, and write each as a page of the site: `tools/notebooks [NAME]`.

A page that is newer than its notebook and the package is kept.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "notebooks"
SECONDS = 1200  # for one cell


def main(names: list[str]) -> None:
    """Write the pages of these notebooks; without a name those of all."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        page = OUT / f"{path.stem}.md"
        if (names and path.stem not in names) or is_new(page, path):
            continue
        print(path.stem, flush=True)
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=SECONDS, kernel_name="python3").execute()
        page.write_text("\n\n".join(write_cells(notebook, path.stem)) + "\n", encoding="utf-8")


def is_new(page: Path, notebook: Path) -> bool:
    """Return whether a page is newer than everything that it shows."""
    sources = [notebook, *(ROOT / "balance").rglob("*.py")]
    return page.exists() and page.stat().st_mtime > max(path.stat().st_mtime for path in sources)


def write_cells(notebook: Any, stem: str) -> Iterator[str]:
    """Yield the cells of a notebook and their outputs as Markdown; pictures are written next to the page."""
    pictures = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            yield cell.source
            continue
        yield f"```python\n{cell.source}\n```"
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data:
                pictures += 1
                name = f"{stem}-{pictures}.png"
                (OUT / name).write_bytes(base64.b64decode(data["image/png"]))
                yield f"![]({name})"
            elif "text/html" in data:
                yield f'```{{raw}} html\n<div class="shown">{data["text/html"]}</div>\n```'
            elif text := output.get("text") or data.get("text/plain"):
                yield f"```text\n{text.rstrip()}\n```"


if __name__ == "__main__":
    main(sys.argv[1:])
