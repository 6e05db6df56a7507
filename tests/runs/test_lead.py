"""The lead in a game: worked examples, and the columns of a run against plain Python."""

import itertools
import math

import numpy as np
import pytest
from support.runs import read_rows

from balance.runs.rows import follow_lead, lead_of


def follow(scores: list[list[int]], winner: int) -> dict[str, float]:
    """Return the lead in one game: scores by round and seat."""
    table = np.array([scores], dtype=float)
    won = np.arange(table.shape[2])[None, :] == winner
    found = follow_lead(table, np.array([len(scores)]), won)
    return {name: float(values[0]) for name, values in found.items()}


def test_lead_is_ahead_of_the_best_of_the_others():
    assert lead_of(np.array([[[5, 3, 1], [4, 4, 2]]], float)).tolist() == [[[2, -2, -4], [0, 0, -2]]]


def test_a_winner_who_always_leads():
    """The game has no lead change and no deficit of the winner, is decided from the start, and is no comeback."""
    found = follow([[3, 1], [5, 2], [8, 4], [9, 6]], 0)
    assert found == {"lead_changes": 0, "winner_deficit": 0, "decided": 1, "comeback": 0}


def test_a_comeback():
    """The winner is behind by 4 and 3 with a last score of 9, then ahead for the last two of four rounds."""
    found = follow([[5, 1], [6, 3], [6, 8], [7, 9]], 1)
    assert found["lead_changes"] == 1
    assert found["winner_deficit"] == pytest.approx((math.sqrt(4 / 9) + math.sqrt(3 / 9)) / 2)
    assert found["decided"] == 0.5
    assert found["comeback"] == 1


def test_a_tie_for_the_lead_is_no_change_of_it():
    """Seat 0 leads, ties, leads again: no change; a tie, then seat 1 leads: one change."""
    assert follow([[2, 1], [3, 3], [5, 4]], 0)["lead_changes"] == 0
    assert follow([[2, 1], [3, 3], [4, 5]], 1)["lead_changes"] == 1


def test_shared_victories_count_in_parts():
    """One of the two winners was behind at half time."""
    scores = np.array([[[4, 1, 0], [5, 3, 0], [6, 6, 0], [7, 7, 0]]], float)
    found = follow_lead(scores, np.array([4]), np.array([[True, True, False]]))
    assert found["comeback"][0] == 0.5
    assert found["winner_deficit"][0] == 0  # one of the winners always led


def test_rounds_that_were_not_played_do_not_count():
    """Table rows after the last round do not count."""
    scores = np.array([[[5, 1], [3, 6], [9, 0]]], float)
    found = follow_lead(scores, np.array([2]), np.array([[False, True]]))
    assert found["lead_changes"][0] == 1
    assert found["decided"][0] == 0.5


def test_columns_of_a_run(traced_run):
    """Lead, lead changes and comebacks of every game equal those from its rounds."""
    rounds = read_rows(traced_run, "rounds")
    games = read_rows(traced_run, "games").set_index("game_id")
    seats = read_rows(traced_run, "seats")
    for game_id, rows in rounds.groupby("game_id"):
        scores = rows.pivot(index="round", columns="seat", values="score").to_numpy()
        others = [np.delete(scores, seat, axis=1).max(axis=1) for seat in range(scores.shape[1])]
        lead = rows.pivot(index="round", columns="seat", values="lead").to_numpy()
        assert np.allclose(lead, scores - np.array(others).T)
        alone = [int(row.argmax()) for row in lead if row.max() > 0]
        changes = sum(a != b for a, b in itertools.pairwise(alone))
        assert games.loc[game_id, "lead_changes"] == changes
        won = (seats[seats["game_id"] == game_id].sort_values("seat")["rank"] == 1).to_numpy()
        half = (len(scores) + 1) // 2 - 1
        assert games.loc[game_id, "comeback"] == pytest.approx((lead[half][won] < 0).mean())


def test_choices_and_options(traced_run):
    """Counts equal the decisions with more than one option and their mean options in the trace."""
    trace = read_rows(traced_run, "trace")
    games = read_rows(traced_run, "games").set_index("game_id")
    real = trace[trace["options"] > 1].groupby("game_id")["options"].agg(["size", "mean"])
    assert (games.loc[real.index, "choices"] == real["size"]).all()
    assert np.allclose(games.loc[real.index, "options"], real["mean"])


def test_half_time_without_a_leader_is_no_comeback_and_no_runaway():
    """Scores that come at the end only, a game of one round, and a game without winners ahead or behind."""
    scores = np.array([[[0, 0], [0, 0], [1, 0]], [[0, 3], [0, 0], [0, 0]], [[1, 0], [0, 0], [1, 0]]], float)
    won = np.array([[True, False], [False, True], [True, False]])
    found = follow_lead(scores, np.array([3, 1, 3]), won)
    assert np.isnan(found["comeback"]).all()
    assert np.isnan(found["decided"]).tolist() == [False, True, False]
    scores[0, 1] = [0, 2]  # half time of three rounds is after the second
    assert follow_lead(scores, np.array([3, 1, 3]), won)["comeback"][0] == 1
