"""Profiles: they beat chance, the champion beats the others, and games end by the crown."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.korona import GAME
from support.runs import play

PROFILES = GAME.shipped("profiles")
OTHERS = [name for name in PROFILES if name != "champion"]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return seats and games of the profile against chance, and of the profile alone."""
    found = {}
    for name, strategies in (("mixed", ["generalist", "random"]), ("alone", ["generalist"])):
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
    """Section 7: if some seats are random, one of the others wins nearly all games."""
    seats = tables["mixed"]["seats"]
    both = seats[seats.players == players].groupby("game_id").strategy.transform("nunique") == 2
    wins = seats[seats.players == players][both].groupby("strategy").win_share.sum()
    assert wins["generalist"] > 0.95 * wins.sum()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_games_end_by_the_crown(tables, players):
    """Section 7: most games of simple players end by the crown, and before the last round."""
    games = tables["alone"]["games"]
    games = games[games.players == players]
    assert (games["end"] == "crown").mean() > 0.5
    assert games.rounds.mean() < 11


def test_lines_are_named(tables):
    """Section 6: columns of numbers show words: the line, and the kind of ending."""
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


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_each_beats_chance(tmp_path, profile):
    """One among random players in every seat wins nearly all games of two, and over half of those of six."""
    for players, least in ((2, 0.95), (4, 0.8), (6, 0.6)):
        run = play(
            tmp_path / f"run{players}", game="korona-piastow", players=[players], strategies=[], games=240,
            lineups=[[profile, *["random"] * (players - 1)]],
        )  # fmt: skip
        seats = pq.read_table(run / "seats").to_pandas()
        assert seats[seats["strategy"] == profile]["win_share"].mean() > least


@pytest.mark.long
def test_the_champion_beats_every_other_profile(tmp_path):
    """The interval is above half with two players; with more, `recruiter` is stronger (docs/strategies.md)."""
    run = play(
        tmp_path / "run", game="korona-piastow", players=[2], strategies=[], workers=2,
        lineups=[["champion", other] for other in OTHERS], games=1_000 * len(OTHERS),
    )  # fmt: skip
    seats = pq.read_table(run / "seats").to_pandas()
    others = seats[seats["strategy"] != "champion"]
    shares = 1.0 - others["win_share"]
    own = shares.groupby(others["strategy"])
    low = own.mean() - 2.0 * own.std() / np.sqrt(own.size())
    assert set(low.index) == set(OTHERS)
    assert (low > 0.5).all(), low


@pytest.mark.long
@pytest.mark.parametrize("players", GAME.players)
def test_styles_live_beside_the_champion(tmp_path, players):
    """Each of the styles and the champion wins more than half a fair share in a pool of them."""
    pool = [*GAME.analytics.STYLES, "champion"]
    run = play(
        tmp_path / "run", game="korona-piastow", players=[players], strategies=pool, games=1_800, workers=2
    )  # fmt: skip
    seats = pq.read_table(run / "seats").to_pandas()
    shares = seats.groupby("strategy")["win_share"].mean()
    assert set(shares.index) == set(pool)
    assert shares.min() > 0.5 / players, shares
