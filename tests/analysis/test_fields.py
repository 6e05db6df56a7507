"""A seat's share by the strategies in it and in the field."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from support.runs import play

import balance
from balance.foundation.errors import BalanceError

STRATEGIES = ["generalist", "treasurer", "quartermaster", "random"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fields") / "run"
    return balance.open_run(play(folder, players=[2, 3], strategies=STRATEGIES, games=1_200))


def test_each_strategy_in_each_seat(run):
    """The shares equal those from pandas; they may reverse the total of a seat."""
    seats = pq.read_table(run.folder.path / "seats").to_pandas()
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


def test_what_cannot_be_asked(run, tmp_path):
    """An unknown split and an empty field are refused."""
    with pytest.raises(BalanceError, match="did you mean 'strategy'"):
        run.seat_shares(by="strategi")
    whole = balance.open_run(play(tmp_path / "run", players=[2], strategies=STRATEGIES[:2], games=24))
    with pytest.raises(BalanceError, match="no games are left"):
        whole.seat_shares(by="field")
