"""Decisions judged by a searcher: planted games in which no choice, or one choice, matters."""

import pandas as pd
import pytest
from support.runs import play
from support.tokens import GAME

from balance.analysis.decisions import ALL, GAP, LOST, MATTERS, read_decisions
from balance.analysis.holdout import WHOLE
from balance.contract import game as game_module
from balance.foundation.errors import BalanceError
from balance.runs.batches import judge_batch, load_judge
from balance.runs.folder import RunFolder
from balance.runs.sidecar import DECISIONS
from balance.runs.strength import read_tier_rows
from balance.runs.workers import Threads
from balance.studies.reruns import judge_decisions

GAMES = 300


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> RunFolder:
    """Return a run of the planted game in which all players take nothing."""
    shipped = game_module.find_games()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_module, "find_installed", lambda: ({**shipped, GAME.name: GAME}, {}))
        path = tmp_path_factory.mktemp("tokens") / "run"
        keys = {"players": [2], "variants": ["base", "high-stakes"], "strategies": ["plain"]}
        play(path, game="tokens", games=GAMES, **keys)
        yield RunFolder.open_finished(path)


def judged(run: RunFolder, cell: int) -> pd.DataFrame:
    """Return all decisions of a cell, ten per game: two seats, five rounds."""
    judge = load_judge(run.plan, "search-50")
    rows = judge_batch(run.plan, run.plan.cells[cell], 0, GAMES, judge, 1)
    assert len(rows) == 10 * GAMES
    return rows.assign(number=(10 * rows["done"]).round().astype(int))


@pytest.mark.long
def test_where_choices_do_not_matter_nothing_is_lost(run):
    """On shared deals equal actions have no gap and no loss, and all decisions are close."""
    rows = judged(run, 0)
    assert (rows["lost"] == 0).all() and (rows["gap"] == 0).all()
    table = read_decisions(rows)
    assert (table[table["measure"] == "close"]["value"] == 100).all()
    assert (table[table["measure"].isin(MATTERS.values())]["value"] == 0).all()


@pytest.mark.long
def test_the_one_choice_that_matters_is_found(run):
    """The last chooser, who takes nothing, loses half of the games it could have won; earlier choices do not matter."""
    rows = judged(run, 1)
    idle = rows[rows["number"] < 8]
    assert (idle["lost"] == 0).all() and (idle["gap"] == 0).all()
    last = rows[rows["number"] == 9]
    wrong = (last["lost"] != last["gap"]) | (last["gap"] < 0)
    assert wrong.mean() < 0.02  # with 50 iterations the judge prefers the worse choice in one game of 300
    table = read_decisions(last).query("kind == 'roll' and stage == 'late' and half == @WHOLE")
    (row,) = table[table["measure"] == LOST].itertuples()
    assert row.low < 50 < row.high and row.n == GAMES
    early = read_decisions(idle).query("stage == 'all' and kind == 'all' and half == @WHOLE")
    assert (early[early["measure"].isin(MATTERS.values())]["value"] == 0).all()


def test_a_choice_matters_by_the_points_from_the_median_to_the_best(run):
    """Of two options the median is the other one; a spread that its playouts do not show counts as none."""
    rows = pd.DataFrame(
        {
            "deck": range(4), "kind": "roll", "done": 0.5, "agreed": True, "lost": 0.0, "gap": 0.0,
            "gap_error": 0.0, "spread": [0.0, 0.02, 0.05, 0.2], "spread_error": [0.0, 0.005, 0.03, 0.01],
        }
    )  # fmt: skip
    table = read_decisions(rows).query("stage == 'all' and kind == 'all' and half == @WHOLE")
    found = table.set_index("measure")["value"]
    assert [found[name] for name in MATTERS.values()] == [50, 25, 25]
    last = judge_batch(run.plan, run.plan.cells[1], 0, 12, load_judge(run.plan, "search-20"), 1)
    late = last[last["done"] == 0.9]
    assert (late["spread"] == late["gap"]).all() and (late["spread"] > 0).any()


def test_one_choice_in_several_is_judged(run):
    """Decisions are drawn at random; the number of judged decisions changes no game."""
    judge = load_judge(run.plan, "search-20")
    some = judge_batch(run.plan, run.plan.cells[1], 0, 60, judge, 4)
    assert 0.19 < len(some) / (10 * 60) < 0.31
    assert (some["kind"] == "roll").all()


def test_judged_decisions_are_stored_with_the_run(run):
    """The rows are stored with the run, by variant, kind and stage, with interval and n."""
    table = judge_decisions(run, 60, "search-20", 2, Threads(1))
    kept = read_tier_rows(run, DECISIONS)
    assert len(kept) == len(table) and set(kept["judge"]) == {"search-20"}
    whole = kept[(kept["measure"] == GAP) & (kept["stage"] == ALL) & (kept["half"] == WHOLE)]
    assert set(whole["variant"]) == {"base", "high-stakes"}
    assert (whole["low"] <= whole["value"]).all() and (whole["n"] > 100).all()


def test_a_judge_must_search(run):
    """Another judge gives a one-line error."""
    with pytest.raises(BalanceError, match="judge plain is not a searcher"):
        judge_decisions(run, 4, "plain", 1)
    with pytest.raises(BalanceError, match="unknown"):
        judge_decisions(run, 4, "nobody", 1)


def test_the_command(cli, tmp_path):
    wrong = cli("decisions", tmp_path / "none")
    assert wrong.exit_code == 1 and wrong.output.count("\n") == 1
