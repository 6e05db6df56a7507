"""Generic features that work on Polska unchanged."""

import pandas as pd
import pytest
from support.runs import play, read_rows

import balance
from balance.contract.game import get_game
from balance.report import write_report
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

PROFILES = get_game("polska").shipped("profiles")

BOT = """
class First:
    def choose(self, observation, actions):
        assert observation.me.cards == len(observation.hand)
        assert observation.kind in ("die", "act", "coach", "more", "discard")
        playable = [i for i, label in enumerate(actions) if label.startswith("play")]
        return playable[0] if playable else len(actions) - 1
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run with 2 to 6 players, two variants, rounds, a few traces."""
    return play(
        tmp_path_factory.mktemp("polska") / "run",
        workers=2,
        game="polska",
        players=[2, 3, 4, 5, 6],
        variants=["base", "no-stops"],
        strategies=PROFILES,
        games=180,
        log="rounds",
        trace=2,
    )


@pytest.mark.long
def test_the_report(run, tmp_path):
    """It has all sections, the game's own, seats at 2 to 6 players, and named reconstructions."""
    write_report([RunFolder.open_finished(run)], tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    headings = ("Findings", "Seats", "Strategies", "Early choices", "Runaway leader", "Luck and skill")
    own = ("Markers", "Cards", "Dice and stops")
    for heading in (*headings, *own, "What each variant changes"):
        assert f"\n## {heading}\n" in text
    assert "the transcript does not show the map" in text
    assert set(pd.read_csv(tmp_path / "tables" / "seats.csv")["players"]) == {2, 3, 4, 5, 6}
    worth = pd.read_csv(tmp_path / "tables" / "worth.csv")
    assert set(worth["card"]) == {"grey", "blue", "city", "eagle"}


def test_rules_call_rows_what_the_game_calls_them(tmp_path):
    """A shorter track has fewer fields, not fewer cards."""
    run = play(tmp_path / "run", game="polska", players=[2], variants=["base", "short-track"], games=8)
    write_report([RunFolder.open_finished(run)], tmp_path / "out")
    rules = pd.read_csv(tmp_path / "out" / "tables" / "rules.csv").set_index("rule")
    assert rules.loc["track.fields", "base"] == "31 fields"
    assert rules.loc["track.fields", "here"].endswith(" fields")


def test_compare_check_and_sweep(run, cli, tmp_path):
    """Without stop cards no player is blocked."""
    table = balance.open_run(run).compare("base", ["blocked_turns", "turns", "seat_win_share"])
    blocked = table[table["measure"] == "blocked_turns"]
    assert (blocked["effect"] == -blocked["baseline"]).all()
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "turns"\nmost = 399\n')
    cli("check", run, tmp_path / "targets.toml", status=0)
    sweep = {"dice": [5, 7], "track": ["history", "short"]}
    swept = play(tmp_path / "swept", game="polska", strategies=PROFILES, games=60, sweep=sweep)
    turns = balance.open_run(swept).measures(["turns"]).set_index(["dice", "track"])["value"]
    assert turns[7, "short"] < turns[7, "history"]


@pytest.mark.slow
def test_a_custom_bot(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    run = play(
        tmp_path / "run", game="polska", players=[2], strategies=[f"{tmp_path / 'bot.py'}:First", "sprinter"], games=10
    )
    assert set(read_rows(run, "seats")["strategy"]) == {"First", "sprinter"}


@pytest.mark.long
def test_the_replay_draws_the_map(run, cli, tmp_path):
    """The map has all cities and a pawn for every seat; the game is told in words."""
    game_id = int(balance.open_run(run).query("SELECT min(game_id) AS g FROM games WHERE players = 6")["g"][0])
    cli("replay", run, game_id, "--html", tmp_path / "game.html", status=0)
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    for city in ("Gniezno", "Zamość", "Szczecin"):
        assert city in page
    assert page.count("var(--s5)") > 10  # the sixth pawn, wherever it stands
    told = cli("replay", run, game_id).output
    assert "rides the train" in told or "takes a" in told
    assert "Rolled:" in told


def test_scoring_rounds(run):
    """Markers only move forward; the last round is the result."""
    rounds = read_rows(run, "rounds").sort_values(["game_id", "seat", "round"])
    steps = rounds.groupby(["game_id", "seat"])["score"].diff().dropna()
    assert (steps >= 0).all()
    last = rounds.groupby(["game_id", "seat"])["score"].last()
    seats = read_rows(run, "seats").set_index(["game_id", "seat"])["score"]
    assert (last == seats.loc[last.index]).all()
