"""Take the READMEs' pictures of the first screen, light and dark, and quote its headline, in English and Polish.

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
READMES = {"en": "README.md", "pl": "README.pl.md"}
PICTURES = {"en": "first-screen", "pl": "first-screen-pl"}


def main() -> None:
    run = in_telling_tier(RunFolder.open_finished(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as folder, open_browser(Path(folder)) as browser:
        for language, name in PICTURES.items():
            balance.use_language(language)
            page = Path(folder) / language / "index.html"
            write_report([run], page.parent)
            for dark in (False, True):
                tab = browser.open()
                tab.size(WIDTH, HEIGHT, dark)
                tab.go(page.as_uri())
                picture = ROOT / "docs" / f"{name}{'-dark' * dark}.png"
                picture.write_bytes(tab.picture())
                print(picture.relative_to(ROOT))
            quote(headline_of(page.with_name("report.md")), ROOT / READMES[language])


def headline_of(page: Path) -> str:
    """Return what a written page answers first."""
    (line,) = re.findall(r"^\*\*.+\?\*\* (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return str(line)


def quote(headline: str, path: Path) -> None:
    """Write the headline into a README, as its only quotation."""
    lines = textwrap.wrap(headline, WRAPPED, initial_indent="> ", subsequent_indent="> ")
    readme = path.read_text("utf-8")
    found, count = re.subn(r"(^> .*\n)+", lambda _: "\n".join(lines) + "\n", readme, flags=re.MULTILINE)
    assert count == 1, "the README has one quotation"
    path.write_text(found, "utf-8")


if __name__ == "__main__":
    main()
