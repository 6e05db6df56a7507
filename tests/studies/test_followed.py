"""`balance chances`: games followed round by round, kept in the run, and shown on the page."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import balance
from balance.analysis.chances import ALL, OUT_OF_IT, decided_in, read_games
from balance.analysis.compare import compare_runs
from balance.contract.game import get_game
from balance.engine.loop import SEARCHES
from balance.engine.search.trying import Room, make_look_buffers, what_was_seen
from balance.experiments.lineups import Schedule
from balance.experiments.strategies import load_strategy
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, make_loop
from balance.runs.sidecar import CHANCES
from balance.runs.strength import read_tier_rows
from balance.studies.reruns import follow_chances

pytestmark = pytest.mark.usefixtures("undrawn")
RACE = {"game": "examples/known/race", "players": [2], "strategies": ["random"], "seed": 3, "log": "rounds"}


def play(folder, **changes):
    balance.play({**RACE, **changes}, folder, progress=False)
    return RunFolder.open_finished(folder)


PLANTED = """
from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    pass


class State:
    def __init__(self, players):
        self.players, self.seat, self.round, self.points = players, 0, 1, [0] * players


class Planted(PlainGame):
    title = "Planted"
    players = (2, 3)
    Rules = Rules

    def setup(self, rules, players, chance):
        return State(players)

    def actions(self, state):
        return ACTIONS

    def apply(self, state, action, chance):
        own, other, points = state.seat, (state.seat + 1) % state.players, state.points
        MOVES
        state.seat = other
        state.round += other == 0

    def over(self, state):
        return state.round > 6

    def scores(self, state):
        return state.points
"""
ROLL = "points[own] += chance.randint(0, 4)"


def plant(folder, moves, actions='["0", "3"]', players=2):
    """Play a game whose actions do this, and return what followed games show of it, by measure and group."""
    text = PLANTED.replace("MOVES", moves).replace("ACTIONS", actions)
    (folder / "planted" / "variants").mkdir(parents=True)
    Path(folder / "planted" / "game.py").write_text(text, encoding="utf-8")
    base = 'title = "Planted"\ndescription = "As it is."\n'
    Path(folder / "planted" / "variants" / "base.toml").write_text(base, encoding="utf-8")
    run = play(folder / "run", game=str(folder / "planted"), games=300, players=[players])
    return follow_chances(run, 300).set_index(["measure", "group"])


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    run = play(tmp_path_factory.mktemp("race") / "run", games=400)
    follow_chances(run, 400)
    return run


def test_followed_games_are_those_of_the_run(followed):
    """Chances learn from scores alone that behind is worse: the loser has less hope than the winner."""
    table = read_tier_rows(followed, CHANCES).set_index(["measure", "group"])
    assert table["n"][OUT_OF_IT, ALL] == 400
    assert table["value"]["without_hope", "rank 1"] < table["value"]["without_hope", "rank 2"]
    assert balance.open_run(followed.path).chances()["measure"].nunique() == 10


def test_the_page_has_a_row_and_a_section(followed, tmp_path):
    """The row is judged by `hopeless`, the section words the same figure."""
    write_report([followed], tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text("utf-8")
    share = read_tier_rows(followed, CHANCES).set_index(["measure", "group"])["value"][OUT_OF_IT, ALL]
    assert f"a third of the game or more in {share:.1f} (" in page
    assert re.search(rf"Out of it early.*\| [^|]*\b{share:.1f}\b", page)
    assert "Out of it early" in page
    assert (tmp_path / "page" / "tables" / "hope-by-rank.csv").exists()
    games = read_games(read_tier_rows(followed, CHANCES))
    for game, through in games.groupby("game_id"):
        assert f"balance replay {followed.path} {game} --html" in page
        turn = decided_in(through).set_index("kind")["decided"].get(through["kind"].iloc[0])
        assert turn is None or f"{game} --html game-{game}.html --round {turn}" in page
        seats = balance.open_run(followed.path).query(
            f"SELECT seat, win_share FROM seats WHERE game_id = {game} ORDER BY seat"
        )
        result = through[through["round"] == through["round"].max()].drop_duplicates("seat")
        assert (result["value"].to_numpy() == 100 * seats["win_share"].to_numpy()).all()


def test_hope_is_compared_and_checked(followed, cli, tmp_path):
    """Followed games have measures for `check` and for `compare` of two runs; without them one line says how."""
    out, other = read_tier_rows(followed, CHANCES), play(tmp_path / "run", games=400, variants=["long"])
    value = out.set_index(["measure", "group"])["value"][OUT_OF_IT, ALL]
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "out_of_it"\nmost = 25\n', encoding="utf-8")
    (row,) = json.loads(cli("check", followed.path, tmp_path / "targets.toml", "--json").stdout)
    assert row["value"] == value and row["verdict"] in ("pass", "fail", "undecided")
    named = ("compare", followed.path, other.path, "--measure", OUT_OF_IT)
    for missing in (cli(*named), cli("check", other.path, tmp_path / "targets.toml")):
        assert "run this first: balance chances" in missing.output and missing.exit_code
    follow_chances(other, 400)
    table = compare_runs(followed, other).set_index("measure")
    assert {"swings", "open", "margin"} <= set(table.index)
    assert table["baseline"][OUT_OF_IT] == value
    assert OUT_OF_IT.replace("_", " ") in cli(*named, status=0).output
    with pytest.raises(BalanceError, match="is of followed games"):
        play(tmp_path / "new", games=4, targets=[{"measure": OUT_OF_IT, "most": 25}])


def test_without_followed_games_the_page_says_how(tmp_path):
    write_report([play(tmp_path / "run", games=20)], tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text("utf-8")
    assert "balance chances" in page and "Out of it early" not in page


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "examples/known/tug", "players": [4]}, "in this game seats win as teams"),
        ({"game": "examples/known/storm"}, "does not apply"),
        ({"game": "examples/known/nim"}, "one round"),
        ({}, "a cell needs 200 deals"),
    ],
)
def test_what_can_not_be_followed_is_one_line(cli, tmp_path, changes, says):
    run = play(tmp_path / "run", games=10, **changes)
    result = cli("chances", run.path, "--quiet", status=1)
    assert says in result.output and "Traceback" not in result.output
    assert not (run.path / "chances.parquet").exists()


def test_the_command_says_what_it_followed(cli, tmp_path):
    run = play(tmp_path / "run", games=220)
    assert "220 games followed" in cli("chances", run.path, status=0).output.replace("\n", " ")


@pytest.mark.slow
def test_trying_options_leaves_the_games_as_they_are():
    """In compiled games, whose seats may be bots with chance of their own."""
    game = get_game("na-grunwald")
    strategies = [load_strategy(game, name, Path()) for name in ("champion", "random")]
    rules = load_variant(game, "base", Path()).rules
    simulator, room, packed = make_loop(game, rules, 3, strategies, SEARCHES)
    jobs = jobs_of(Schedule(3, 2, [], True, 5), 0, 12)
    plain, tried = (simulator.rows(12, 3, False, 1) for _ in range(2))
    bench = make_look_buffers(game, room, Room(2_400, 240, 400))
    simulator.play_games(packed, room, jobs, plain._replace(trace=plain.trace[:0]), 10_000)
    assert simulator.look_each(packed, room, jobs, tried, bench, 6, 8, 10_000) == 12
    choices, positions, trials = what_was_seen(bench)
    assert len(trials) > 6 * 8 and trials["game"].max() == 5
    assert (plain.seats == tried.seats).all()
    assert (plain.games == tried.games).all()
    assert (np.bincount(choices["game"]) == plain.games["choice_blocks"]).all()
    assert (np.bincount(positions["game"]) == plain.games["rounds"] - 1).all()
    small = make_look_buffers(game, room, Room(2_400, 20, 400))
    assert simulator.look_each(packed, room, jobs, tried, small, 6, 8, 10_000) < 12
    alone = make_look_buffers(game, room, Room(0, 240, 0))
    assert simulator.look_each(packed, room, jobs, tried, alone, 0, 1, 10_000) == 12
    nothing, same, none = what_was_seen(alone)
    assert (same == positions).all() and not len(nothing) and not len(none)


CONTACTS = {
    "solitaire": (f"points[own] += int(action); {ROLL}", 0),
    "war": (f"points[other] -= int(action); {ROLL}", 100),
    "as much": (f"points[own] += int(action); points[other] -= int(action); {ROLL}", 50),
}


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "truth"), CONTACTS.values(), ids=CONTACTS)
def test_contact_is_what_a_choice_does_to_others(tmp_path, moves, truth):
    """A two-player race without contact, choices that only harm, and choices that do both."""
    found = plant(tmp_path, moves)
    contact = found.loc[("contact", "all")]
    assert contact["low"] <= truth <= contact["high"]
    assert contact["high"] - contact["low"] < 10
    assert found["value"]["wait", "all"] == found["value"]["longest_wait", "all"] == 1


@pytest.mark.slow
def test_choices_that_never_matter_leave_all_to_the_deals(tmp_path):
    found = plant(tmp_path, ROLL)["value"]
    assert found["source", "deals"] == 100
    assert "contact" not in found.index.get_level_values("measure")


@pytest.mark.slow
def test_a_choice_counts_as_much_as_a_die_with_the_same_two_faces(tmp_path):
    """With two players, whoever changes one chance changes both, and nobody makes a king."""
    found = plant(tmp_path, "points[own] += int(action) + chance.choice([0, 3])")
    deals = found.loc[("source", "deals")]
    assert abs(deals["value"] - 50) < 3 * deals["error"]
    own, others = (found["value"]["source", name] for name in ("own choices", "others' choices"))
    assert own == pytest.approx(others)
    assert "kingmaking" not in found.index.get_level_values("measure")


KING = f"""if own < 2:
            {ROLL}
        else:
            points[own] -= 50
            points[int(action)] += 40 * (state.round == 6)"""


@pytest.mark.slow
def test_a_third_player_chooses_who_wins(tmp_path):
    """It has no hope, and only its last of six choices counts."""
    options = '["0", "1"] if state.seat == 2 else ["roll"]'
    found = plant(tmp_path, KING, options, players=3)
    kings = found.loc[("kingmaking", "all")]
    assert kings["low"] <= 100 / 6 <= kings["high"]
    late = found.loc[("late_kingmaking", "all")]  # each game has such a choice, and it is always tried
    assert late["value"] == pytest.approx(100) and late["low"] > 85
    assert found["value"]["source", "own choices"] < 1
