"""Pages in headless Chromium."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def browse(page: Path, script: str, folder: Path, width: int, silent: bool = True) -> dict[str, Any]:
    """Return the object that `script` filled in a page of this width; if `silent`, its console must stay empty.

    The script may `await`. The wait is in the browser's virtual time, which only timers advance, not work outside the
    page (such as unpacking): so the frame asks repeatedly.
    """
    text = page.read_text(encoding="utf-8")
    probe = f"""<script>addEventListener('load', () => setTimeout(async () => {{
      const found = {{}}; {script}
      document.title = JSON.stringify(found); }}, 100));</script></body>"""
    # Headless Chromium opens no window narrower than 500 px: the page is shown in a frame instead.
    (folder / "page.html").write_text(text.replace("</body>", probe), encoding="utf-8")
    frame = f"""<iframe id="f" src="page.html" style="width:{width}px;height:900px;border:0"></iframe>
    <script>const frame = document.getElementById('f');
      const ask = () => {{
        const title = frame.contentDocument.title;
        if (title.startsWith('{{')) document.body.dataset.found = btoa(unescape(encodeURIComponent(title)));
        else setTimeout(ask, 20); }};
      frame.addEventListener('load', ask);</script>"""
    (folder / "frame.html").write_text(f"<!DOCTYPE html><body>{frame}</body>", encoding="utf-8")
    options = [
        *QUIET,
        "--allow-file-access-from-files", f"--user-data-dir={folder / 'profile'}",
        "--enable-logging=stderr", "--virtual-time-budget=1000000", "--dump-dom",
    ]  # fmt: skip
    command = [str(CHROMIUM), *options, (folder / "frame.html").as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=90)
    found = re.search(r'data-found="([^"]+)"', shown.stdout)
    assert found, shown.stdout[-500:]
    assert not silent or "CONSOLE" not in shown.stderr, shown.stderr
    filled: dict[str, Any] = json.loads(base64.b64decode(found[1]))
    return filled


LOOK = """
  found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  found.broken = [...document.images].filter(image => !image.naturalWidth).length;
  found.width = innerWidth;
"""
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)")


def count_pages(page: Path, folder: Path) -> int:
    """Return the number of sheets of paper of a page."""
    options = [
        *QUIET,
        f"--user-data-dir={folder / 'profile'}", "--no-pdf-header-footer", f"--print-to-pdf={folder / 'page.pdf'}",
    ]  # fmt: skip
    subprocess.run([str(CHROMIUM), *options, page.as_uri()], capture_output=True, check=True, timeout=90)
    return len(re.findall(rb"/Type */Page\b", (folder / "page.pdf").read_bytes()))
