"""The profile made by hand: it beats chance, and its games end by the crown."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from support.runs import play


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Seats and games of the profile against chance, and of the profile alone."""
    found = {}
    for name, strategies in (("mixed", ["balanced", "random"]), ("alone", ["balanced"])):
        folder = play(
            tmp_path_factory.mktemp("korona") / name,
            game="korona-piastow",
            players=[2, 4, 6],
            strategies=strategies,
            games=60,
        )
        found[name] = {table: pq.read_table(folder / table).to_pandas() for table in ("games", "seats")}
    return found


@pytest.mark.parametrize("players", [2, 4, 6])
def test_balanced_beats_chance(tables, players):
    """Section 7: where some seats are random, one of the others wins nearly all games."""
    seats = tables["mixed"]["seats"]
    both = seats[seats.players == players].groupby("game_id").strategy.transform("nunique") == 2
    wins = seats[seats.players == players][both].groupby("strategy").win_share.sum()
    assert wins["balanced"] > 0.95 * wins.sum()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_games_end_by_the_crown(tables, players):
    """Section 7: most games of simple players end by the crown, and before the last round."""
    games = tables["alone"]["games"]
    games = games[games.players == players]
    assert (games["end"] == "crown").mean() > 0.5
    assert games.rounds.mean() < 11


def test_lines_are_named(tables):
    """Section 6: columns of numbers hold words: the line, and how a game ended."""
    lines = set(tables["alone"]["seats"].line)
    assert {"wielkopolska", "zakon"} <= lines
    assert len(lines) == 7
    assert set(tables["mixed"]["games"]["end"]) <= {"crown", "last", "limit"}


def test_dec_2_random_is_uniform(tmp_path):
    """DEC-2: of two labels each is chosen in half of the cases, within four standard errors."""
    folder = play(
        tmp_path / "run",
        game="korona-piastow",
        players=[4],
        strategies=["random"],
        games=120,
        log="trace",
    )
    trace = pq.read_table(folder / "trace").to_pandas()
    labels = trace[(trace.kind == "victory") & (trace.options == 2)].label.astype(str)
    assert len(labels) > 400
    assert abs((labels == "occupy").mean() - 0.5) < 4 * 0.5 / len(labels) ** 0.5
