"""Reports: right numbers, and a page that holds together."""

import base64
import re
import shlex
import zlib

import pandas as pd
import pytest
from support.runs import play, read_rows, report_text, without_figures

from balance.analysis.notable import TITLES
from balance.analysis.shares import VERDICTS
from balance.report import write_report
from balance.report.chapter import write_chapter
from balance.runs.folder import RunFolder

FIGURES = (
    "seats", "strategies", "points", "points-2", "scores", "course", "course-2", "runaway", "lost", "length",
    "skirmishes", "free-riding", "helpers",
    "forest-shares-krzyzacy-hard", "forest-krzyzacy-hard",
)  # fmt: skip


def test_shares_are_those_of_the_tables(report, traced_run):
    """Every share of the CSV is the mean of its rows, with its n."""
    seats = read_rows(traced_run, "seats")
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
    """Card tables and the base deck are named in the page and in Markdown."""
    for name in ("index.html", "report.md"):
        text = (report / name).read_text(encoding="utf-8")
        assert "reconstruction" in text
        assert "how many of each is a guess" in text


def test_rules_are_shown_as_a_difference_from_base(report):
    """Exactly the keys that the variant changes are shown."""
    rules = pd.read_csv(report / "tables" / "rules.csv")
    assert sorted(rules["rule"]) == [f"krzyzacy.bonus.{players}" for players in (2, 3, 4)]
    assert list(rules["here"]) == [3, 6, 9]


def test_the_page_needs_no_other_file(report):
    """It needs no network and links to no file, so it can be mailed alone; every figure has an alt text."""
    page = (report / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=\"https?:", page)
    images = re.findall(r'<img ((?:[^>"]|"[^"]*")*)>', page)
    assert len(images) == len(FIGURES)
    assert all("data:image/svg+xml" in image and re.search(r'alt="[^"]{20,}"', image) for image in images)
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert anchor in ids
    assert not re.findall(r'(?:href|src)="(?!data:|#)', page)


def test_the_page_holds_every_csv(report):
    """The bytes equal those of the CSV files."""
    page = (report / "index.html").read_text(encoding="utf-8")
    held = dict(re.findall(r'data-file="([^"]+)" data-zip="([^"]+)"', page))
    files = {path.name: path.read_bytes() for path in (report / "tables").iterdir()}
    assert {name: zlib.decompress(base64.b64decode(text)) for name, text in held.items()} == files


def test_markdown_has_its_figures(report):
    text = (report / "report.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((figures/[^)]+)\)", text)
    assert sorted(links) == sorted(f"figures/{name}.png" for name in FIGURES)
    assert all((report / link).stat().st_size > 5_000 for link in links)


def test_games_worth_watching_can_be_watched(report, cli, tmp_path, monkeypatch):
    """They have one variant and player count; the command shown writes the page of that game."""
    watch = pd.read_csv(report / "tables" / "watch.csv")
    assert {"closest", "comeback", "typical"} <= set(watch["kind"]) <= set(TITLES)
    page = (report / "report.md").read_text(encoding="utf-8")
    assert "Games of krzyzacy-hard with 4 players." in page
    (line,) = re.findall(rf"balance (replay [^|]* {watch['game_id'][0]} [^|]*) \|", page)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line.replace("\\", ""))
    cli(*words, status=0)
    assert (tmp_path / words[-1]).stat().st_size > 10_000


@pytest.mark.long
def test_two_runs_in_one_report(traced_run, tmp_path):
    """Each has a chapter; files and anchors do not collide."""
    write_report([RunFolder.open_finished(traced_run), RunFolder.open_finished(traced_run)], tmp_path)
    assert (tmp_path / "tables" / "run2-seats.csv").exists()
    ids = re.findall(r'id="([^"]+)"', (tmp_path / "index.html").read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_one_game_makes_a_report_without_intervals(tmp_path):
    """The spread is unknown, and the page says so."""
    text = report_text(play(tmp_path / "run", games=1, players=[2]), tmp_path / "out")
    assert "one deal gives no interval" in text
    assert not re.search(r"\b(inf|nan)\b", text)


def test_the_first_screen_answers_and_leads_to_the_evidence(report):
    """It has the question, one sentence, a grid whose cells link to existing sections, and at most five findings."""
    page = (report / "index.html").read_text(encoding="utf-8")
    first = page[: page.index("<main>")]
    assert "What does krzyzacy-hard change, with 2, 3 and 4 players?" in first
    assert len(re.findall(r"<h1>[^<]+\.</h1>", first)) == 1
    cells = re.findall(r'<td class="(\w+)[^"]*"><a href="#([^"]+)" data-pick="([^"]+)" title="([^"]+)"', first)
    rows = re.findall(r'<th scope="row"><a href="#([^"]+)">', first)
    own = ["box"]  # too few games to tell of luck, and too few traced games for options
    assert rows == ["seats", "strategies", *own, "runaway", "length"]
    assert len(cells) == len(rows) * 3 * 2
    for kind, anchor, variant, told in cells:
        assert kind in ("good", "watch", "bad", "open", "none")
        assert variant in ("base", "krzyzacy-hard")
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
    text = (report / "report.md").read_text(encoding="utf-8")
    head = "| | 2 players, base | 2 players, krzyzacy-hard | 3 players, base | 3 players, krzyzacy-hard |"
    assert head in text
    assert re.search(r"^\| Seats fair \(seat furthest from fair, % of wins\) \|( [^|]+ \|){6}$", text, re.M)


@pytest.mark.slow
def test_a_report_without_rounds_says_what_is_missing(tmp_path):
    """A run with a single strategy has nothing to compare."""
    text = report_text(play(tmp_path / "run", games=8), tmp_path / "out")
    assert "play with log level rounds" in text
    assert "One strategy sits on every seat" in text
    assert "## Tempo" not in text


def test_no_p_on_the_page(report):
    """Next to an interval a p looks like its test; the tables have it, and the page has deals."""
    page = (report / "report.md").read_text(encoding="utf-8")
    assert not re.search(r"\| p( \(\d\))? \||\bp (<|[01]\.)", page)
    assert "People at the table" not in page  # none were given
    seats = pd.read_csv(report / "tables" / "seats.csv")
    assert {"p", "decks"} <= set(seats.columns)
    heading = re.search(r"^\| players \| variant \| seat \| win share %.*$", page, re.M)
    assert heading and heading[0].endswith("| verdict | n | deals |")
    effects = page.split("Effects compared with ", 1)[1].splitlines()[0]
    assert re.search(r"n ≥ [\d,]+ on at least [\d,]+ deals in each cell", effects)


@pytest.mark.slow
def test_a_run_that_stopped_when_it_was_decided(tmp_path):
    """The report gives the bounds that hold at all interim analyses."""
    stop = {"threshold_points": 4.0, "ceiling": 20_000}
    run = play(tmp_path / "run", players=[2], games=1_000, stop=stop)
    page = report_text(run, tmp_path / "out")
    stopped = pd.read_csv(tmp_path / "out" / "tables" / "stopped.csv")
    assert set(stopped["verdict"]) <= {"within the limit", "above the limit", "below the limit"}
    assert set(stopped["seat"]) == {0, 1}
    assert re.search(r"\| 2 \| base \| 1st \|.*\| (within|above|below) the limit \|", page)
    assert (stopped["low"] < stopped["high"]).all()
    assert stopped["games"].max() < 20_000


def test_every_table_lists_variants_in_the_order_of_the_experiment(tmp_path):
    strategies = ["generalist", "treasurer", "quartermaster", "random"]
    names = ["base", "krzyzacy-soft", "krzyzacy-hard"]  # no order of the alphabet
    tiers = [
        {"name": name, "strategies": strategies, "games": 120, "temperature": temperature}
        for name, temperature in (("sure", 0.0), ("unsure", 0.5))
    ]
    path = play(tmp_path / "run", players=[3], variants=names, strategies=[], games=None, tiers=tiers, log="trace")
    with without_figures():
        chapter = write_chapter(RunFolder.open(path))
    found = {}
    for table in (table for section in chapter.sections for table in section.tables):
        for frame in (table.data, table.numbers):
            if "variant" in frame:
                keys = [name for name in ("players", "tier") if name in frame]
                cells = frame.groupby(keys, sort=False) if keys else [((), frame)]
                found.setdefault(table.name, []).extend([*cell["variant"].unique()] for _, cell in cells)
    assert {"tiers-fields", "neighbours", "behind", "openings"} <= found.keys()
    del found["ranking"], found["reconstructions"]  # by points from fair; several in a cell
    for table, orders in found.items():
        for order in orders:
            assert order == [name for name in names if name in order], table
