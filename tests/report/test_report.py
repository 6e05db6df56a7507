"""Reports: right numbers, and a page that a browser shows without complaint."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.browser import LOOK, browse, needs_browser

from balance.analysis.shares import VERDICTS
from balance.log.folder import RunFolder
from balance.report import write_report

FIGURES = (
    "seats", "strategies", "points", "points-2", "runaway", "length", "skirmishes", "free-riding", "helpers",
    "forest-shares-krzyzacy-hard", "forest-krzyzacy-hard",
)  # fmt: skip


@pytest.fixture(scope="module")
def report(traced_run, tmp_path_factory) -> Path:
    """A report of the small run."""
    out = tmp_path_factory.mktemp("report")
    write_report([RunFolder.open_finished(traced_run)], out)
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
            assert row["value"] == pytest.approx(100 * group["win_share"].mean())
            assert row["n"] == len(group)
            assert row["low"] <= row["value"] <= row["high"]
            assert row["verdict"] in VERDICTS


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
    assert len(images) == len(FIGURES)
    assert all(
        "data:image/svg+xml" in image and re.search(r'alt="[^"]{20,}"', image) for image in images
    )
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert anchor in ids
    for link in re.findall(r'href="(?!data:)([^"#][^"]*)"', page):
        assert (report / link).exists()


def test_markdown_has_its_figures(report):
    """PNG files beside it."""
    text = (report / "report.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((figures/[^)]+)\)", text)
    assert sorted(links) == sorted(f"figures/{name}.png" for name in FIGURES)
    assert all((report / link).stat().st_size > 5_000 for link in links)


@pytest.mark.slow
def test_two_runs_in_one_report(traced_run, tmp_path):
    """A chapter each; files and anchors do not collide."""
    write_report([RunFolder.open_finished(traced_run), RunFolder.open_finished(traced_run)], tmp_path)
    assert (tmp_path / "tables" / "run2-seats.csv").exists()
    ids = re.findall(r'id="([^"]+)"', (tmp_path / "index.html").read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_one_game_makes_a_report_without_intervals(tmp_path):
    """Nothing is known of the spread, and the page says so."""
    from support.runs import play

    run = play(tmp_path / "run", games=1, players=[2])
    write_report([RunFolder.open_finished(run)], tmp_path / "out")
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
        write_report([RunFolder.open_finished(run)], tmp_path / "out")


def test_the_first_screen_answers_and_leads_to_the_evidence(report):
    """Question, one sentence, a grid whose cells lead to sections that are there, at most five findings."""
    page = (report / "index.html").read_text(encoding="utf-8")
    first = page[: page.index("<main>")]
    assert "What does krzyzacy-hard change, with 2, 3 and 4 players?" in first
    assert len(re.findall(r"<h1>[^<]+\.</h1>", first)) == 1
    cells = re.findall(
        r'<td class="(\w+) (\w+)[^"]*"><a href="#([^"]+)" data-pick="([^"]+)" title="([^"]+)"', first
    )
    rows = re.findall(r'<th scope="row"><a href="#([^"]+)">', first)
    assert rows == ["seats", "strategies", "runaway", "length"]  # too few games to tell of luck
    assert len(cells) == len(rows) * 3 * 2
    for kind, state, anchor, variant, told in cells:
        assert kind in ("good", "watch", "bad", "open")
        assert (state == "base") == (variant == "base")
        assert f'id="{anchor}"' in page
        assert re.search(r"\([\d.-]+ to [\d.]+\), n = [\d,]+", told), told
    findings = re.findall(r"<li><div><p>.*?</small>", first, re.S)
    assert len(findings) <= 5
    for finding in findings:
        (anchor,) = re.findall(r'href="#([^"]+)"', finding)
        assert f'id="{anchor}"' in page
        assert re.search(r"n = [\d,]+", finding)
        assert not re.search(r"\bp [<=]|equilibrium|\bcell\b|\b1 points|seat 0", finding)


def test_markdown_has_the_grid(report):
    """A table with the same words."""
    text = (report / "report.md").read_text(encoding="utf-8")
    head = (
        "| | 2 players, base | 2 players, krzyzacy-hard | 3 players, base | 3 players, krzyzacy-hard |"
    )
    assert head in text
    assert re.search(r"^\| Seats fair \(furthest seat, % of wins\) \|( [^|]+ \|){6}$", text, re.M)


@pytest.mark.slow
def test_a_report_without_rounds_says_what_is_missing(tmp_path):
    """And one of a single strategy has nothing to compare."""
    from support.runs import play

    write_report([RunFolder.open_finished(play(tmp_path / "run", games=8))], tmp_path / "out")
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "play with log level rounds" in text
    assert "One strategy sits on every seat" in text
    assert "## Tempo" not in text


@needs_browser
@pytest.mark.parametrize("width", [400, 1200])
def test_a_browser_shows_the_page(report, tmp_path, width):
    """No horizontal scroll, no console message, all pictures decoded."""
    found, log = browse(report / "index.html", LOOK, tmp_path, width)
    assert found["width"] == width
    assert found["wide"] <= 0
    assert found["broken"] == 0
    assert "CONSOLE" not in log


@needs_browser
@pytest.mark.parametrize("width", [400, 1300])
def test_the_first_screen_is_one_screen(report, tmp_path, width):
    """Answer and grid stand in the window without scrolling, and no word is cut where there is room."""
    script = """
      const low = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
      found.answer = low('h1'); found.grid = low('table.grid'); found.height = innerHeight;
      const cells = [...document.querySelectorAll('.grid tbody td b')];
      found.cut = cells.filter(each => each.scrollWidth > each.clientWidth + 1).length;
      found.words = document.body.innerText.split(/\\s+/).length;
    """
    found, log = browse(report / "index.html", script, tmp_path, width)
    assert found["answer"] < found["grid"] <= found["height"] == 900
    assert found["cut"] == 0
    assert found["words"] < 8_000
    assert "CONSOLE" not in log


@needs_browser
def test_the_switch_shows_one_variant_beside_the_first(report, tmp_path):
    """It is kept in the address, moves every section at once, and a cell of the grid moves it too."""
    script = """
      const shown = (name) => [...document.querySelectorAll(`[data-of="${name}"]`)].filter(each => !each.hidden).length;
      const pick = (name) => document.querySelector(`.switch input[value="${name}"]`).click();
      pick('base'); found.base = [shown('base'), shown('krzyzacy-hard'), location.hash];
      pick('krzyzacy-hard'); found.hard = [shown('base'), shown('krzyzacy-hard'), location.hash];
      location.hash = '#base';
      dispatchEvent(new HashChangeEvent('hashchange')); found.hash = shown('krzyzacy-hard');
      document.querySelector('.grid a[data-pick="krzyzacy-hard"]').click(); found.cell = shown('krzyzacy-hard');
    """
    found, log = browse(report / "index.html", script, tmp_path, 1200)
    beside, none, address = found["base"]
    assert (none, address) == (0, "#base")
    assert beside > 40
    assert found["hard"][0] == beside
    assert found["hard"][1] > 40
    assert found["hard"][2] == "#krzyzacy-hard"
    assert found["hash"] == 0
    assert found["cell"] == found["hard"][1]
    assert "CONSOLE" not in log


@needs_browser
def test_links_work_and_tables_sort(report, tmp_path):
    """Every contents link scrolls to its heading; every column of every table sorts both ways."""
    script = """
      found.links = found.missing = found.unmoved = 0;
      for (const fold of document.querySelectorAll('details')) fold.open = true;
      for (const link of document.querySelectorAll('a[href^="#"]')) {
        const target = document.getElementById(link.getAttribute('href').slice(1));
        found.links += 1;
        if (!target) { found.missing += 1; continue; }
        document.documentElement.style.scrollBehavior = 'auto';
        link.click();
        const top = target.getBoundingClientRect().top;
        if (top < -2 || top > innerHeight) found.unmoved += 1;
      }
      const number = (text) => parseFloat(text.replace(/^(<|p =)\\s*/, '').replace(/,/g, ''));
      found.columns = found.unsorted = 0;
      for (const table of document.querySelectorAll('table.sortable'))
        [...table.tHead.rows[0].cells].forEach((head, column) => {
          const rows = () => [...table.tBodies[0].rows];
          const keys = () => rows().map(row => number(row.cells[column].textContent));
          const before = rows().length;
          for (const sign of [1, -1]) {
            head.firstElementChild.click();
            const now = keys();
            found.columns += 1;
            if (rows().length !== before) found.unsorted += 1;
            if (now.every(key => !Number.isNaN(key)) && now.some((key, i) => i && sign * (key - now[i - 1]) < 0))
              found.unsorted += 1;
          }
        });
    """
    found, log = browse(report / "index.html", script, tmp_path, 1200)
    assert found["links"] > 25
    assert found["missing"] == found["unmoved"] == 0
    assert found["columns"] > 60
    assert found["unsorted"] == 0
    assert "CONSOLE" not in log


def test_a_replay_page_that_cannot_be_written(traced_run, cli, tmp_path):
    """One line."""
    result = cli("replay", traced_run, 0, "--html", tmp_path / "no" / "game.html")
    assert result.exit_code == 1
    assert "cannot write" in result.output


@pytest.mark.slow
def test_a_run_that_stopped_when_it_was_decided(tmp_path):
    """The report gives the bounds that hold at all looks."""
    from support.runs import play

    stop = {"threshold_points": 4.0, "ceiling": 20_000}
    write_report(
        [RunFolder.open_finished(play(tmp_path / "run", players=[2], games=1_000, stop=stop))],
        tmp_path / "out",
    )
    stopped = pd.read_csv(tmp_path / "out" / "tables" / "stopped.csv")
    assert set(stopped["verdict"]) <= {"balanced", "favoured", "disfavoured"}
    assert (stopped["low"] < stopped["high"]).all()
    assert stopped["games"].max() < 20_000
