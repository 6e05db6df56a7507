"""Take the README's pictures of the first screen: in English, light and dark, and in Polish. Needs Chromium.

python tools/pictures runs/first-look
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.browser import open_browser  # noqa: E402

import balance  # noqa: E402
from balance.report import write_report  # noqa: E402
from balance.runs.folder import RunFolder  # noqa: E402
from balance.runs.strength import in_telling_tier  # noqa: E402

WIDTH, HEIGHT = 1120, 900
PICTURES = (
    ("en", False, "first-screen"),
    ("en", True, "first-screen-dark"),
    ("pl", False, "first-screen-pl"),
)


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


if __name__ == "__main__":
    main()
