"""Decisions judged by a searcher: planted games in which choices matter not at all, or once."""

from __future__ import annotations

import pandas as pd
import pytest
from support.runs import play
from support.tokens import GAME

from balance.analysis.decisions import ALL, GAP, LOST, judge_decisions, kept_decisions, read_decisions
from balance.analysis.halves import WHOLE
from balance.batch.judging import judge_batch, load_judge
from balance.contract import game as game_module
from balance.errors import BalanceError
from balance.log.folder import RunFolder

GAMES = 300


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> RunFolder:
    """A run of the planted game, in which everybody takes nothing."""
    shipped = game_module.find_games()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_module, "_find", lambda: ({**shipped, GAME.name: GAME}, {}))
        path = tmp_path_factory.mktemp("tokens") / "run"
        keys = {"players": [2], "variants": ["base", "high-stakes"], "strategies": ["plain"]}
        play(path, game="tokens", games=GAMES, **keys)
        yield RunFolder.open_finished(path)


def judged(run: RunFolder, cell: int) -> pd.DataFrame:
    """All decisions of a cell, ten a game: two seats, five rounds."""
    judge = load_judge(run.plan, "search-50")
    rows = judge_batch(run.plan, run.plan.cells[cell], 0, GAMES, judge, 1)
    assert len(rows) == 10 * GAMES
    return rows.assign(number=(10 * rows["done"]).round().astype(int))


def test_where_choices_do_not_matter_nothing_is_lost(run):
    """On shared deals the same is the same: no gap, no loss, all are close."""
    rows = judged(run, 0)
    assert (rows["lost"] == 0).all() and (rows["gap"] == 0).all()
    table = read_decisions(rows)
    assert (table[table["measure"] == "close"]["value"] == 100).all()


def test_the_one_choice_that_matters_is_found(run):
    """Who chooses last, and takes nothing, loses the half of the games that it would have won; all before is idle."""
    rows = judged(run, 1)
    idle = rows[rows["number"] < 8]
    assert (idle["lost"] == 0).all() and (idle["gap"] == 0).all()
    last = rows[rows["number"] == 9]
    assert not last["agreed"].any()
    assert (last["lost"] == last["gap"]).all() and (last["gap"] >= 0).all()
    table = read_decisions(last).query("kind == 'roll' and stage == 'late' and half == @WHOLE")
    (row,) = table[table["measure"] == LOST].itertuples()
    assert row.low < 50 < row.high and row.n == GAMES


def test_one_choice_in_several_is_judged(run):
    """By lot; how many are judged changes no game."""
    judge = load_judge(run.plan, "search-50")
    some = judge_batch(run.plan, run.plan.cells[1], 0, GAMES, judge, 4)
    assert 0.2 < len(some) / (10 * GAMES) < 0.3
    assert (some["kind"] == "roll").all()


def test_they_are_kept_beside_the_run(run):
    """By variant, kind and stage, with interval and n."""
    table = judge_decisions(run, 60, "search-20", 2, workers=1)
    kept = kept_decisions(run)
    assert len(kept) == len(table) and set(kept["judge"]) == {"search-20"}
    whole = kept[(kept["measure"] == GAP) & (kept["stage"] == ALL) & (kept["half"] == WHOLE)]
    assert set(whole["variant"]) == {"base", "high-stakes"}
    assert (whole["low"] <= whole["value"]).all() and (whole["n"] > 100).all()


def test_a_judge_must_search(run):
    """One line."""
    with pytest.raises(BalanceError, match="judge plain is no searcher"):
        judge_decisions(run, 4, "plain", 1)
    with pytest.raises(BalanceError, match="unknown"):
        judge_decisions(run, 4, "nobody", 1)


def test_the_command(cli, tmp_path):
    """A mistake is one line."""
    wrong = cli("decisions", tmp_path / "none")
    assert wrong.exit_code == 1 and wrong.output.count("\n") == 1
