"""One pass over a run gives the same answers as the whole tables, in chunks of any size."""

import shutil
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.errors import refused
from support.runs import play, read_rows
from support.statistics import stratified

from balance.analysis import gather as module
from balance.analysis.gather import gather
from balance.analysis.head_to_head import Meetings, head_to_head, matrix_of
from balance.analysis.holdout import of_all_decks
from balance.analysis.leads import Deficits, LastLead, runaway_question
from balance.analysis.luck import Variance
from balance.analysis.question import Question, means
from balance.analysis.spread import spread
from balance.experiments.experiment import MOST_GAMES
from balance.foundation.progress import Progress
from balance.runs.folder import RunFolder
from balance.stats.intervals import cluster_interval

SHARES = means({"share": "win_share", "score": "score"}, ["players", "variant", "strategy"])
FIRST = spread({"score": "score"}, ["players", "variant", "round"], table="round_rows", games=100)
QUESTIONS = [
    SHARES,
    FIRST,
    means({"margin": "margin"}, ["players", "variant"], "seat = 0"),
    runaway_question(),
    Deficits(),
    LastLead(),
    spread({"score": "score"}, ["players", "variant", "round", "is_winner"], table="round_rows"),
    Meetings(),
    Variance(),
]


class Listener(Progress):
    """Listener that records its messages."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def advance(self, done: int, planned: int) -> None:
        self.seen.append((done, planned))


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> RunFolder:
    """Return a run whose chunks end where deals begin."""
    strategies = ["generalist", "treasurer", "random"]
    path = tmp_path_factory.mktemp("gather") / "run"
    keys = {"players": [2, 3], "variants": ["base", "krzyzacy-hard"], "games": 900, "log": "rounds"}
    return RunFolder.open(play(path, workers=2, strategies=strategies, **keys))


def test_chunks_change_nothing(run, monkeypatch):
    whole = gather(run, QUESTIONS)
    listener = Listener()
    monkeypatch.setattr(module, "CHUNK_ROWS", 750)
    cut = gather(run, QUESTIONS, listener)
    assert len(listener.seen) > 10
    assert listener.seen[-1] == (3_600, 3_600)
    for name, frame in whole.items():
        assert list(cut[name].columns) == list(frame.columns)
        for column in frame.columns:
            left, right = frame[column].to_numpy(), cut[name][column].to_numpy()
            if frame[column].dtype.kind == "f":
                assert np.allclose(left, right, equal_nan=True), (name, column)
            else:
                assert (left == right).all(), (name, column)


def test_later_chunks_skip_questions_about_first_games(run, monkeypatch):
    """They are asked only where they have rows, and count only these games."""
    asked: Counter[Question] = Counter()

    def fetch(connection, question):
        asked[question] += 1
        return module_fetch(connection, question)

    module_fetch = module.fetch
    monkeypatch.setattr(module, "CHUNK_ROWS", 500)
    monkeypatch.setattr(module, "fetch", fetch)
    found = gather(run, [SHARES, FIRST])[FIRST]
    assert asked[FIRST] == 3 < asked[SHARES] / 4  # 125 games a chunk with 2 players, 83 with 3
    games = found[found["round"] == 1].groupby(["players", "variant"])
    seats = sum(games[f"n.{tenth}"].sum() for tenth in range(10))
    assert (seats == 100 * seats.index.get_level_values("players").astype(int)).all()


def test_rounds_are_read_of_the_first_games_only(run, monkeypatch):
    """The table of rounds ends with the same game of each cell, wherever chunks end."""
    for where in ("question", "row_tables"):
        monkeypatch.setattr(f"balance.analysis.{where}.MOST_ROUND_GAMES", 200)
    monkeypatch.setattr(module, "CHUNK_ROWS", 500)
    found = gather(run, [runaway_question()])[runaway_question()]
    rounds = read_rows(run.path, "rounds")
    first = rounds[(rounds["lead"] > 0) & (rounds["game_id"] % MOST_GAMES < 200)]
    first = first.merge(read_rows(run.path, "seats")[["game_id", "seat", "players", "variant"]])
    expected = first.groupby(["players", "variant", "round"]).size()
    keys = pd.MultiIndex.from_frame(found[["players", "variant", "round"]])
    assert found["n"].tolist() == expected.loc[keys].tolist()


def test_means_are_those_of_the_tables(run):
    """Means equal those from pandas, with the cluster-robust interval by hand and line-ups as strata."""
    answers = gather(run, QUESTIONS)
    games = read_rows(run.path, "games")
    games["line"] = [",".join(sorted(lineup.split(","))) for lineup in games["lineup"]]
    seats = read_rows(run.path, "seats").merge(games[["game_id", "deal_seed", "line"]])
    for row in answers[SHARES].itertuples():
        column = {"share": "win_share", "score": "score"}[row.measure]
        own = seats[(seats["players"] == row.players) & (seats["variant"] == row.variant)]
        own = own[own["strategy"] == row.strategy]
        sums = own.groupby(["line", "deal_seed"])[column].agg(["sum", "count"]).astype(float)
        expected = cluster_interval(stratified(sums))
        assert (row.value, row.low, row.high) == pytest.approx((expected.value, expected.low, expected.high))
        assert (row.n, row.clusters) == (len(own), len(sums))


def test_the_runaway_leader_index(run):
    """The index is the win share of the sole leader after each round."""
    found = gather(run, [runaway_question()])[runaway_question()]
    rounds = read_rows(run.path, "rounds")
    seats = read_rows(run.path, "seats")
    ahead = rounds[rounds["lead"] > 0].merge(seats[["game_id", "seat", "players", "variant", "win_share"]])
    expected = 100 * ahead.groupby(["players", "variant", "round"])["win_share"].mean()
    for row in found.itertuples():
        assert row.value == pytest.approx(expected[row.players, row.variant, row.round])
    assert len(found) == len(expected)


def test_head_to_head(run):
    """Row against column with ties as half adds up to one over both sides; the table shows which pairs met."""
    meetings = head_to_head(gather(run, [Meetings()])[Meetings()])
    seats = read_rows(run.path, "seats")
    both = seats.merge(seats, on=["game_id", "players", "variant"])
    both = both[both["strategy_x"] != both["strategy_y"]]
    won = (both["rank_x"] < both["rank_y"]) + 0.5 * (both["rank_x"] == both["rank_y"])
    expected = won.groupby([both["players"], both["variant"], both["strategy_x"], both["strategy_y"]]).mean()
    for row in meetings.itertuples():
        key = (row.players, row.variant, row.row_strategy, row.column_strategy)
        assert row.value == pytest.approx(expected[key])
    square = matrix_of(meetings[(meetings["players"] == 3) & (meetings["variant"] == "base")])
    assert np.allclose(square + square.T, 1)


def test_memory_stays_flat(tmp_path):
    """Memory holds one chunk at a time, for any number of games."""
    plan = RunFolder.open(play(tmp_path / "run", games=400)).plan
    schedule = plan.schedule(plan.cells[0])
    decks, _, _ = schedule.games(0, 3_000)
    for number in (1, 999, 2_003):
        start = schedule.deal_start(number)
        assert number <= start < number + 4
        assert decks[start] != decks[start - 1]


def test_damaged_and_missing_parts(run, tmp_path):
    for table, damage in product(("seats", "games"), ("cut", "missing")):
        copy = tmp_path / f"{table}-{damage}"
        shutil.copytree(run.path, copy)
        part = sorted((copy / table).glob("*.parquet"))[0]
        part.unlink() if damage == "missing" else part.write_bytes(part.read_bytes()[:200])
        with refused(part.name):
            gather(RunFolder.open(copy), QUESTIONS[1:2])


def test_early_choices_are_those_of_their_cell(run):
    """n counts the seats of one variant at one player count, and the effects equal a plain fit."""
    import statsmodels.formula.api as smf

    from balance.analysis.early_choices import choice_effects
    from balance.contract.analytics import Choice

    choices = [
        Choice("helpers", "a helper more", "max(r.helpers) FILTER (r.round = 3)"),
        Choice("ducats", "a ducat more", "max(r.ducats) FILTER (r.round = 3)"),
    ]
    found = of_all_decks(choice_effects(run, choices, "base"))
    found = found.set_index(["players", "choice", "outcome"])
    rounds = read_rows(run.path, "rounds")
    third = rounds[rounds["round"] == 3][["game_id", "seat", "helpers", "ducats"]]
    seats = pq.read_table(run.path / "seats", columns=["game_id", "seat", "players", "variant", "strategy", "score"])
    data = seats.to_pandas().merge(third, on=["game_id", "seat"])
    for players in (2, 3):
        cell = data[(data["players"] == players) & (data["variant"] == "base")]
        plain = smf.ols("score ~ helpers + ducats + C(strategy):C(seat)", cell).fit()
        for name, label in (("helpers", "a helper more"), ("ducats", "a ducat more")):
            row = found.loc[(players, label, "score")]
            assert row["value"] == pytest.approx(plain.params[name], rel=1e-6)
            assert row["n"] == len(cell) == 900 * players
