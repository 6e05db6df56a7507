"""Shares of variance against planted truths, through the SQL of the question."""

import numpy as np
import pandas as pd
import pytest
from support.planted import answer, latin_scores, seat_rows
from support.runs import play

from balance.analysis.luck import Variance, read_variance, variance_applies
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.runs.folder import RunFolder
from balance.stats.variance import DealSums, jackknife, variance_shares, variance_sources

ALONE = [{source: 100.0} for source in variance_sources(3)]
ALL = {
    "strategy": 25.0, "seat": 5.0, "strategy x seat": 10.0,
    "deck x seat": 15.0, "deck x strategy": 10.0, "rest": 35.0,
}  # fmt: skip


def explained(scores: np.ndarray, outcome: str = "score differences") -> pd.DataFrame:
    """Return what explains the scores, by source."""
    rng = np.random.default_rng(2)
    found = read_variance(answer(Variance(), seat_rows=seat_rows(scores, rng)))
    return found[found["outcome"] == outcome].set_index("source")


def told(parts: dict[str, float], players: int, decks: int = 4_000) -> pd.DataFrame:
    """Return what explains planted scores."""
    return explained(latin_scores(parts, players, decks, np.random.default_rng(1)))


@pytest.mark.parametrize("parts", [*ALONE, ALL], ids=lambda parts: ", ".join(parts))
def test_each_source_alone_and_all_together(parts):
    """With three players every share is within two points and inside its interval."""
    found = told(parts, 3)
    assert found.index.tolist() == list(variance_sources(3))
    for source, row in found.iterrows():
        assert row["value"] == pytest.approx(parts.get(source, 0.0), abs=2.0), source
        assert row["low"] - 1 <= parts.get(source, 0.0) <= row["high"] + 1, source


def test_more_players():
    """With four players a strategy has no share of its own in any other source."""
    parts = {"strategy": 20.0, "deck x seat": 30.0, "deck x strategy": 15.0, "rest": 35.0}
    found = told(parts, 4)
    for source, row in found.iterrows():
        assert row["value"] == pytest.approx(parts.get(source, 0.0), abs=2.0), source


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", ["game", "deck"])
def test_what_is_the_same_for_all_in_a_game_decides_nothing(players, level):
    """Chance that gives all players more points counts as no luck: the strategies explain the rest."""
    found = told({"strategy": 20.0, level: 80.0}, players)
    assert found.loc["strategy", "value"] == pytest.approx(100, abs=0.01)
    assert told({level: 100.0}, players).empty


def test_chance_between_two_players_is_one_row():
    """One player's luck is the other's loss, so two games cannot separate the deal's part."""
    found = told({"rest": 100.0}, 2)
    assert found.index.tolist() == ["strategy", "seat", "strategy x seat", "deck and rest"]
    assert found.loc["deck and rest", "value"] == pytest.approx(100, abs=1)
    mixed = told({"strategy": 30.0, "deck x seat": 40.0, "rest": 30.0}, 2)
    assert mixed.loc["deck and rest", "value"] == pytest.approx(70, abs=2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_wins_are_explained_too(players):
    """The stronger strategy always wins; without a difference nothing explains more than half."""
    rng = np.random.default_rng(3)
    sure = explained(latin_scores({"strategy": 1.0, "seat": 1e-6}, players, 400, rng), "wins")
    assert sure.loc["strategy", "value"] == pytest.approx(100, abs=1e-6)
    fair = explained(latin_scores({"rest": 1.0}, players, 4_000, rng), "wins")
    assert fair["value"].iloc[-1] > 97
    assert fair.loc["strategy", "value"] < 1


def test_a_deck_that_was_not_played_whole_is_left_out():
    """Broken-off games have no rows, so the rest of their deal is not a Latin square."""
    rng = np.random.default_rng(4)
    rows = seat_rows(latin_scores(ALL, 3, 500, rng), rng)
    cut = rows[~rows["game_id"].isin(range(0, 300, 3))]
    kept = rows[rows["deal_seed"] >= 100]
    found, expected = (read_variance(answer(Variance(), seat_rows=each)) for each in (cut, kept))
    pd.testing.assert_frame_equal(found, expected)
    assert set(found["n"]) == {400 * 9}


def sums_of(y: np.ndarray) -> DealSums:
    """Return the sums of outcomes (deals, strategies, seats) of one line-up."""
    parts = (y.sum(axis=0), (y**2).sum(axis=0))
    means = ((y.mean(axis=axis) ** 2).sum(axis=0) for axis in (2, 1))
    return DealSums(np.array([len(y)]), *(each[None] for each in (*parts, *means)))


def whole_games(y: np.ndarray) -> np.ndarray:
    """Return scores less the mean of their game."""
    p = y.shape[1]
    i, j = np.indices((p, p))
    by_game = np.zeros_like(y)
    by_game[:, (j - i) % p, j] = y
    return (by_game - by_game.mean(axis=2, keepdims=True))[:, (j - i) % p, j]


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.long)])
def test_jackknife_intervals_cover(players):
    """In 93 to 97 % of 1,000 runs of 300 deals the interval contains the planted share."""
    rng = np.random.default_rng(5)
    parts = ALL if players == 3 else {"strategy": 25.0, "seat": 5.0, "deck and rest": 70.0}
    planted = {**parts, "rest": parts.get("rest", 70.0)}
    sources = variance_sources(players)
    held = np.zeros(len(sources))
    for _ in range(1_000):
        y = whole_games(latin_scores(planted, players, 300, rng))
        groups = [sums_of(group) for group in np.array_split(y, 10)]
        found = jackknife(groups, variance_shares)
        held += [
            each.low <= parts.get(source, 0) / 100 <= each.high for source, each in zip(sources, found, strict=True)
        ]
    told_of = [source in parts for source in sources]  # of what is 0 an interval cut at 0 holds more
    assert ((held[told_of] >= 930) & (held[told_of] <= 970)).all()
    assert (held >= 930).all()


def test_only_latin_squares_are_explained(tmp_path):
    """Only rotated line-ups of different strategies, one for each player count, are explained."""
    keys = {"game": "polska", "players": [2, 3], "games": 4}
    pool = {"strategies": ["blocker", "sprinter", "random"]}
    two = {"lineups": [["blocker", "sprinter"], ["blocker", "sprinter", "random"]]}
    for given, applies in (
        (pool, True),
        (two, True),
        ({**pool, "rotate": False}, False),
        ({"strategies": ["blocker", "sprinter"]}, False),
        ({"lineups": [*two["lineups"], ["random", "sprinter"]]}, False),
        ({"lineups": [["blocker", "blocker"], two["lineups"][1]]}, False),
    ):
        plan = make_plan(make_experiment({**keys, **given}), tmp_path, "test")
        assert variance_applies(plan) == applies, given


def test_of_a_run(tmp_path):
    """The rows of every cell and outcome add up to 100 %."""
    from balance.analysis.gather import gather

    field = ["generalist", "treasurer", "quartermaster", "random"]
    run = RunFolder.open(play(tmp_path / "run", players=[2, 4], strategies=field, games=400))
    found = read_variance(gather(run, [Variance()])[Variance()])
    assert set(found["outcome"]) == {"wins", "score differences"}
    total = found.groupby(["players", "outcome"])["value"].sum()
    assert ((total > 99.9) & (total < 104)).all()  # what is found below 0 is shown as 0
    assert (found.query("source == 'strategy'")["low"] > 0).all()
