"""What the READMEs say of the first look is what its commands say."""

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"^\*\*.+\?\*\* (.+)$", re.MULTILINE)


@pytest.mark.long
def test_the_readmes_quote_the_headline_of_the_first_look(cli, tmp_path, monkeypatch):
    """`make report`, command by command, with all games."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(ROOT / "data")
    recipe = re.search(r"^report:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for line in recipe[1].splitlines():
        if "/balance " in line:
            cli("", *shlex.split(line.partition("/balance ")[2]), status=0)
    cli("report runs/first-look --out reports/pl --lang pl", status=0)
    for readme, place in (("README.md", "first-look"), ("README.pl.md", "pl")):
        (headline,) = SHOWN.findall((tmp_path / "reports" / place / "report.md").read_text("utf-8"))
        quoted = re.findall(r"^> (.*)$", (ROOT / readme).read_text("utf-8"), re.MULTILINE)
        assert " ".join(quoted) == headline
