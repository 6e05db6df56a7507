"""Win shares by the strategies in the seat, in the field and in the seat before: against pandas, and planted."""

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows

import balance
from balance.analysis.shares import CELL, Neighbours
from balance.foundation.errors import BalanceError
from balance.report.kit import largest_on_holdout

STRATEGIES = ["generalist", "treasurer", "quartermaster", "random"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fields") / "run"
    return balance.open_run(play(folder, players=[2, 3], strategies=STRATEGIES, games=1_200))


def test_each_strategy_in_each_seat(run):
    """The shares equal those from pandas; they may reverse the total of a seat."""
    seats = read_rows(run.folder.path, "seats")
    expected = 100 * seats.groupby(["players", "seat", "strategy"])["win_share"].mean()
    found = run.seat_shares(by="strategy")
    assert len(found) == len(expected) == 2 * 4 + 3 * 4
    for row in found.itertuples():
        assert row.value == pytest.approx(expected[row.players, row.seat, row.strategy])
        assert row.low <= row.value <= row.high
        assert row.n > 0


def test_a_strategy_leaves_the_field(run):
    """The shares equal those from pandas, on the half of the deals that did not choose the strategy."""
    seats = run.query(
        "SELECT players, seat, win_share, lineup, deal_seed % 2 AS half FROM seats JOIN games USING (game_id, players)"
    )
    found = run.seat_shares(by="field")
    assert set(found["end"]) == {"least", "most"}
    assert len(found) == 2 * (2 + 3)
    for row in found.itertuples():
        cell = seats[(seats["players"] == row.players) & (seats["seat"] == row.seat)]
        shares = {
            name: [
                100 * part["win_share"].mean()
                for half in (0, 1)
                for part in [cell[~cell["lineup"].str.contains(name) & (cell["half"] == half)]]
            ]
            for name in STRATEGIES
        }
        chosen = (min if row.end == "least" else max)(shares, key=lambda name: shares[name][0])
        assert row.without == chosen
        assert [row.chosen_value, row.value] == pytest.approx(shares[chosen])


def test_a_field_needs_a_strategy_that_can_leave(run, tmp_path):
    """An unknown split and an empty field are refused."""
    with pytest.raises(BalanceError, match="did you mean 'strategy'"):
        run.seat_shares(by="strategi")
    whole = balance.open_run(play(tmp_path / "run", players=[2], strategies=STRATEGIES[:2], games=24))
    with pytest.raises(BalanceError, match="no games are left"):
        whole.seat_shares(by="field")


@pytest.fixture(scope="module")
def lone(tmp_path_factory):
    """Return a run with one random player among three others, and a tier of drawn line-ups."""
    folder = tmp_path_factory.mktemp("neighbours") / "run"
    lineups = [["random", "champion", "champion", "champion"]]
    return balance.open_run(play(folder, players=[4], strategies=[], lineups=lineups, games=1_200))


def test_a_neighbours_gain_depends_on_the_distance(lone):
    """The effects of a lone strategy by distance add up to 0 and equal those from pandas."""
    seats = read_rows(lone.folder.path, "seats")
    alone = seats[seats["strategy"] == "random"].set_index("game_id")
    others = seats[seats["strategy"] != "random"].copy()
    weak = alone.loc[others["game_id"]]
    others["distance"] = (others["seat"].to_numpy() - weak["seat"].to_numpy()) % 4
    others["gain"] = 100 * (others["win_share"].to_numpy() - (1 - weak["win_share"].to_numpy()) / 3)
    expected = others.groupby("distance")["gain"].mean()
    found = lone.neighbours()
    assert set(found["after"]) == {"random"}
    assert found["distance"].tolist() == [1, 2, 3]
    assert found["value"].to_numpy() == pytest.approx(expected.to_numpy())
    assert found["value"].sum() == pytest.approx(0, abs=1e-4)
    assert (found["low"] < found["value"]).all()
    assert set(found["n"]) == {1_200}


def test_a_planted_seat_is_found():
    """The second seat after `weak` wins a fifth more; chosen on one half, measured near its truth on the other."""
    rng = np.random.default_rng(3)
    rows = []
    for deck in range(4_000):
        winner = rng.choice([1, 2, 3], p=[0.3, 0.4, 0.3])
        for distance in (1, 2, 3):
            gain = 100 * ((distance == winner) - 1 / 3)
            rows.append((4, "base", deck % 2, "weak", distance, gain))
    frame = pd.DataFrame(rows, columns=[*CELL, "gain"])
    sums = frame.groupby(CELL)["gain"].agg(
        **{"gain.clusters": "size", "gain.n": "size", "gain.s": "sum", "gain.ss": lambda g: (g**2).sum(),
           "gain.sn": "sum", "gain.nn": "size"}
    ).reset_index()  # fmt: skip
    halves = Neighbours(("weak",)).read(sums)
    (row,) = largest_on_holdout(halves, ["after", "distance"]).itertuples()
    assert row.distance == 2
    assert row.low < 100 * (0.4 - 1 / 3) < row.high


def test_neighbours_need_three_players_and_two_strategies(tmp_path):
    for keys in ({"players": [2]}, {"players": [3], "strategies": [], "lineups": [["random"] * 3]}):
        run = balance.open_run(play(tmp_path / str(keys["players"]), games=12, **keys))
        with pytest.raises(BalanceError, match="needs games of three players"):
            run.neighbours()
