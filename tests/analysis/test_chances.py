"""Chances to win are true where the truth is known, and so is what they say of the table."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from balance.analysis import chances
from balance.analysis.chances import (
    ALL,
    DECIDED_AT,
    LEAST_DEALS,
    MOST_OPEN,
    OFF,
    OPEN,
    OUT_OF_IT,
    SWINGS,
    TURBULENT,
    WITHOUT,
    Followed,
    decided_in,
    read_chances,
    read_games,
    told_chances,
)
from balance.analysis.question import interval_of_frame
from balance.analysis.verdicts import rate_verdicts
from balance.engine.networks import DEAL_SHIFT
from balance.engine.search.trying import trial_type
from balance.report.sections.at_the_table import write_out_of_it
from balance.runs.batches import Seen
from balance.stats.comparisons import PLAYERS_DIFFER, p_value
from balance.stats.intervals import difference_from_ends

ROUNDS = 10
NO_WAITS = pd.DataFrame(columns=["deck", "measure", "group", "value"])


class Plan:
    """A game of two seats whose only feature is the score."""

    game = SimpleNamespace(position={})

    def networks_apart(self, counts):
        return 1


def follow(scores, winner, rng):
    """Return the rows of followed games: scores (games, rounds, 2) after each round, winner (games,)."""
    games, rounds = scores.shape[:2]
    frame = pd.DataFrame(
        {
            "deck": rng.integers(0, 2**63, games).astype("u8").repeat(2 * (rounds - 1)),
            "game": np.arange(games).repeat(2 * (rounds - 1)),
            "moves": np.arange(games).repeat(2 * (rounds - 1)),
            "lineup": 0,
            "step": np.tile(np.arange(1, rounds).repeat(2), games),
            "seat": np.tile([0, 1], games * (rounds - 1)),
            "score": scores[:, :-1].ravel(),
        }
    )
    won = frame["seat"] == winner.repeat(2 * (rounds - 1))
    frame = frame.assign(progress=frame["step"] / rounds, won=won.astype(float), rank=2 - won)
    nothing = pd.DataFrame(columns=["deck", "game", "seat"], dtype=int)
    return Seen(frame, nothing, nothing[["deck", "game"]], np.recarray(0, trial_type(1)))


def read(scores, winner, rng):
    found = read_chances(follow(scores, winner, rng), Plan(), SimpleNamespace(players=2, first_id=0))
    return found.assign(players=2, variant="base")


def walks(games, rng):
    """Return scores that grow by chance alone, and who leads at the end."""
    scores = rng.normal(size=(games, ROUNDS, 2)).cumsum(axis=1)
    return scores, scores[:, -1].argmax(axis=1)


def truth_of_walks():
    """Return what the true chances, of a normal distribution, show of many games."""
    rng = np.random.default_rng(7)
    scores, winner = walks(100_000, rng)
    lead = (scores[..., 0] - scores[..., 1])[:, :-1]
    first = norm.cdf(lead / np.sqrt(2 * (ROUNDS - np.arange(1, ROUNDS)))).ravel()
    rows = follow(scores, winner, rng).rows
    arrays = (rows[name].to_numpy().reshape(-1, 2) for name in ("won", "rank"))
    followed = Followed(rows[rows["seat"] == 0].reset_index(drop=True), np.empty(0), *arrays, None, NO_WAITS)
    rows = followed.measure(np.stack([first, 1 - first], axis=1))
    return rows[rows["group"] == ALL].groupby("measure")["value"].mean()


def test_a_race_of_chance_alone_is_told_as_it_is():
    """Who is out of it, for how long, when it is decided, how open it is and how much it turns: all as computed."""
    rng = np.random.default_rng(3)
    truth, found = truth_of_walks(), read(*walks(1000, rng), rng)
    whole = found[found["group"] == ALL].set_index("measure")
    for name in (OUT_OF_IT, WITHOUT, DECIDED_AT, OPEN, SWINGS):
        assert abs(whole["value"][name] - truth[name]) < 3 * whole["error"][name], name
        assert whole["high"][name] - whole["low"][name] < 16
    assert len(told_chances(found)) == len(found)


def test_intervals_include_that_chances_are_learned(monkeypatch):
    """Of given chances they would be half as wide: two thirds of them held the truth in 60 samples, now 92 to 98 %."""
    rng = np.random.default_rng(3)
    games = walks(400, rng)
    wide = read(*games, np.random.default_rng(1))
    monkeypatch.setattr(chances, "jackknife_error", lambda left: (np.zeros(left.shape[1]), None))
    narrow = read(*games, np.random.default_rng(1))
    whole = wide["group"] == ALL
    assert (wide["error"] >= narrow["error"] * (1 - 1e-9)).all()
    assert (wide["error"] / narrow["error"])[whole & (wide["measure"] == WITHOUT)].item() > 1.3


def test_a_game_decided_in_its_first_round():
    """The loser sits without hope from then on, and the leader is never caught."""
    rng = np.random.default_rng(4)
    winner = rng.integers(0, 2, 400)
    scores = np.zeros((400, ROUNDS, 2))
    scores[np.arange(400), :, winner] = 5.0
    found = read(scores, winner, rng).query("group == 'all'").set_index("measure")["value"]
    assert found[OUT_OF_IT] == 100
    assert found[DECIDED_AT] == pytest.approx(100 / ROUNDS)
    assert found[OPEN] < 5
    assert found[SWINGS] == pytest.approx(50, abs=3)


def test_a_game_decided_by_its_last_die():
    """Nothing before it matters, so no player is without hope."""
    rng = np.random.default_rng(5)
    scores, winner = rng.normal(size=(400, ROUNDS, 2)), rng.integers(0, 2, 400)
    found = read(scores, winner, rng).query("group == 'all'").set_index("measure")["value"]
    assert found[OUT_OF_IT] == 0
    assert found[DECIDED_AT] == 100
    assert found[OPEN] > 97


def test_the_most_open_and_the_most_turbulent_game_are_those_planted():
    """One game stays level to the end; in another a huge lead changes hands each round."""
    rng = np.random.default_rng(9)
    scores, winner = walks(400, rng)
    scores[7] = 0.0
    scores[8] = 9.0 * np.array([[0, 1], [1, 0]])[np.arange(ROUNDS) % 2]
    games = read_games(read(scores, winner, rng)).groupby("kind")
    assert set(games.get_group(MOST_OPEN)["game_id"]) == {7}
    turbulent = games.get_group(TURBULENT)
    assert set(turbulent["game_id"]) == {8}
    assert len(turbulent) == 2 * (ROUNDS + 1)
    assert (turbulent.groupby("round")["value"].sum().round(6) == 100).all()


def test_the_round_that_decides_is_the_first_of_a_lead_that_stays():
    """A lead that is lost again decides nothing, and a shared victory decides no game."""
    won = {"lost again": [50, 80, 60, 76, 90, 100], "at the end": [50, 60, 70, 70, 75, 100], "shared": [50, 80, 50]}
    rows = [
        {"kind": kind, "round": at, "seat": seat, "value": abs(100 * seat - value)}
        for kind, through in won.items()
        for at, value in enumerate(through)
        for seat in (0, 1)
    ]
    found = decided_in(pd.DataFrame(rows))
    assert dict(found.to_numpy()) == {"lost again": 3, "at the end": 5}


def test_cells_whose_chances_are_untrue_are_left_out():
    """A class of chances with some weight that is shown to be off by more than two points."""
    row = {"variant": "base", "measure": OFF, "n": 500, "value": 4.0}
    table = pd.DataFrame(
        [
            {**row, "players": 2, "group": "3", "low": 2.5, "high": 5.5},
            {**row, "players": 3, "group": "3", "low": 1.5, "high": 6.5},
            {**row, "players": 4, "group": "3", "low": 2.5, "high": 5.5, "n": 5},
            {**row, "players": 4, "group": "4", "low": -1.0, "high": 1.0, "value": 0.0},
        ]
    )
    assert list(told_chances(table)["players"]) == [3, 4, 4]


def test_few_deals_teach_no_chances():
    rng = np.random.default_rng(6)
    assert read(*walks(LEAST_DEALS - 1, rng), rng).empty


def test_the_same_game_again_teaches_nothing():
    """Players without any chance play one game, however often; with some chance equal games are draws of their own."""
    rng = np.random.default_rng(8)
    seen = follow(*walks(400, rng), rng)
    cell = SimpleNamespace(players=2, first_id=0)
    assert read_chances(replace(seen, rows=seen.rows.assign(moves=7)), Plan(), cell).empty
    twice = replace(seen, rows=seen.rows.assign(moves=seen.rows["moves"] % 2))
    assert set(read_chances(twice, Plan(), cell).query("measure == 'out_of_it'")["n"]) == {400}


MEASURED = (OUT_OF_IT, WITHOUT, DECIDED_AT, OPEN, SWINGS)


def of_all(found):
    return found[(found["group"] == ALL) & found["measure"].isin(MEASURED)].set_index("measure").loc[[*MEASURED]]


@pytest.mark.long
@pytest.mark.parametrize("paired", [False, True])
def test_equal_rules_seldom_differ(paired):
    """A/A: games of equal rules, with other seeds or other chance on the same deals, differ in at most 5 %."""
    rng, tries = np.random.default_rng(11), 40
    called = np.zeros(len(MEASURED))
    for _ in range(tries):
        seeds = rng.integers(0, 2**31, 2)
        if paired:
            deals = int(rng.integers(0, 2**31))
            parts = [follow(*walks(240, np.random.default_rng(seed)), np.random.default_rng(deals)) for seed in seeds]
            one, other = (chances.follow(part, Plan(), SimpleNamespace(players=2)).shown for part in parts)
            found = interval_of_frame(of_all(other.less(one, 1)))
        else:
            runs = (read(*walks(240, np.random.default_rng(seed)), np.random.default_rng(seed)) for seed in seeds)
            found = difference_from_ends(*(interval_of_frame(of_all(run)) for run in runs))
        called += p_value(found) < 0.05
    assert (called / tries < 0.05 + 2 * np.sqrt(0.05 * 0.95 / tries)).all(), called / tries


@pytest.mark.parametrize("apart", [False, True])
def test_networks_are_the_unit_and_players_differ(apart):
    """Four networks, two of which decide their games in the first round; alike ones agree within the intervals."""
    rng = np.random.default_rng(12)
    scores, _ = walks(1200, rng)
    seen = follow(scores, scores[:, -1].argmax(axis=1), rng)
    network = (seen.rows["deck"].to_numpy()[:: 2 * (ROUNDS - 1)] >> np.uint64(DEAL_SHIFT)) % np.uint64(4)
    scores[(network < 2) & apart, :, 0] += 100 * rng.choice([-1, 1], size=int(((network < 2) & apart).sum()))[:, None]
    frame = follow(scores, scores[:, -1].argmax(axis=1), rng).rows.assign(deck=seen.rows["deck"])
    plan = SimpleNamespace(game=Plan.game, networks_apart=lambda counts: 4)
    cell = SimpleNamespace(players=2, first_id=0)
    found = read_chances(replace(seen, rows=frame), plan, cell).assign(players=2, variant="base")
    hope = found[(found["measure"] == OUT_OF_IT) & (found["group"] == ALL)]
    (row,) = hope.itertuples()
    (verdict,) = rate_verdicts("hope", hope, "group", (0.0, 25.0), 1, ("seldom", "often"))
    assert row.networks == 4
    assert ("players differ" in write_out_of_it(hope)) == apart == (verdict.word == PLAYERS_DIFFER)
    if apart:
        assert row.low < 15 and row.high > 60
    else:
        assert row.apart < row.error / 2
