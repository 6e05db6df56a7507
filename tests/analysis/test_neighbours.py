"""The effect of a neighbour's seat: against pandas, and for a planted seat."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.runs import play

import balance
from balance.analysis.shares import CELL, Neighbours, largest
from balance.foundation.errors import BalanceError


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run with one random player among three others, and a tier of drawn line-ups."""
    folder = tmp_path_factory.mktemp("neighbours") / "run"
    lineups = [["random", "champion", "champion", "champion"]]
    return balance.open_run(play(folder, players=[4], strategies=[], lineups=lineups, games=1_200))


def test_it_is_told_by_distance(run):
    """The effects of a lone strategy by distance add up to 0 and equal those from pandas."""
    seats = pq.read_table(run.folder.path / "seats").to_pandas()
    alone = seats[seats["strategy"] == "random"].set_index("game_id")
    others = seats[seats["strategy"] != "random"].copy()
    weak = alone.loc[others["game_id"]]
    others["distance"] = (others["seat"].to_numpy() - weak["seat"].to_numpy()) % 4
    others["gain"] = 100 * (others["win_share"].to_numpy() - (1 - weak["win_share"].to_numpy()) / 3)
    expected = others.groupby("distance")["gain"].mean()
    found = run.neighbours()
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
    (row,) = largest(Neighbours(("weak",)).read(sums)).itertuples()
    assert row.distance == 2
    assert row.low < 100 * (0.4 - 1 / 3) < row.high


def test_what_can_not_be_asked(tmp_path):
    """Two players, or one strategy on every seat, are refused."""
    for keys in ({"players": [2]}, {"players": [3], "strategies": [], "lineups": [["random"] * 3]}):
        run = balance.open_run(play(tmp_path / str(keys["players"]), games=12, **keys))
        with pytest.raises(BalanceError, match="needs games of three players"):
            run.neighbours()
