"""Reports: right numbers, and a page that a browser shows without complaint."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from balance.report import write_report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def report(traced_run, tmp_path_factory) -> Path:
    """A report of the small run."""
    out = tmp_path_factory.mktemp("report")
    write_report([traced_run], out)
    return out


def test_shares_are_those_of_the_tables(report, traced_run):
    """Every share of the CSV is the mean of its rows, with its n."""
    seats = pq.read_table(traced_run / "seats").to_pandas()
    for column in ("seat", "strategy"):
        shown = pd.read_csv(report / "tables" / ("seats.csv" if column == "seat" else "strategies.csv"))
        for row in shown.to_dict("records"):
            group = seats[
                (seats["players"] == row["players"])
                & (seats["variant"] == row["variant"])
                & (seats[column] == row[column])
            ]
            assert row["win share %"] == pytest.approx(100 * group["win_share"].mean())
            assert row["n"] == len(group)
            assert row["low %"] <= row["win share %"] <= row["high %"]


def test_reconstructions_are_named(report):
    """Card tables and the base deck, in the page and in Markdown."""
    for name in ("index.html", "report.md"):
        text = (report / name).read_text(encoding="utf-8")
        assert "reconstruction" in text
        assert "how many of each is a guess" in text


def test_rules_are_shown_as_a_difference_from_base(report):
    """Exactly the keys that the variant changes."""
    rules = pd.read_csv(report / "tables" / "rules.csv")
    assert sorted(rules["rule"]) == [f"krzyzacy.bonus.{players}" for players in (2, 3, 4)]
    assert list(rules["here"]) == [3, 6, 9]


def test_the_page_needs_no_other_file(report):
    """No network, no file beside it but the CSV links; every figure has an alt text."""
    page = (report / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=\"https?:", page)
    images = re.findall(r"<img ([^>]*)>", page)
    assert len(images) == 4
    assert all(
        "data:image/svg+xml" in image and re.search(r'alt="[^"]{20,}"', image) for image in images
    )
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert anchor in ids
    for link in re.findall(r'href="([^"#][^"]*)"', page):
        assert (report / link).exists()


def test_markdown_has_its_figures(report):
    """PNG files beside it."""
    text = (report / "report.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((figures/[^)]+)\)", text)
    assert len(links) == 4
    assert all((report / link).stat().st_size > 5_000 for link in links)


def test_two_runs_in_one_report(traced_run, tmp_path):
    """A chapter each; files and anchors do not collide."""
    write_report([traced_run, traced_run], tmp_path)
    assert (tmp_path / "tables" / "run2-seats.csv").exists()
    ids = re.findall(r'id="([^"]+)"', (tmp_path / "index.html").read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids))


def test_one_game_makes_a_report_without_intervals(tmp_path):
    """Nothing is known of the spread, and the page says so."""
    from conftest import play

    run = play(tmp_path / "run", games=1, players=[2])
    write_report([run], tmp_path / "out")
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "one deck gives no interval" in text
    assert not re.search(r"\b(inf|nan)\b", text)


def test_an_unfinished_run_is_not_reported(traced_run, tmp_path):
    """One line that says how to finish it."""
    from balance.errors import BalanceError

    run = tmp_path / "run"
    shutil.copytree(traced_run, run)
    info = (run / "run.json").read_text(encoding="utf-8")
    (run / "run.json").write_text(info.replace('"finished"', '"interrupted"'), encoding="utf-8")
    with pytest.raises(BalanceError, match="--resume"):
        write_report([run], tmp_path / "out")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)")
@pytest.mark.parametrize("width", [400, 1200])
def test_a_browser_shows_the_page(report, tmp_path, width):
    """No horizontal scroll, no console message, all pictures decoded; asked of headless Chromium."""
    page = (report / "index.html").read_text(encoding="utf-8")
    probe = """<script>addEventListener('load', () => {
      const broken = [...document.images].filter(image => !image.naturalWidth).length;
      const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      document.title = `wide ${wide} broken ${broken} width ${innerWidth}`;
    });</script></body>"""
    # Headless Chromium opens no window narrower than 500 px: the page is shown in a frame instead.
    (tmp_path / "page.html").write_text(page.replace("</body>", probe), encoding="utf-8")
    frame = f"""<iframe id="f" src="page.html" style="width:{width}px;height:900px;border:0"></iframe>
    <script>const frame = document.getElementById('f');
      frame.addEventListener('load', () => setTimeout(() => {{
        document.body.dataset.found = frame.contentDocument.title; }}, 300));</script>"""
    (tmp_path / "frame.html").write_text(f"<!DOCTYPE html><body>{frame}</body>", encoding="utf-8")
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
    ]
    command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command += ["--allow-file-access-from-files", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--enable-logging=stderr", "--virtual-time-budget=4000", "--dump-dom"]
    shown = subprocess.run(
        [*command, (tmp_path / "frame.html").as_uri()], capture_output=True, text=True, timeout=90
    )
    found = re.search(r'data-found="wide (-?\d+) broken (\d+) width (\d+)"', shown.stdout)
    assert found, shown.stdout[-500:]
    wide, broken, seen = map(int, found.groups())
    assert seen == width
    assert wide <= 0
    assert broken == 0
    assert "CONSOLE" not in shown.stderr
