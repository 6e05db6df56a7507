"""The sections on scores, rounds, leaders and ties: their sentences, also for other games."""

import re

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows, report_text

from balance.report.screen import in_short
from balance.report.words import more_games, would_decide


def test_quartiles_are_those_of_the_tables(report, traced_run):
    """Every quartile of the CSV, of scores and of margins, equals that of the tables."""
    seats = read_rows(traced_run, "seats")
    games = read_rows(traced_run, "games")
    shown = pd.read_csv(report / "tables" / "scores.csv")
    assert set(shown["measure"]) == {"score", "margin"}
    for row in shown.itertuples():
        table = seats if row.measure == "score" else games
        values = table[(table["players"] == row.players) & (table["variant"] == row.variant)]
        for name, part in (("lower", 0.25), ("value", 0.5), ("upper", 0.75)):
            wanted = np.quantile(values[row.measure], part, method="inverted_cdf")
            assert getattr(row, name) == wanted
        assert row.n == len(values)


def test_rounds_compare_winners_with_the_others(report, traced_run):
    """Every round and numeric column equals the tables; flags have no quartiles."""
    shown = pd.read_csv(report / "tables" / "course.csv")
    rounds = read_rows(traced_run, "rounds")
    seats = read_rows(traced_run, "seats")
    data = rounds.drop(columns="score").merge(seats[["game_id", "seat", "players", "variant", "win_share"]])
    assert "ducats" in set(shown["measure"])
    assert "joined" not in set(shown["measure"])
    ducats = shown[(shown["measure"] == "ducats") & (shown["round"] == 5)]
    assert len(ducats) == 3 * 2 * 2
    for row in ducats.itertuples():
        own = data[(data["players"] == row.players) & (data["variant"] == row.variant)]
        own = own[(own["round"] == 5) & ((own["win_share"] > 0) == (row.seats == "winners"))]
        assert row.value == np.quantile(own["ducats"], 0.5, method="inverted_cdf")
        assert row.n == len(own)


def test_each_variant_has_its_sentences(report):
    text = (report / "report.md").read_text(encoding="utf-8")
    for words in (
        r"base: the median score is \d+ \(\d+ to \d+\) with 2 players, .*; half of the scores lie from .* \(n ≥ 48\)",
        r"base: at half time winners have \d+ \(\d+ to \d+\) with 2 players, .* the others have \d+",
        r"base: the leader before the last round loses [\d.]+ \([\d.]+ to [\d.]+\) % with 2 .* \(n ≥ 24 games\)",
        r"base: the best score is (never )?shared",
    ):
        assert re.search(words, text), words


@pytest.mark.long
@pytest.mark.slow
def test_another_game_has_the_same_views(tmp_path):
    """Polska is a race, with no fixed number of rounds and no ties."""
    keys = {"players": [3], "strategies": ["sprinter", "blocker"], "games": 150, "log": "rounds"}
    run = play(tmp_path / "run", game="polska", trace=120, **keys)
    text = report_text(run, tmp_path / "out")
    for title in ("Scores", "First moves", "Runaway leader", "Ties"):
        assert f"## {title}" in text
    assert "the best score is never shared" in text
    assert "hand" in set(pd.read_csv(tmp_path / "out" / "tables" / "course.csv")["measure"])


def test_points_of_a_sweep_have_short_names():
    assert in_short("start.ducats=1, krzyzacy.first_round=3") == "1, 3"
    assert in_short("krzyzacy-hard") == "krzyzacy-hard"


def test_more_games_are_written_in_two_digits():
    """If no number decides, there is none; no number exceeds a million."""
    assert more_games(118_264) == "about 120,000 more games"
    assert more_games(37) == "about 37 more games"
    assert more_games(1_000_001) == "more than a million more games"
    assert would_decide(0) == ""
    assert would_decide(412) == "; about 410 more games would probably settle it"
