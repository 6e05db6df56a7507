"""Take the README's pictures of the first screen, in English, light and dark, and in Polish, and quote its headline.

Needs Chromium.

python tools/pictures runs/first-look
"""

from __future__ import annotations

import re
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.browser import open_browser  # noqa: E402

import balance  # noqa: E402
from balance.report import write_report  # noqa: E402
from balance.runs.folder import RunFolder  # noqa: E402
from balance.runs.strength import in_telling_tier  # noqa: E402

WIDTH, HEIGHT = 1120, 900
WRAPPED = 148  # characters of a line of the README
PICTURES = (("en", False, "first-screen"), ("en", True, "first-screen-dark"), ("pl", False, "first-screen-pl"))


def main() -> None:
    run = in_telling_tier(RunFolder.open_finished(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as folder, open_browser(Path(folder)) as browser:
        for language, dark, name in PICTURES:
            balance.use_language(language)
            page = Path(folder) / language / "index.html"
            if not page.exists():
                write_report([run], page.parent)
            tab = browser.open()
            tab.size(WIDTH, HEIGHT, dark)
            tab.go(page.as_uri())
            (ROOT / "docs" / f"{name}.png").write_bytes(tab.picture())
            print(f"docs/{name}.png")
        quote(headline_of(Path(folder) / "en" / "report.md"))


def headline_of(page: Path) -> str:
    """Return what a written page answers first."""
    (line,) = re.findall(r"^\*\*.+\?\*\* (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return str(line)


def quote(headline: str) -> None:
    """Write the headline into the README, as its only quotation."""
    lines = textwrap.wrap(headline, WRAPPED, initial_indent="> ", subsequent_indent="> ")
    readme = (ROOT / "README.md").read_text("utf-8")
    found, count = re.subn(r"(^> .*\n)+", lambda _: "\n".join(lines) + "\n", readme, flags=re.MULTILINE)
    assert count == 1, "the README has one quotation"
    (ROOT / "README.md").write_text(found, "utf-8")


if __name__ == "__main__":
    main()
