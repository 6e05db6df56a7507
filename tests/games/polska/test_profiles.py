"""Strategy profiles: their games end, and fit the time on the box."""

import pandas as pd
import pytest
from support.polska import GAME
from support.runs import old_profile, play, read_rows

PROFILES = GAME.shipped("profiles")
STYLES = GAME.analytics.STYLES


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.shipped("variants"))
@pytest.mark.long
def test_games_of_profiles_end(tmp_path, variant):
    """Fewer than one in a thousand reaches the limit of turns, at any player count."""
    run = play(
        tmp_path / "run", game="polska", workers=2, variants=[variant], players=list(GAME.players), games=1_050,
        strategies=PROFILES,
    )  # fmt: skip
    status = pd.Series(read_rows(run, "games")["status"])
    assert (status != "finished").mean() < 0.001, status.value_counts()


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """Return the untrained profiles, by which the reconstruction was calibrated."""
    run = play(
        tmp_path_factory.mktemp("untrained") / "run",
        workers=2,
        game="polska",
        games=15 * 4 * 30,
        strategies=[old_profile(name, "polska") for name in STYLES],
    )
    return read_rows(run, "seats"), read_rows(run, "games")


def test_games_fit_the_box(untrained):
    """The calibration gives 80 to 110 turns with four players, no draws, 20 to 30 minutes."""
    _, games = untrained
    assert set(games["status"]) == {"finished"}
    assert 80 < games["turns"].mean() < 110
    minutes = games["choice_blocks"].mean() * sum(GAME.analytics.SECONDS_PER_CHOICE) / 120
    assert 20 < minutes < 30


def test_those_who_wait_get_more_out_of_grey_cards(untrained):
    """The untrained history reader gains more than profiles that play a card at once."""
    seats, _ = untrained
    played = seats.groupby("strategy")[["grey_steps", "grey_played"]].sum()
    worth = played["grey_steps"] / played["grey_played"]
    for hasty in ("sprinter", "marker-runner", "blocker", "city-visitor"):
        assert worth["history-reader"] > worth[hasty] + 0.02
