"""Strategy profiles: they beat `random` clearly, differ in what their names say, and finish in time."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from support.polska import GAME
from support.runs import play

PROFILES = GAME.shipped("profiles")


@pytest.mark.parametrize("profile", PROFILES)
def test_each_beats_three_random(tmp_path, profile):
    """At least 95 % of four-player games, seats rotated."""
    lineups = [[profile, "random", "random", "random"]]
    run = play(tmp_path / "run", game="polska", games=400, strategies=[], lineups=lineups)
    seats = pq.read_table(run / "seats").to_pandas()
    assert seats[seats["strategy"] == profile]["win_share"].mean() > 0.95


@pytest.fixture(scope="module")
def field(tmp_path_factory):
    """All six against each other at four players."""
    run = play(
        tmp_path_factory.mktemp("field") / "run",
        workers=2,
        game="polska",
        games=15 * 4 * 30,
        strategies=list(GAME.analytics.STYLES),
        log="rounds",
    )
    seats = pq.read_table(run / "seats").to_pandas()
    rounds = pq.read_table(run / "rounds").to_pandas()
    hands = rounds.merge(seats[["game_id", "seat", "strategy"]]).groupby("strategy")["hand"].mean()
    means = seats.groupby("strategy").mean(numeric_only=True).assign(hand=hands)
    played = seats.groupby("strategy")[["grey_steps", "grey_played"]].sum()
    means["grey_worth"] = played["grey_steps"] / played["grey_played"]
    return means, pq.read_table(run / "games").to_pandas()


@pytest.mark.parametrize(
    ("profile", "column"),
    [
        ("marker-runner", "markers"),
        ("card-hoarder", "hand"),
        ("city-visitor", "city_played"),
        ("blocker", "stop_played"),
    ],
)
def test_each_leads_in_what_its_name_says(field, profile, column):
    """Markers, cards in hand, city cards, stop cards."""
    means, _ = field
    assert means[column].idxmax() == profile


def test_those_who_wait_get_more_out_of_grey_cards(field):
    """The history reader against all that play as soon as they can."""
    means, _ = field
    for hasty in ("sprinter", "marker-runner", "blocker", "city-visitor"):
        assert means.loc["history-reader", "grey_worth"] > means.loc[hasty, "grey_worth"] + 0.02


def test_games_fit_the_box(field):
    """The calibration of the reconstruction: 80 to 110 turns with four players, no draws, 20 to 30 minutes."""
    _, games = field
    assert set(games["status"]) == {"finished"}
    assert 80 < games["turns"].mean() < 110
    minutes = games["choices"].mean() * GAME.analytics.SECONDS_PER_CHOICE / 60
    assert 20 < minutes < 30


def test_all_can_win(field):
    """In the mixed field no profile is out of the running."""
    means, _ = field
    assert means["win_share"].min() > 0.05
    assert len(means) == 6
