"""Broken-off games are left out and listed first; if they are many, no verdict is given."""

import pandas as pd
import pytest
from support.runs import play, read_rows, report_text

import balance
from balance.contract.game import get_game

pytestmark = pytest.mark.usefixtures("undrawn")

PROFILES = get_game("polska").shipped("profiles")


@pytest.fixture(scope="module")
def partly(tmp_path_factory):
    """Return four-player games of which about half are longer than 180 decisions."""
    keys = {"strategies": ["generalist", "random"], "variants": ["base", "krzyzacy-hard"], "games": 400}
    path = tmp_path_factory.mktemp("partly") / "run"
    return play(path, decision_limit=180, log="rounds", trace=400, workers=2, **keys)


@pytest.fixture(scope="module")
def page(partly, tmp_path_factory):
    """Return the folder of the report on these games, and its Markdown."""
    out = tmp_path_factory.mktemp("page")
    return out, report_text(partly, out)


def test_nothing_ended(tmp_path, cli):
    """In Polska with 60 decisions no seat is balanced, no strategy wins most and no target is met."""
    keys = {"game": "polska", "players": [2, 3], "strategies": PROFILES, "games": 60}
    run = play(tmp_path / "run", decision_limit=60, log="rounds", **keys)
    assert set(read_rows(run, "games")["status"]) == {"truncated"}
    first = report_text(run, tmp_path / "out").split("\n## What was played")[0]
    assert "2 players: 60 of 60 games were broken off after 60 decisions" in first
    for words in ("balanced", "wins", "unfair", "alive", "lasts"):
        assert words not in first
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "seat_win_share"\nwithin = 40\n')
    checked = cli("check", run, tmp_path / "targets.toml")
    assert checked.exit_code != 0
    assert "pass" not in checked.output


def test_shares_are_those_of_the_games_that_ended(partly):
    """Shares equal those from the tables; every verdict is withheld."""
    seats = read_rows(partly, "seats")
    games = read_rows(partly, "games")[["game_id", "status"]]
    both = seats.merge(games, on="game_id")
    assert 0.05 < (games["status"] == "truncated").mean() < 0.95
    expected = both[both["status"] != "truncated"].groupby(["variant", "seat"])["win_share"].mean()
    found = balance.open_run(partly).seat_shares()
    assert set(found["verdict"]) == {"withheld"}
    for row in found.itertuples():
        assert row.value == pytest.approx(100 * expected[row.variant, row.seat])


@pytest.mark.long
def test_the_games_own_questions_have_no_verdict_either(page):
    """Supplies and options are withheld like the seats, although the games that ended would decide them."""
    _, text = page
    rows = [line for line in text.splitlines() if line.startswith(("| Supplies last", "| Options used"))]
    assert len(rows) == 2
    for row in rows:
        cells = [cell.strip() for cell in row.split("|")[2:-1]]
        assert all(cell == "–" or cell.startswith("withheld") for cell in cells)


def test_no_strategy_is_named_the_equilibrium(partly, page):
    """No effect is called the largest either."""
    assert balance.open_run(partly).equilibria().empty
    _, text = page
    first = text.split("\n## What was played")[0]
    for words in ("→", "wins most", "unfair", "run out in", "| lasts", "| runs out"):
        assert words not in first.split("### What the words mean")[0]
    assert "Seats fair" in first and "withheld" in first


def test_comparisons_and_targets_are_withheld_too(partly, cli, tmp_path):
    """Effects and targets get no verdict; the exit status is 3."""
    assert set(balance.open_run(partly).compare("base")["verdict"]) == {"withheld"}
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "seat_win_share"\nwithin = 40\n')
    checked = cli("check", partly, tmp_path / "targets.toml", status=3)
    assert "withheld" in checked.output


def test_broken_off_games_are_listed_first(partly, page):
    """Their number stands before all findings; broken-off rounds have no rows."""
    out, text = page
    assert text.index("broken off after 180 decisions") < text.index("Seats fair") < text.index("## Findings")
    played = pd.read_csv(out / "tables" / "played.csv")
    assert (played["truncated"] > 0).all()
    rounds = read_rows(partly, "rounds").groupby("game_id")["round"].max()
    games = read_rows(partly, "games").set_index("game_id")
    cut = games["status"] == "truncated"
    assert (rounds[games.index[~cut]] == games["rounds"][~cut]).all()
    assert (rounds[games.index[cut]] == games["rounds"][cut] - 1).all()


def test_draws_are_listed(tmp_path):
    """Random games of Polska reach the limit of turns: draws, which are results."""
    run = play(tmp_path / "run", game="polska", players=[2], games=20)
    report_text(run, tmp_path / "out")
    played = pd.read_csv(tmp_path / "out" / "tables" / "played.csv")
    statuses = read_rows(run, "games")["status"].tolist()
    assert played["draws"].tolist() == [statuses.count("draw")]
    assert statuses.count("draw") > 10
    assert played["truncated"].tolist() == [0]
