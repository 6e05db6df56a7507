"""The section on luck and skill: figures and words match the table, and a run without luck shows how to get it."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest
from support.runs import play, report_text

from balance.analysis.luck import WINS
from balance.report.sections import luck
from balance.report.sections.luck import NOT_PLAYED

pytestmark = pytest.mark.usefixtures("undrawn")

FIELD = ["generalist", "treasurer", "quartermaster", "krzyzacy-hunter"]


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Return the report on a run with replayed first games, and its folder."""
    folder = tmp_path_factory.mktemp("luck")
    keys = {"players": [2, 3], "games": 240, "luck": 180}
    return report_text(play(folder / "run", strategies=FIELD, **keys), folder / "out"), folder / "out"


def test_by_source_first(again):
    """There is a figure, a row for every source, outcome and variant, and their meaning in words."""
    page, out = again
    section = page[page.index("## Luck and skill") :]
    heads = ("How much wins depend", "How much wins and score", "What explains the variance", "A seat's chance to win")
    places = [section.index(f"\n{head}") for head in heads]
    assert places == sorted(places)
    assert "may add up to more than 100" in section
    assert (out / "figures" / "luck.png").is_file()
    table = pd.read_csv(out / "tables" / "luck.csv")
    assert len(table) == 2 * 2 * 8
    assert set(table["outcome"]) == {"wins", "score differences"}
    assert (table["low"] <= table["value"]).all() and (table["value"] <= table["high"]).all()


def test_where_all_sources_look_alike_none_is_named(again):
    """Each player count has a sentence with the range of the game's own sources and another line-up."""
    page, out = again
    pattern = (
        r"base, (\d) players: no source of chance is shown to decide more .* by (\d+) to (\d+), where another game "
        r".*another line-up by (\d+)"
    )
    found = re.findall(pattern, page)
    assert sorted(players for players, *_ in found) == ["2", "3"]
    table = pd.read_csv(out / "tables" / "luck.csv").query("outcome == 'wins'")
    for players, least, most, lineup in found:
        cell = table[table["players"] == int(players)].set_index("source")["value"]
        own = cell.drop(["who sits where", "the bots' own lots"])
        assert (int(least), int(most)) == (round(own.min()), round(own.max()))
        assert int(lineup) == round(cell["who sits where"])


def test_a_source_that_is_shown_to_decide_most_is_named(monkeypatch):
    """Its figure is from the half of the deals that did not choose it; the other sources have theirs."""
    wins = {"events": 80.0, "dice": 20.0, "players": 90.0, "bots": 0.0}
    frame = pd.DataFrame({"source": list(wins), "value": list(wins.values())})
    frame = frame.assign(players=2, variant="base", outcome=WINS, n=900)
    best = pd.DataFrame([{"players": 2, "variant": "base", "source": "events", "value": 78.0, "low": 72.0}])
    monkeypatch.setattr(luck, "largest_source", lambda sums, families: best.assign(high=84.0, n=450))
    context = SimpleNamespace(of_shown=lambda frame: frame, family=lambda name: 9)
    (headline,) = luck.write_largest_sources(context, frame, frame)
    assert headline.variant == "base"
    assert headline.text == (
        "base, 2 players: the source that decides most is events: drawn again, it changes wins by 78 (72 to 84), where "
        "another game is 100 (chosen on one half of the deals and measured on the held-out half, n = 450), the game's "
        "other sources by 20 to 20, another line-up by 90."
    )


def test_a_run_without_replays_shows_the_command(tmp_path):
    """One sentence gives the command; what explains wins is still there, and is the finding."""
    page = report_text(play(tmp_path / "run", strategies=FIELD, games=240), tmp_path / "out")
    assert page.count(NOT_PLAYED) == 1
    assert "What explains the variance within games" in page
    assert "the strategies explain" in page
    assert "source of chance is shown" not in page and "that decides most" not in page


def test_one_lineup_leaves_the_deals_out(tmp_path):
    """With one strategy on every seat the deal and the strategy cannot be separated."""
    page = report_text(play(tmp_path / "run", players=[2], games=80, luck=80), tmp_path / "out")
    assert "there is one line-up only" in page
    assert "A seat's chance to win" not in page
    assert "another line-up" not in page
    few = report_text(play(tmp_path / "few", players=[2], games=6, luck=6), tmp_path / "few-out")
    assert "Too few games were replayed" in few
